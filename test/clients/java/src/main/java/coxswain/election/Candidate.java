package coxswain.election;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Runs for a Lease until it is told to end: then it gives the lease back. */
public final class Candidate {
  private Candidate() {}

  public static void main(String[] args) {
    KubernetesClient client = new KubernetesClientBuilder().build();
    CompletableFuture<?> election =
        client.leaderElector().withConfig(config(args[0])).build().start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> election.cancel(true)));
    System.out.println("running");
    // The client stays open: a cancelled election gives the lease back by it.
    election.handle((ended, cancelled) -> null).join();
  }

  private static LeaderElectionConfig config(String identity) {
    return new LeaderElectionConfigBuilder()
        .withName("election")
        .withLock(new LeaseLock(System.getenv("COXSWAIN_NAMESPACE"), "election", identity))
        .withLeaseDuration(Duration.ofSeconds(4))
        .withRenewDeadline(Duration.ofSeconds(3))
        .withRetryPeriod(Duration.ofSeconds(1))
        .withReleaseOnCancel(true)
        .withLeaderCallbacks(
            new LeaderCallbacks(() -> System.out.println("leading"), () -> {}, leader -> {}))
        .build();
  }
}
