package coxswain.story;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells the story step by step; the first step that fails ends it with exit code 1. */
public final class Story {
  @FunctionalInterface
  interface Step {
    void run(TestNamespace namespace) throws Exception;
  }

  private Story() {}

  public static void main(String[] args) {
    // The builder reads KUBECONFIG by itself.
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      if (!tell(new TestNamespace(client, System.getenv("COXSWAIN_NAMESPACE")))) {
        System.exit(1);
      }
    }
  }

  private static boolean tell(TestNamespace namespace) {
    for (Map.Entry<String, Step> step : steps().entrySet()) {
      try {
        step.getValue().run(namespace);
      } catch (Exception | AssertionError e) {
        System.err.println("failed " + step.getKey() + ": " + e);
        e.printStackTrace();
        return false;
      }
      System.out.println("ok " + step.getKey());
    }
    return true;
  }

  private static Map<String, Step> steps() {
    Map<String, Step> steps = new LinkedHashMap<>();
    steps.put("discover", Discovery::discover);
    steps.put("create", Writes::create);
    steps.put("get", Writes::get);
    steps.put("update-conflict", Writes::updateConflict);
    steps.put("merge-patch", Patches::mergePatch);
    steps.put("strategic-patch", Patches::strategicPatch);
    steps.put("apply", Apply::apply);
    steps.put("status", Patches::status);
    steps.put("pages", Pages::pages);
    steps.put("watch-resume", Watching::watchResume);
    steps.put("informer", Informing::informer);
    steps.put("finalizer", Deletion::finalizer);
    steps.put("delete-collection", Deletion::deleteCollection);
    steps.put("events", Events::events);
    return steps;
  }
}
