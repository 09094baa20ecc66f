package coxswain.election;

import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import java.io.IOException;
import java.time.Duration;

/** Runs for a Lease until it is told to end: then it gives the lease back. */
public final class Candidate {
  private Candidate() {}

  public static void main(String[] args) throws IOException {
    ApiClient client = ClientBuilder.standard().build(); // KUBECONFIG
    LeaseLock lock = new LeaseLock(System.getenv("COXSWAIN_NAMESPACE"), "election", args[0], client);
    LeaderElectionConfig config =
        new LeaderElectionConfig(
            lock, Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofSeconds(1));
    LeaderElector elector = new LeaderElector(config);
    Runtime.getRuntime().addShutdownHook(new Thread(elector::close));
    System.out.println("running");
    elector.run(() -> System.out.println("leading"), () -> {});
  }
}
