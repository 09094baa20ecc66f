from datetime import datetime

from shared import NAME, Story, check_equal, cron_job, images_of, names_of, refused


def create(story: Story) -> None:
    job = cron_job(NAME, labels={"app": "reports"})
    created = story.batch.create_namespaced_cron_job(story.namespace, job)
    check_equal(isinstance(created.metadata.creation_timestamp, datetime), True)
    check_equal((created.spec.concurrency_policy, created.spec.suspend), ("Allow", False))
    check_equal(created.spec.job_template.spec.template.spec.termination_grace_period_seconds, 30)
    with refused(409, "AlreadyExists"):
        story.batch.create_namespaced_cron_job(story.namespace, job)


def get(story: Story) -> None:
    read = story.batch.read_namespaced_cron_job(NAME, story.namespace)
    sent = cron_job(NAME, labels={"app": "reports"})
    check_equal((read.metadata.name, read.metadata.namespace, read.metadata.labels), (NAME, story.namespace, sent.metadata.labels))
    check_equal((read.spec.schedule, images_of(read)), (sent.spec.schedule, images_of(sent)))
    listed = story.batch.list_namespaced_cron_job(story.namespace, field_selector=f"metadata.name={NAME}")
    check_equal(names_of(listed), [NAME])
    check_equal((listed.items[0].metadata, listed.items[0].spec), (read.metadata, read.spec))
    with refused(404, "NotFound"):
        story.batch.read_namespaced_cron_job("no-such", story.namespace)


def update_conflict(story: Story) -> None:
    before = story.batch.read_namespaced_cron_job(NAME, story.namespace)
    late = story.batch.read_namespaced_cron_job(NAME, story.namespace)
    before.spec.suspend = True
    updated = story.batch.replace_namespaced_cron_job(NAME, story.namespace, before)
    check_equal(updated.spec.suspend, True)
    late.spec.schedule = "0 3 * * *"
    with refused(409, "Conflict"):
        story.batch.replace_namespaced_cron_job(NAME, story.namespace, late)
    updated.spec.schedule = "0 3 * * *"
    stored = story.batch.replace_namespaced_cron_job(NAME, story.namespace, updated)
    check_equal((stored.spec.schedule, stored.spec.suspend, stored.metadata.generation), ("0 3 * * *", True, 3))
