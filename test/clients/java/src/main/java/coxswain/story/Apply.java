package coxswain.story;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Server-side apply: fields have managers. */
final class Apply {
  private static final String NAME = "applied";

  private Apply() {}

  static void apply(TestNamespace namespace) {
    CronJob wanted = namespace.cronJob(NAME).build();
    namespace.cronJobs().resource(wanted).fieldManager("first").serverSideApply();
    Check.equal(Set.of("first"), managersOfSchedule(namespace), "managers of the schedule");

    CronJob other =
        namespace.cronJob(NAME).editSpec().withSchedule("0 1 * * *").endSpec().build();
    Resource<CronJob> second = namespace.cronJobs().resource(other);
    KubernetesClientException refusal =
        Check.refused(409, "Conflict", () -> second.fieldManager("second").serverSideApply());
    List<String> fields =
        refusal.getStatus().getDetails().getCauses().stream().map(StatusCause::getField).toList();
    Check.equal(List.of(".spec.schedule"), fields, "fields in conflict");

    CronJob taken = second.fieldManager("second").forceConflicts().serverSideApply();
    Check.equal("0 1 * * *", taken.getSpec().getSchedule(), "schedule");
    Check.equal(Set.of("second"), managersOfSchedule(namespace), "managers after the force");

    namespace.cronJobs().withName(NAME).delete();
  }

  private static Set<String> managersOfSchedule(TestNamespace namespace) {
    return namespace.cronJobs().withName(NAME).require().getMetadata().getManagedFields().stream()
        .filter(entry -> entry.getOperation().equals("Apply") && ownsSchedule(entry))
        .map(ManagedFieldsEntry::getManager)
        .collect(Collectors.toSet());
  }

  private static boolean ownsSchedule(ManagedFieldsEntry entry) {
    Object spec = entry.getFieldsV1().getAdditionalProperties().get("f:spec");
    return spec instanceof Map<?, ?> fields && fields.containsKey("f:schedule");
  }
}
