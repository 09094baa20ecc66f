package coxswain.story;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An informer keeps a copy of what the server has. */
final class Informing {
  private static final String NAME = "informed";

  private Informing() {}

  static void informer(TestNamespace namespace) throws Exception {
    Recorder recorder = new Recorder();
    try (SharedIndexInformer<CronJob> informer = namespace.cronJobs().runnableInformer(0)) {
      informer.start().toCompletableFuture().get(Watching.DEADLINE_SECONDS, TimeUnit.SECONDS);
      Check.equal(
          namespace.cronJobs().list().getItems().size(),
          informer.getStore().list().size(),
          "objects at the start");
      String page = Cache.namespaceKeyFunc(namespace.name(), "page-07");
      Check.equal(
          namespace.cronJobs().withName("page-07").get(),
          informer.getStore().getByKey(page),
          "an object of the store");

      // Added after the store was filled, a handler is told of all that is in it first.
      informer.addEventHandler(recorder);
      CronJob created = namespace.cronJobs().resource(namespace.cronJob(NAME).build()).create();
      recorder.next("added");
      String key = Cache.metaNamespaceKeyFunc(created);
      Check.equal(created, informer.getStore().getByKey(key), "the created object");

      CronJob updated =
          namespace
              .cronJobs()
              .withName(NAME)
              .edit(job -> job.edit().editSpec().withSuspend(true).endSpec().build());
      recorder.next("updated");
      Check.equal(updated, informer.getStore().getByKey(key), "the updated object");

      namespace.cronJobs().withName(NAME).delete();
      recorder.next("deleted");
      Check.equal(null, informer.getStore().getByKey(key), "the deleted object");
    }
  }

  /** Keeps what happens to one object until it is asked for. */
  private static final class Recorder implements ResourceEventHandler<CronJob> {
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @Override
    public void onAdd(CronJob job) {
      record("added", job);
    }

    @Override
    public void onUpdate(CronJob before, CronJob after) {
      record("updated", after);
    }

    @Override
    public void onDelete(CronJob job, boolean finalStateUnknown) {
      record("deleted", job);
    }

    private void record(String change, CronJob job) {
      if (job.getMetadata().getName().equals(NAME)) {
        seen.add(change);
      }
    }

    void next(String change) throws InterruptedException {
      Check.equal(change, seen.poll(Watching.DEADLINE_SECONDS, TimeUnit.SECONDS), "change");
    }
  }
}
