//! A watch is stopped and resumed where it was.

use anyhow::{Context, Result, bail};
use futures::{Stream, StreamExt, TryStreamExt};
use k8s_openapi::api::batch::v1::CronJob;
use kube::{
    ResourceExt,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams},
};
use serde_json::json;

use crate::{
    check::equal,
    namespace::{TestNamespace, cron_job},
};

pub async fn watch_resume(namespace: &TestNamespace) -> Result<()> {
    let list = namespace.cron_jobs.list(&ListParams::default()).await?;
    let start = list.metadata.resource_version.context("no version")?;
    let mut watch = watch_from(namespace, &start).await?.boxed();
    live_and_die(namespace, "watched").await?;
    expect(&mut watch, "ADDED", "watched").await?;
    expect(&mut watch, "MODIFIED", "watched").await?;
    let last = expect(&mut watch, "DELETED", "watched").await?;
    drop(watch);

    live_and_die(namespace, "unwatched").await?;

    let mut watch = watch_from(namespace, &last).await?.boxed();
    expect(&mut watch, "ADDED", "unwatched").await?;
    expect(&mut watch, "MODIFIED", "unwatched").await?;
    expect(&mut watch, "DELETED", "unwatched").await?;
    // What comes next is new, so that there was nothing else.
    live_and_die(namespace, "resumed").await?;
    expect(&mut watch, "ADDED", "resumed").await?;
    Ok(())
}

async fn watch_from(
    namespace: &TestNamespace,
    version: &str,
) -> Result<impl Stream<Item = kube::Result<WatchEvent<CronJob>>>> {
    let params = WatchParams::default();
    Ok(namespace.cron_jobs.watch(&params, version).await?)
}

async fn live_and_die(namespace: &TestNamespace, name: &str) -> Result<()> {
    let jobs = &namespace.cron_jobs;
    jobs.create(&PostParams::default(), &cron_job(name)).await?;
    let suspension = Patch::Merge(json!({"spec": {"suspend": true}}));
    jobs.patch(name, &PatchParams::default(), &suspension)
        .await?;
    jobs.delete(name, &DeleteParams::default()).await?;
    Ok(())
}

/// Waits for the next event but bookmarks, which must be this one; its resourceVersion.
async fn expect<S>(watch: &mut S, kind: &str, name: &str) -> Result<String>
where
    S: Stream<Item = kube::Result<WatchEvent<CronJob>>> + Unpin,
{
    loop {
        let event = watch.try_next().await?.context("the watch has ended")?;
        let (seen, job) = match event {
            WatchEvent::Added(job) => ("ADDED", job),
            WatchEvent::Modified(job) => ("MODIFIED", job),
            WatchEvent::Deleted(job) => ("DELETED", job),
            WatchEvent::Bookmark(_) => continue,
            WatchEvent::Error(status) => bail!("the watch failed: {status}"),
        };
        equal("event", (seen, job.name_any().as_str()), (kind, name))?;
        return job.resource_version().context("no resourceVersion");
    }
}
