from concurrent.futures import ThreadPoolExecutor
from queue import Queue

from kubernetes import client, watch
from kubernetes.informer import ADDED, DELETED, MODIFIED, SharedInformer

from shared import Story, check_equal, cron_job, names_of

DEADLINE_SECONDS = 10


def watch_from(story: Story, resource_version: str, count: int) -> tuple[list[str], str]:
    """Watches until `count` events have come. They are `ADDED one`, and where the watch has got to."""
    watching = watch.Watch()
    seen: list[str] = []
    listing = story.batch.list_namespaced_cron_job
    for event in watching.stream(
        listing, story.namespace, resource_version=resource_version, allow_watch_bookmarks=True, timeout_seconds=DEADLINE_SECONDS
    ):
        if event["type"] == "BOOKMARK":
            continue
        seen.append(f"{event['type']} {event['object'].metadata.name}")
        if len(seen) == count:
            watching.stop()
    return seen, watching.resource_version


def suspend(story: Story, name: str) -> client.V1CronJob:
    return story.batch.patch_namespaced_cron_job(name, story.namespace, {"spec": {"suspend": True}})


def watch_resume(story: Story) -> None:
    start = story.batch.list_namespaced_cron_job(story.namespace).metadata.resource_version
    with ThreadPoolExecutor() as pool:
        first = pool.submit(watch_from, story, start, 3)
        story.batch.create_namespaced_cron_job(story.namespace, cron_job("watched"))
        suspend(story, "watched")
        story.batch.delete_namespaced_cron_job("watched", story.namespace)
        seen, resource_version = first.result()
    check_equal(seen, ["ADDED watched", "MODIFIED watched", "DELETED watched"])

    story.batch.create_namespaced_cron_job(story.namespace, cron_job("missed"))
    story.batch.delete_namespaced_cron_job("missed", story.namespace)
    check_equal(watch_from(story, resource_version, 2)[0], ["ADDED missed", "DELETED missed"])


def informer(story: Story) -> None:
    at_start = names_of(story.batch.list_namespaced_cron_job(story.namespace))
    followed = SharedInformer(story.batch.list_namespaced_cron_job, namespace=story.namespace)
    heard: Queue[str] = Queue()
    for event_type in (ADDED, MODIFIED, DELETED):
        followed.add_event_handler(event_type, lambda job, event_type=event_type: heard.put(f"{event_type} {job.metadata.name}"))

    def hears(what: str) -> None:
        check_equal(heard.get(timeout=DEADLINE_SECONDS), what)

    def cached_names() -> list[str]:
        return sorted(job.metadata.name for job in followed.cache.list())

    followed.start()
    try:
        for name in at_start:
            hears(f"ADDED {name}")
        check_equal(cached_names(), at_start)
        story.batch.create_namespaced_cron_job(story.namespace, cron_job("followed"))
        hears("ADDED followed")
        suspend(story, "followed")
        hears("MODIFIED followed")
        check_equal(followed.cache.get_by_key(f"{story.namespace}/followed").spec.suspend, True)
        story.batch.delete_namespaced_cron_job("followed", story.namespace)
        hears("DELETED followed")
        check_equal(cached_names(), at_start)
    finally:
        followed.stop()
