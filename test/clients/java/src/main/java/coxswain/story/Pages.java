package coxswain.story;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** A list that is read in parts. What it lists stays until the collection is deleted. */
final class Pages {
  static final String PARITY = "parity";
  static final int OBJECTS = 25;
  private static final long LIMIT = 10;

  private Pages() {}

  static void pages(TestNamespace namespace) {
    List<String> names = IntStream.range(0, OBJECTS).mapToObj("page-%02d"::formatted).toList();
    for (int i = 0; i < OBJECTS; i++) {
      namespace
          .cronJobs()
          .resource(
              namespace
                  .cronJob(names.get(i))
                  .editMetadata()
                  .addToLabels(PARITY, i % 2 == 0 ? "even" : "odd")
                  .endMetadata()
                  .build())
          .create();
    }

    List<Integer> sizes = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    Set<String> versions = new HashSet<>();
    String next = null;
    do {
      CronJobList page =
          namespace
              .cronJobs()
              .withLabel(PARITY)
              .list(new ListOptionsBuilder().withLimit(LIMIT).withContinue(next).build());
      sizes.add(page.getItems().size());
      page.getItems().forEach(job -> seen.add(job.getMetadata().getName()));
      versions.add(page.getMetadata().getResourceVersion());
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());

    Check.equal(List.of(10, 10, 5), sizes, "sizes of the pages");
    Check.equal(names, seen, "names in the pages");
    Check.equal(1, versions.size(), "resourceVersions of the pages");
  }
}
