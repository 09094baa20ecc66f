//! A reflector keeps a copy of what the server has.

use std::pin::pin;

use anyhow::{Context, Result};
use futures::{Stream, TryStreamExt};
use k8s_openapi::api::batch::v1::CronJob;
use kube::{
    ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
    runtime::{
        WatchStreamExt,
        reflector::{self, ObjectRef, Store},
        watcher::{self, watcher},
    },
};
use serde_json::json;

use crate::{
    check::equal,
    namespace::{TestNamespace, cron_job},
};

const NAME: &str = "reflected";

pub async fn informer(namespace: &TestNamespace) -> Result<()> {
    let jobs = &namespace.cron_jobs;
    let (store, writer) = reflector::store();
    // What the stream yields is in the store already.
    let mut changes = pin!(watcher(jobs.clone(), watcher::Config::default()).reflect(writer));
    while next(&mut changes).await? != Change::InitialListDone {}
    let listed = jobs.list(&ListParams::default()).await?.items;
    equal("objects at the start", store.len(), listed.len())?;
    for job in &listed {
        equal("object at the start", found(&store, job), Some(job.clone()))?;
    }

    let created = jobs.create(&PostParams::default(), &cron_job(NAME)).await?;
    equal("change", next(&mut changes).await?, Change::applied())?;
    equal(
        "the created object",
        found(&store, &created),
        Some(created.clone()),
    )?;

    let suspension = Patch::Merge(json!({"spec": {"suspend": true}}));
    let updated = jobs
        .patch(NAME, &PatchParams::default(), &suspension)
        .await?;
    equal("change", next(&mut changes).await?, Change::applied())?;
    equal(
        "the updated object",
        found(&store, &updated),
        Some(updated.clone()),
    )?;

    jobs.delete(NAME, &DeleteParams::default()).await?;
    equal(
        "change",
        next(&mut changes).await?,
        Change::Deleted(NAME.into()),
    )?;
    equal("the deleted object", found(&store, &updated), None)
}

fn found(store: &Store<CronJob>, job: &CronJob) -> Option<CronJob> {
    let job = store.get(&ObjectRef::from_obj(job))?;
    Some((*job).clone())
}

#[derive(Debug, PartialEq)]
enum Change {
    InitialList,
    InitialListDone,
    Applied(String),
    Deleted(String),
}

impl Change {
    fn applied() -> Self {
        Self::Applied(NAME.into())
    }
}

async fn next<S>(changes: &mut S) -> Result<Change>
where
    S: Stream<Item = Result<watcher::Event<CronJob>, watcher::Error>> + Unpin,
{
    let event = changes.try_next().await?.context("the watcher has ended")?;
    Ok(match event {
        watcher::Event::Init | watcher::Event::InitApply(_) => Change::InitialList,
        watcher::Event::InitDone => Change::InitialListDone,
        watcher::Event::Apply(job) => Change::Applied(job.name_any()),
        watcher::Event::Delete(job) => Change::Deleted(job.name_any()),
    })
}
