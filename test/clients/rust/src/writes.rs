//! An object is made, read back and updated.

use anyhow::{Context, Result, ensure};
use k8s_openapi::api::batch::v1::CronJob;
use kube::api::PostParams;

use crate::{
    check::{equal, refused},
    namespace::{STORY, TestNamespace, cron_job, labelled, pod_of, scheduled},
};

pub async fn create(namespace: &TestNamespace) -> Result<()> {
    let wanted = labelled(cron_job(STORY), "draft", "yes");
    let params = PostParams::default();
    let created = namespace.cron_jobs.create(&params, &wanted).await?;
    ensure!(created.metadata.uid.is_some(), "no uid");
    ensure!(
        created.metadata.creation_timestamp.is_some(),
        "no creationTimestamp"
    );
    equal("generation", created.metadata.generation, Some(1))?;

    let spec = &created.spec;
    equal(
        "default of concurrencyPolicy",
        spec.concurrency_policy.as_deref(),
        Some("Allow"),
    )?;
    equal("default of suspend", spec.suspend, Some(false))?;
    equal(
        "default of successfulJobsHistoryLimit",
        spec.successful_jobs_history_limit,
        Some(3),
    )?;
    let pod = pod_of(&created).context("no pod")?;
    equal(
        "default of dnsPolicy",
        pod.dns_policy.as_deref(),
        Some("ClusterFirst"),
    )?;
    equal(
        "default of imagePullPolicy",
        pod.containers[0].image_pull_policy.as_deref(),
        Some("IfNotPresent"),
    )?;

    let again = namespace.cron_jobs.create(&params, &wanted).await;
    refused(again, 409, "AlreadyExists")?;
    Ok(())
}

pub async fn get(namespace: &TestNamespace) -> Result<()> {
    let job = namespace.cron_jobs.get(STORY).await?;
    let again = namespace.cron_jobs.get_status(STORY).await?;
    equal("the object, read twice", &job, &again)?;
    let containers = &pod_of(&job).context("no pod")?.containers;
    let names = containers.iter().map(|each| each.name.as_str()).collect();
    equal("containers", names, vec!["main", "sidecar"])?;

    refused(namespace.cron_jobs.get("missing").await, 404, "NotFound")?;
    equal(
        "what is missing",
        namespace.cron_jobs.get_opt("missing").await?,
        None,
    )
}

pub async fn update_conflict(namespace: &TestNamespace) -> Result<()> {
    let stale = namespace.cron_jobs.get(STORY).await?;
    let fresh = replace(namespace, scheduled(stale.clone(), "*/10 * * * *")).await?;
    equal(
        "generation after an update",
        fresh.metadata.generation,
        Some(2),
    )?;

    let late = replace(namespace, scheduled(stale, "*/15 * * * *")).await;
    refused(late, 409, "Conflict")?;

    replace(namespace, scheduled(fresh, "*/20 * * * *")).await?;
    let stored = namespace.cron_jobs.get(STORY).await?;
    equal(
        "generation after two updates",
        stored.metadata.generation,
        Some(3),
    )?;
    equal("schedule", stored.spec.schedule.as_str(), "*/20 * * * *")
}

async fn replace(namespace: &TestNamespace, job: CronJob) -> kube::Result<CronJob> {
    namespace
        .cron_jobs
        .replace(STORY, &PostParams::default(), &job)
        .await
}
