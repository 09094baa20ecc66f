package coxswain.story;

import static coxswain.story.TestNamespace.STORY;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Collections;
import java.util.List;

/** Objects go: one that is held back, then all. */
final class Deletion {
  private static final String FINALIZER = "example.com/hold";

  private Deletion() {}

  static void finalizer(TestNamespace namespace) {
    Resource<CronJob> story = namespace.cronJobs().withName(STORY);
    story.edit(
        job -> job.edit().editMetadata().addToFinalizers(FINALIZER).endMetadata().build());
    story.delete();
    CronJob held = story.require();
    Check.that(held.getMetadata().getDeletionTimestamp() != null, "it has a deletionTimestamp");
    Check.equal(List.of(FINALIZER), held.getMetadata().getFinalizers(), "finalizers");

    story.edit(job -> job.edit().editMetadata().withFinalizers().endMetadata().build());
    Check.equal(null, story.get(), "the object without finalizers");
  }

  static void deleteCollection(TestNamespace namespace) {
    namespace.cronJobs().withLabel(Pages.PARITY, "even").delete();
    List<String> left =
        namespace.cronJobs().list().getItems().stream()
            .map(job -> job.getMetadata().getLabels().get(Pages.PARITY))
            .toList();
    Check.equal(Collections.nCopies(Pages.OBJECTS / 2, "odd"), left, "what is left");

    namespace.cronJobs().delete();
    Check.equal(List.of(), namespace.cronJobs().list().getItems(), "what is left at last");
  }
}
