package coxswain.story;

import static coxswain.story.TestNamespace.STORY;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobSpec;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;

/** An object is made, read back and updated. */
final class Writes {
  private Writes() {}

  static void create(TestNamespace namespace) {
    CronJob wanted =
        namespace
            .cronJob(STORY)
            .editMetadata()
            .addToLabels("draft", "yes")
            .endMetadata()
            .build();
    CronJob created = namespace.cronJobs().resource(wanted).create();
    Check.equal(1L, created.getMetadata().getGeneration(), "generation");
    Check.that(created.getMetadata().getUid() != null, "the object has a uid");
    Check.that(created.getMetadata().getCreationTimestamp() != null, "and a creationTimestamp");

    CronJobSpec spec = created.getSpec();
    Check.equal("Allow", spec.getConcurrencyPolicy(), "default of concurrencyPolicy");
    Check.equal(false, spec.getSuspend(), "default of suspend");
    Check.equal(3, spec.getSuccessfulJobsHistoryLimit(), "default of successfulJobsHistoryLimit");
    PodSpec pod = podOf(created);
    Check.equal("ClusterFirst", pod.getDnsPolicy(), "default of dnsPolicy");
    Check.equal(
        "IfNotPresent",
        pod.getContainers().get(0).getImagePullPolicy(),
        "default of imagePullPolicy");

    Check.refused(409, "AlreadyExists", () -> namespace.cronJobs().resource(wanted).create());
  }

  static void get(TestNamespace namespace) {
    CronJob first = namespace.cronJobs().withName(STORY).require();
    CronJob second = namespace.client().resource(namespace.cronJob(STORY).build()).get();
    Check.equal(first, second, "the object, read twice");
    Check.equal(
        List.of("main", "sidecar"),
        podOf(first).getContainers().stream().map(Container::getName).toList(),
        "containers");

    Resource<CronJob> missing = namespace.cronJobs().withName("missing");
    Check.equal(null, missing.get(), "what is missing");
    Check.refused(
        404, "NotFound", () -> missing.patch(PatchContext.of(PatchType.JSON_MERGE), "{}"));
  }

  static void updateConflict(TestNamespace namespace) {
    CronJob stale = namespace.cronJobs().withName(STORY).require();
    CronJob fresh = namespace.cronJobs().resource(scheduled(stale, "*/10 * * * *")).update();
    Check.equal(2L, fresh.getMetadata().getGeneration(), "generation after an update");

    CronJob late = scheduled(stale, "*/15 * * * *");
    Check.refused(409, "Conflict", () -> namespace.cronJobs().resource(late).update());

    namespace.cronJobs().resource(scheduled(fresh, "*/20 * * * *")).update();
    CronJob stored = namespace.cronJobs().withName(STORY).require();
    Check.equal("*/20 * * * *", stored.getSpec().getSchedule(), "schedule");
    Check.equal(3L, stored.getMetadata().getGeneration(), "generation after two updates");
  }

  private static CronJob scheduled(CronJob job, String schedule) {
    return new CronJobBuilder(job).editSpec().withSchedule(schedule).endSpec().build();
  }

  static PodSpec podOf(CronJob job) {
    return job.getSpec().getJobTemplate().getSpec().getTemplate().getSpec();
  }
}
