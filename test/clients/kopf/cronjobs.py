"""An operator for cron jobs. What its handlers saw stands in annotations and Events."""

from typing import Any

import kopf


@kopf.on.create("batch", "v1", "cronjobs")
def created(body: kopf.Body, spec: kopf.Spec, patch: kopf.Patch, **_: Any) -> None:
    patch.metadata.annotations["example.com/created"] = spec["schedule"]
    kopf.info(body, reason="Created", message=f"runs at {spec['schedule']}")


@kopf.on.update("batch", "v1", "cronjobs", field="spec.schedule")
def updated(old: str, new: str, patch: kopf.Patch, **_: Any) -> None:
    patch.metadata.annotations["example.com/updated"] = f"{old} to {new}"


@kopf.timer("batch", "v1", "cronjobs", interval=0.5)
def ticked(meta: kopf.Meta, patch: kopf.Patch, **_: Any) -> None:
    patch.metadata.annotations["example.com/ticks"] = str(int(meta.annotations.get("example.com/ticks", "0")) + 1)


@kopf.on.delete("batch", "v1", "cronjobs")
def deleted(body: kopf.Body, **_: Any) -> None:
    kopf.warn(body, reason="Deleted", message="runs no more")
