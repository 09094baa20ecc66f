from datetime import datetime, timezone
from typing import Any

from kubernetes import client

from shared import NAME, Story, check_equal, images_of, refused

MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"


def merge_patch(story: Story) -> None:
    patch = {"metadata": {"annotations": {"example.com/owner": "finance"}, "labels": {"app": None}}}
    patched = story.batch.patch_namespaced_cron_job(NAME, story.namespace, patch, _content_type=MERGE)
    check_equal(patched.metadata.annotations, {"example.com/owner": "finance"})
    check_equal(patched.metadata.labels, None)


def strategic_patch(story: Story) -> None:
    containers = [{"name": "report", "image": "registry.example.com/report:1.1"}]
    patch = {"spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": containers}}}}}}
    patched = story.batch.patch_namespaced_cron_job(NAME, story.namespace, patch, _content_type=STRATEGIC)
    check_equal(images_of(patched), {"report": "registry.example.com/report:1.1", "upload": "registry.example.com/upload:1.0"})


def apply(story: Story) -> None:
    """With the dynamic client, which has a method for it."""
    cron_jobs = story.dynamic.resources.get(api_version="batch/v1", kind="CronJob")

    def apply_as(manager: str, limit: int, force: bool) -> Any:
        intent = {
            "apiVersion": "batch/v1",
            "kind": "CronJob",
            "metadata": {"name": NAME, "namespace": story.namespace},
            "spec": {"successfulJobsHistoryLimit": limit},
        }
        return cron_jobs.server_side_apply(body=intent, field_manager=manager, force_conflicts=force)

    apply_as("first", 5, force=True)
    check_equal(appliers_of(read(story), "f:successfulJobsHistoryLimit"), ["first"])
    with refused(409, "Conflict"):
        apply_as("second", 7, force=False)
    check_equal(read(story).spec.successful_jobs_history_limit, 5)
    check_equal(apply_as("second", 7, force=True).spec.successfulJobsHistoryLimit, 7)
    check_equal(appliers_of(read(story), "f:successfulJobsHistoryLimit"), ["second"])


def read(story: Story) -> client.V1CronJob:
    return story.batch.read_namespaced_cron_job(NAME, story.namespace)


def appliers_of(job: client.V1CronJob, field: str) -> list[str]:
    """Who owns a field of the spec by having applied it."""
    entries = [entry for entry in job.metadata.managed_fields if entry.operation == "Apply"]
    return [entry.manager for entry in entries if field in entry.fields_v1.get("f:spec", {})]


def status(story: Story) -> None:
    before = read(story)
    changed = read(story)
    changed.spec.schedule = "0 4 * * *"
    changed.status = client.V1CronJobStatus(last_schedule_time=datetime(2026, 11, 20, 2, 15, tzinfo=timezone.utc))
    replaced = story.batch.replace_namespaced_cron_job_status(NAME, story.namespace, changed)
    check_equal(replaced.status.last_schedule_time, changed.status.last_schedule_time)
    check_equal(replaced.spec, before.spec)

    patch = {"status": {"lastSuccessfulTime": "2026-11-20T02:20:00Z"}, "spec": {"suspend": False}}
    patched = story.batch.patch_namespaced_cron_job_status(NAME, story.namespace, patch, _content_type=MERGE)
    check_equal(patched.status.last_schedule_time, changed.status.last_schedule_time)
    check_equal(patched.status.last_successful_time, datetime(2026, 11, 20, 2, 20, tzinfo=timezone.utc))
    check_equal(patched.spec, before.spec)
