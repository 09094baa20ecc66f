//! Server-side apply: fields have managers.

use anyhow::{Context, Result};
use k8s_openapi::api::batch::v1::CronJob;
use kube::{
    ResourceExt,
    api::{DeleteParams, Patch, PatchParams},
};

use crate::{
    check::{equal, refused},
    namespace::{TestNamespace, cron_job, scheduled},
};

const NAME: &str = "applied";

pub async fn apply(namespace: &TestNamespace) -> Result<()> {
    let jobs = &namespace.cron_jobs;
    let first = jobs
        .patch(
            NAME,
            &PatchParams::apply("first"),
            &Patch::Apply(cron_job(NAME)),
        )
        .await?;
    equal(
        "managers of the schedule",
        managers_of_schedule(&first),
        vec!["first"],
    )?;

    let other = Patch::Apply(scheduled(cron_job(NAME), "0 1 * * *"));
    let second = PatchParams::apply("second");
    let refusal = refused(jobs.patch(NAME, &second, &other).await, 409, "Conflict")?;
    let details = refusal.details.context("the refusal has no details")?;
    let fields = details
        .causes
        .iter()
        .map(|cause| cause.field.as_str())
        .collect();
    equal("fields in conflict", fields, vec![".spec.schedule"])?;

    let taken = jobs.patch(NAME, &second.force(), &other).await?;
    equal(
        "managers after the force",
        managers_of_schedule(&taken),
        vec!["second"],
    )?;
    equal("schedule", taken.spec.schedule.as_str(), "0 1 * * *")?;

    jobs.delete(NAME, &DeleteParams::default()).await?;
    Ok(())
}

fn managers_of_schedule(job: &CronJob) -> Vec<&str> {
    job.managed_fields()
        .iter()
        .filter(|entry| entry.operation.as_deref() == Some("Apply"))
        .filter(|entry| {
            let fields = entry.fields_v1.as_ref();
            fields.is_some_and(|fields| fields.0.pointer("/f:spec/f:schedule").is_some())
        })
        .filter_map(|entry| entry.manager.as_deref())
        .collect()
}
