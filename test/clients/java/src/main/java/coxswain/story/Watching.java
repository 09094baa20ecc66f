package coxswain.story;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A watch is stopped and resumed where it was. */
final class Watching {
  static final long DEADLINE_SECONDS = 20;

  private Watching() {}

  static void watchResume(TestNamespace namespace) throws InterruptedException {
    String start = namespace.cronJobs().list().getMetadata().getResourceVersion();
    String last;
    Recorder before = new Recorder();
    try (Watch watch = namespace.cronJobs().withResourceVersion(start).watch(before)) {
      liveAndDie(namespace, "watched");
      before.next("ADDED watched");
      before.next("MODIFIED watched");
      last = before.next("DELETED watched");
    }

    liveAndDie(namespace, "unwatched");

    Recorder after = new Recorder();
    try (Watch watch = namespace.cronJobs().withResourceVersion(last).watch(after)) {
      after.next("ADDED unwatched");
      after.next("MODIFIED unwatched");
      after.next("DELETED unwatched");
      // What comes next is new, so that there was nothing else.
      liveAndDie(namespace, "resumed");
      after.next("ADDED resumed");
    }
    Check.equal(null, before.failure, "failure of the first watch");
    Check.equal(null, after.failure, "failure of the second watch");
  }

  private static void liveAndDie(TestNamespace namespace, String name) {
    namespace.cronJobs().resource(namespace.cronJob(name).build()).create();
    namespace
        .cronJobs()
        .withName(name)
        .edit(job -> job.edit().editSpec().withSuspend(true).endSpec().build());
    namespace.cronJobs().withName(name).delete();
  }

  /** Keeps what a watch reports until it is asked for. */
  private static final class Recorder implements Watcher<CronJob> {
    private record Seen(String event, String resourceVersion) {}

    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private volatile WatcherException failure;

    @Override
    public void eventReceived(Action action, CronJob job) {
      seen.add(
          new Seen(
              action + " " + job.getMetadata().getName(), job.getMetadata().getResourceVersion()));
    }

    @Override
    public void onClose(WatcherException cause) {
      failure = cause;
    }

    /** Waits for the next event, which must be this one; its resourceVersion. */
    String next(String event) throws InterruptedException {
      Seen next = seen.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      Check.that(next != null, "no event in time where " + event + " was expected");
      Check.equal(event, next.event(), "event");
      return next.resourceVersion();
    }
  }
}
