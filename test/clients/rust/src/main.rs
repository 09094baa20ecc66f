//! Tells the story of a CronJob with kube-rs, step by step; the first step that fails ends it with exit code 1.

mod apply;
mod check;
mod deletion;
mod discovery;
mod events;
mod namespace;
mod pages;
mod patches;
mod reflecting;
mod watching;
mod writes;

use std::{env, future::Future, process::ExitCode, time::Duration};

use anyhow::{Context, Result};
use kube::Client;
use namespace::TestNamespace;
use tokio::time::timeout;

/// Far more than a step takes; a step that waits for what never comes ends here.
const STEP_DEADLINE: Duration = Duration::from_secs(60);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match tell().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure:#}");
            ExitCode::FAILURE
        }
    }
}

async fn tell() -> Result<()> {
    // The client reads KUBECONFIG by itself.
    let client = Client::try_default().await?;
    let namespace = &TestNamespace::new(client, env::var("COXSWAIN_NAMESPACE")?);
    step("discover", discovery::discover(namespace)).await?;
    step("create", writes::create(namespace)).await?;
    step("get", writes::get(namespace)).await?;
    step("update-conflict", writes::update_conflict(namespace)).await?;
    step("merge-patch", patches::merge_patch(namespace)).await?;
    step("strategic-patch", patches::strategic_patch(namespace)).await?;
    step("apply", apply::apply(namespace)).await?;
    step("status", patches::status(namespace)).await?;
    step("pages", pages::pages(namespace)).await?;
    step("watch-resume", watching::watch_resume(namespace)).await?;
    step("informer", reflecting::informer(namespace)).await?;
    step("finalizer", deletion::finalizer(namespace)).await?;
    step("delete-collection", deletion::delete_collection(namespace)).await?;
    step("events", events::events(namespace)).await
}

async fn step(name: &str, work: impl Future<Output = Result<()>>) -> Result<()> {
    timeout(STEP_DEADLINE, work)
        .await
        .context("not done in time")
        .and_then(|outcome| outcome)
        .with_context(|| format!("failed {name}"))?;
    println!("ok {name}");
    Ok(())
}
