//! What happened to an object, recorded of it.

use anyhow::{Context, Result};
use k8s_openapi::api::events::v1::Event;
use kube::{
    Api, Resource,
    api::{DeleteParams, ListParams, ObjectMeta},
    runtime::events::{self, EventType, Recorder, Reporter},
};

use crate::{
    check::equal,
    namespace::{STORY, TestNamespace, cron_job},
};

pub async fn events(namespace: &TestNamespace) -> Result<()> {
    let reporter = Reporter {
        controller: "example.com/story".into(),
        instance: Some("story-1".into()),
    };
    let recorder = Recorder::new(namespace.client.clone(), reporter);
    record(&recorder, namespace, STORY).await?;
    record(&recorder, namespace, "another").await?;
    // What happens again becomes a series of the same Event.
    record(&recorder, namespace, STORY).await?;

    let events: Api<Event> = Api::namespaced(namespace.client.clone(), &namespace.name);
    let of_story = ListParams::default().fields(&format!("regarding.name={STORY}"));
    let found = events.list(&of_story).await?.items;
    equal("events of the object", found.len(), 1)?;
    let event = &found[0];
    equal("reason", event.reason.as_deref(), Some("Told"))?;
    equal("note", event.note.as_deref(), Some("The story was told"))?;
    let series = event.series.as_ref().context("no series")?;
    equal("count of the series", series.count, 2)?;

    let all = ListParams::default();
    equal("events", events.list(&all).await?.items.len(), 2)?;
    events
        .delete_collection(&DeleteParams::default(), &all)
        .await?;
    equal(
        "events that are left",
        events.list(&all).await?.items,
        vec![],
    )
}

async fn record(recorder: &Recorder, namespace: &TestNamespace, name: &str) -> Result<()> {
    let mut job = cron_job(name);
    job.metadata = ObjectMeta {
        namespace: Some(namespace.name.clone()),
        ..job.metadata
    };
    let event = events::Event {
        type_: EventType::Normal,
        reason: "Told".into(),
        note: Some("The story was told".into()),
        action: "Telling".into(),
        secondary: None,
    };
    Ok(recorder.publish(&event, &job.object_ref(&())).await?)
}
