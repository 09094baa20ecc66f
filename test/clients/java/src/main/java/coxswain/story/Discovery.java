package coxswain.story;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Set;

/** What the server says that it serves. */
final class Discovery {
  private Discovery() {}

  static void discover(TestNamespace namespace) {
    KubernetesClient client = namespace.client();
    List<String> batchVersions =
        client.getApiGroups().getGroups().stream()
            .filter(group -> group.getName().equals("batch"))
            .flatMap(group -> group.getVersions().stream())
            .map(GroupVersionForDiscovery::getGroupVersion)
            .toList();
    Check.equal(List.of("batch/v1"), batchVersions, "versions of the group batch");
    Check.equal(
        "batch/v1",
        client.getApiGroup("batch").getPreferredVersion().getGroupVersion(),
        "preferred version of batch");

    APIResource cronJobs =
        client.getApiResources("batch/v1").getResources().stream()
            .filter(resource -> resource.getName().equals("cronjobs"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("batch/v1 has no cronjobs"));
    Check.equal("CronJob", cronJobs.getKind(), "kind of cronjobs");
    Check.that(cronJobs.getNamespaced(), "cronjobs are namespaced");
    Check.equal(
        Set.of(
            "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"),
        Set.copyOf(cronJobs.getVerbs()),
        "verbs of cronjobs");

    Check.that(client.supports(CronJob.class), "the client finds that CronJob is supported");
    Check.that(!client.supports("batch/v1", "Nothing"), "and that a kind Nothing is not");
  }
}
