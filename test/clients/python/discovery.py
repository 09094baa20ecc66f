from kubernetes.dynamic.exceptions import ResourceNotFoundError

from shared import Story, check_equal


def discover(story: Story) -> None:
    """The groups, the resources of one, and the dynamic client's own discovery."""
    versions = {group.name: [version.group_version for version in group.versions] for group in story.apis.get_api_versions().groups}
    check_equal(versions["batch"], ["batch/v1"])

    resources = {resource.name: resource for resource in story.batch.get_api_resources().resources}
    check_equal((resources["cronjobs"].kind, resources["cronjobs"].namespaced), ("CronJob", True))
    check_equal("cronjobs/status" in resources, True)

    found = story.dynamic.resources.get(api_version="batch/v1", kind="CronJob")
    check_equal((found.name, found.namespaced, found.subresources["status"].name), ("cronjobs", True, "cronjobs/status"))
    wanted = {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
    check_equal(wanted - set(found.verbs), set())
    try:
        story.dynamic.resources.get(api_version="batch/v1", kind="NoSuchKind")
    except ResourceNotFoundError:
        pass
    else:
        raise AssertionError("found a kind that does not exist")
