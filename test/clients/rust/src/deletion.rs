//! Objects go: one that is held back, then all.

use anyhow::{Context, Result, ensure};
use k8s_openapi::api::batch::v1::CronJob;
use kube::{
    ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams},
};
use serde_json::json;

use crate::{
    check::equal,
    namespace::{STORY, TestNamespace},
    pages::{OBJECTS, PARITY},
};

const FINALIZER: &str = "example.com/hold";

pub async fn finalizer(namespace: &TestNamespace) -> Result<()> {
    let jobs = &namespace.cron_jobs;
    set_finalizers(namespace, &[FINALIZER]).await?;
    let answer = jobs.delete(STORY, &DeleteParams::default()).await?;
    let held = answer.left().context("the answer is not the object")?;
    ensure!(held.metadata.deletion_timestamp.is_some(), "not marked");
    equal("the object that is held", jobs.get(STORY).await?, held)?;

    set_finalizers(namespace, &[]).await?;
    equal("the object", jobs.get_opt(STORY).await?, None)
}

async fn set_finalizers(namespace: &TestNamespace, finalizers: &[&str]) -> Result<CronJob> {
    let patch = Patch::Merge(json!({"metadata": {"finalizers": finalizers}}));
    let params = PatchParams::default();
    Ok(namespace.cron_jobs.patch(STORY, &params, &patch).await?)
}

pub async fn delete_collection(namespace: &TestNamespace) -> Result<()> {
    let jobs = &namespace.cron_jobs;
    let all = ListParams::default();
    let even = all.clone().labels(&format!("{PARITY}=even"));
    jobs.delete_collection(&DeleteParams::default(), &even)
        .await?;
    let left = jobs.list(&all).await?.items;
    let parities = left.iter().map(|job| job.labels()[PARITY].as_str());
    equal("what is left", parities.collect(), vec!["odd"; OBJECTS / 2])?;

    jobs.delete_collection(&DeleteParams::default(), &all)
        .await?;
    equal("what is left at last", jobs.list(&all).await?.items, vec![])
}
