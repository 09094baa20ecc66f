from datetime import datetime, timezone

from kubernetes import client

from shared import NAME, Story, check_equal


def events(story: Story) -> None:
    """The client has no recorder, so the typed API has to do."""

    def record(name: str) -> client.EventsV1Event:
        event = client.EventsV1Event(
            metadata=client.V1ObjectMeta(generate_name=f"{name}-"),
            event_time=datetime.now(timezone.utc),
            type="Normal",
            reason="Told",
            action="Tell",
            note=f"what happened to {name}",
            reporting_controller="example.com/story",
            reporting_instance="story-0",
            regarding=client.V1ObjectReference(api_version="batch/v1", kind="CronJob", namespace=story.namespace, name=name),
        )
        return story.events.create_namespaced_event(story.namespace, event)

    recorded = record(NAME)
    record("another")
    listed = story.events.list_namespaced_event(story.namespace, field_selector=f"regarding.name={NAME},reason=Told")
    check_equal([(event.metadata.name, event.note) for event in listed.items], [(recorded.metadata.name, recorded.note)])
    story.events.delete_collection_namespaced_event(story.namespace)
    check_equal(story.events.list_namespaced_event(story.namespace).items, [])
