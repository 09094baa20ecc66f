"""What the steps share: the clients, a cron job, refusals, and checks that say what differs."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kubernetes import client, config
from kubernetes.dynamic import DynamicClient

NAME = "nightly"
"""The cron job that lives from `create` to `delete-collection`."""


@dataclass(frozen=True)
class Story:
    namespace: str
    """Ours alone; empty at the start and at the end."""
    batch: client.BatchV1Api
    events: client.EventsV1Api
    apis: client.ApisApi
    dynamic: DynamicClient


def open_story() -> Story:
    config.load_kube_config()  # KUBECONFIG
    return Story(
        namespace=os.environ["COXSWAIN_NAMESPACE"],
        batch=client.BatchV1Api(),
        events=client.EventsV1Api(),
        apis=client.ApisApi(),
        dynamic=DynamicClient(client.ApiClient()),
    )


def cron_job(name: str, labels: dict[str, str] | None = None, finalizers: list[str] | None = None) -> client.V1CronJob:
    containers = [
        client.V1Container(name="report", image="registry.example.com/report:1.0"),
        client.V1Container(name="upload", image="registry.example.com/upload:1.0"),
    ]
    pod = client.V1PodTemplateSpec(spec=client.V1PodSpec(restart_policy="Never", containers=containers))
    return client.V1CronJob(
        api_version="batch/v1",
        kind="CronJob",
        metadata=client.V1ObjectMeta(name=name, labels=labels, finalizers=finalizers),
        spec=client.V1CronJobSpec(
            schedule="15 2 * * *",
            job_template=client.V1JobTemplateSpec(spec=client.V1JobSpec(template=pod)),
        ),
    )


def images_of(job: client.V1CronJob) -> dict[str, str]:
    return {container.name: container.image for container in job.spec.job_template.spec.template.spec.containers}


def names_of(listed: client.V1CronJobList) -> list[str]:
    return [item.metadata.name for item in listed.items]


def check_equal(actual: Any, expected: Any) -> None:
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


@contextmanager
def refused(status: int, reason: str) -> Iterator[None]:
    """What is inside must be refused with this code, and with a Status of this reason."""
    try:
        yield
    except client.ApiException as error:
        check_equal((error.status, json.loads(error.body)["reason"]), (status, reason))
    else:
        raise AssertionError(f"was not refused with {status} {reason}")
