//! A list that is read in parts. What it lists stays until the collection is deleted.

use std::collections::BTreeSet;

use anyhow::Result;
use kube::{
    ResourceExt,
    api::{ListParams, PostParams},
};

use crate::{
    check::equal,
    namespace::{TestNamespace, cron_job, labelled},
};

pub const PARITY: &str = "parity";
pub const OBJECTS: usize = 25;
const LIMIT: u32 = 10;

pub async fn pages(namespace: &TestNamespace) -> Result<()> {
    let names: Vec<String> = (0..OBJECTS).map(|i| format!("page-{i:02}")).collect();
    for (i, name) in names.iter().enumerate() {
        let parity = if i % 2 == 0 { "even" } else { "odd" };
        let job = labelled(cron_job(name), PARITY, parity);
        namespace
            .cron_jobs
            .create(&PostParams::default(), &job)
            .await?;
    }

    let first = ListParams::default().labels(PARITY).limit(LIMIT);
    let (mut sizes, mut seen, mut versions) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut params = first.clone();
    loop {
        let page = namespace.cron_jobs.list(&params).await?;
        sizes.push(page.items.len());
        seen.extend(page.items.iter().map(ResourceExt::name_any));
        versions.insert(page.metadata.resource_version);
        match page.metadata.continue_.as_deref() {
            None | Some("") => break,
            Some(next) => params = first.clone().continue_token(next),
        }
    }
    equal("sizes of the pages", sizes, vec![10, 10, 5])?;
    equal("names in the pages", seen, names)?;
    equal("resourceVersions of the pages", versions.len(), 1)
}
