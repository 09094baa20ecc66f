//! Parts of an object change, the rest stays.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use k8s_openapi::{apimachinery::pkg::apis::meta::v1::Time, jiff::Timestamp};
use kube::{
    ResourceExt,
    api::{Patch, PatchParams},
};
use serde_json::json;

use crate::{
    check::equal,
    namespace::{STORY, TestNamespace, pod_of},
};

pub async fn merge_patch(namespace: &TestNamespace) -> Result<()> {
    let before = namespace.cron_jobs.get(STORY).await?;
    let patch = Patch::Merge(json!({
        "metadata": {"annotations": {"note": "merged"}, "labels": {"draft": null}}
    }));
    let after = namespace
        .cron_jobs
        .patch(STORY, &PatchParams::default(), &patch)
        .await?;
    let annotations = BTreeMap::from([("note".into(), "merged".into())]);
    equal("annotations", after.annotations(), &annotations)?;
    equal("labels", after.labels(), &BTreeMap::new())?;
    equal("spec", after.spec, before.spec)
}

pub async fn strategic_patch(namespace: &TestNamespace) -> Result<()> {
    let patch = Patch::Strategic(json!({
        "spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": [
            {"name": "main", "image": "example.com/main:2"}
        ]}}}}}
    }));
    let after = namespace
        .cron_jobs
        .patch(STORY, &PatchParams::default(), &patch)
        .await?;
    let containers = &pod_of(&after).context("no pod")?.containers;
    let images = containers
        .iter()
        .map(|each| (each.name.as_str(), each.image.as_deref()))
        .collect();
    equal(
        "images",
        images,
        vec![
            ("main", Some("example.com/main:2")),
            ("sidecar", Some("example.com/sidecar:1")),
        ],
    )
}

pub async fn status(namespace: &TestNamespace) -> Result<()> {
    let before = namespace.cron_jobs.get(STORY).await?;
    let scheduled_at: Timestamp = "2026-01-01T00:00:00Z".parse()?;
    // The suspension goes along to /status and is not taken there.
    let patch = Patch::Merge(json!({
        "spec": {"suspend": true},
        "status": {"lastScheduleTime": Time(scheduled_at)}
    }));
    namespace
        .cron_jobs
        .patch_status(STORY, &PatchParams::default(), &patch)
        .await?;
    let after = namespace.cron_jobs.get(STORY).await?;
    equal(
        "lastScheduleTime",
        after.status.and_then(|status| status.last_schedule_time),
        Some(Time(scheduled_at)),
    )?;
    equal("spec", after.spec, before.spec)?;
    equal(
        "generation",
        after.metadata.generation,
        before.metadata.generation,
    )
}
