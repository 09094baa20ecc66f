package coxswain.story;

import static coxswain.story.TestNamespace.STORY;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.stream.Collectors;

/** Parts of an object change, the rest stays. */
final class Patches {
  private static final String SCHEDULED_AT = "2026-01-01T00:00:00Z";

  private Patches() {}

  static void mergePatch(TestNamespace namespace) {
    CronJob before = namespace.cronJobs().withName(STORY).require();
    CronJob after =
        namespace
            .cronJobs()
            .withName(STORY)
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                """
                {"metadata": {"annotations": {"note": "merged"}, "labels": {"draft": null}}}
                """);
    Check.equal(Map.of("note", "merged"), after.getMetadata().getAnnotations(), "annotations");
    Check.equal(Map.of(), after.getMetadata().getLabels(), "labels");
    Check.equal(before.getSpec(), after.getSpec(), "spec");
  }

  static void strategicPatch(TestNamespace namespace) {
    CronJob after =
        namespace
            .cronJobs()
            .withName(STORY)
            .patch(
                PatchContext.of(PatchType.STRATEGIC_MERGE),
                """
                {"spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": [
                  {"name": "main", "image": "example.com/main:2"}
                ]}}}}}}
                """);
    Map<String, String> images =
        Writes.podOf(after).getContainers().stream()
            .collect(Collectors.toMap(Container::getName, Container::getImage));
    Check.equal(
        Map.of("main", "example.com/main:2", "sidecar", "example.com/sidecar:1"), images, "images");
  }

  static void status(TestNamespace namespace) {
    CronJob before = namespace.cronJobs().withName(STORY).require();
    // The suspension goes along to /status and is not taken there.
    namespace
        .cronJobs()
        .withName(STORY)
        .editStatus(
            job ->
                new CronJobBuilder(job)
                    .editSpec()
                    .withSuspend(true)
                    .endSpec()
                    .withNewStatus()
                    .withLastScheduleTime(SCHEDULED_AT)
                    .endStatus()
                    .build());
    CronJob after = namespace.cronJobs().withName(STORY).require();
    Check.equal(SCHEDULED_AT, after.getStatus().getLastScheduleTime(), "lastScheduleTime");
    Check.equal(before.getSpec(), after.getSpec(), "spec");
    Check.equal(
        before.getMetadata().getGeneration(), after.getMetadata().getGeneration(), "generation");
  }
}
