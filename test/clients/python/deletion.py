from datetime import datetime

from shared import NAME, Story, check_equal, cron_job, names_of, refused


def finalizer(story: Story) -> None:
    name = "held"
    story.batch.create_namespaced_cron_job(story.namespace, cron_job(name, finalizers=["example.com/cleanup"]))
    story.batch.delete_namespaced_cron_job(name, story.namespace)
    held = story.batch.read_namespaced_cron_job(name, story.namespace)
    check_equal(isinstance(held.metadata.deletion_timestamp, datetime), True)
    held.metadata.finalizers = []
    story.batch.replace_namespaced_cron_job(name, story.namespace, held)
    with refused(404, "NotFound"):
        story.batch.read_namespaced_cron_job(name, story.namespace)


def delete_collection(story: Story) -> None:
    def names() -> list[str]:
        return names_of(story.batch.list_namespaced_cron_job(story.namespace))

    story.batch.delete_collection_namespaced_cron_job(story.namespace, label_selector="set=pages")
    check_equal(names(), [NAME])
    story.batch.delete_collection_namespaced_cron_job(story.namespace)
    check_equal(names(), [])
