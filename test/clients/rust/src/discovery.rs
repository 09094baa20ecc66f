//! What the server says that it serves.

use anyhow::{Context, Result, ensure};
use kube::{
    api::GroupVersionKind,
    discovery::{Discovery, Scope, verbs},
};

use crate::{check::equal, namespace::TestNamespace};

pub async fn discover(namespace: &TestNamespace) -> Result<()> {
    let plain = Discovery::new(namespace.client.clone()).run().await?;
    let aggregated = Discovery::new(namespace.client.clone())
        .run_aggregated()
        .await?;
    for discovery in [&plain, &aggregated] {
        let batch = discovery.get("batch").context("no group batch")?;
        equal("versions", batch.versions().collect(), vec!["v1"])?;
        let kind = GroupVersionKind::gvk("batch", "v1", "CronJob");
        let (resource, capabilities) = discovery.resolve_gvk(&kind).context("no CronJob")?;
        equal("plural", resource.plural.as_str(), "cronjobs")?;
        ensure!(capabilities.scope == Scope::Namespaced, "not namespaced");
        for verb in [verbs::CREATE, verbs::WATCH, verbs::DELETE_COLLECTION] {
            ensure!(capabilities.supports_operation(verb), "no verb {verb}");
        }
        let subresources = capabilities
            .subresources
            .iter()
            .map(|(resource, _)| resource.plural.as_str())
            .collect();
        equal("subresources", subresources, vec!["status"])?;
    }
    equal("groups", names_of(&plain), names_of(&aggregated))
}

fn names_of(discovery: &Discovery) -> Vec<&str> {
    discovery
        .groups_alphabetical()
        .iter()
        .map(|group| group.name())
        .collect()
}
