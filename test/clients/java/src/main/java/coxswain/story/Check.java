package coxswain.story;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;

/** What a step compares; a difference is an AssertionError that says both sides. */
final class Check {
  private Check() {}

  static void that(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  static void equal(Object expected, Object actual, String what) {
    if (!Objects.equals(expected, actual)) {
      throw new AssertionError(what + ": expected " + expected + ", got " + actual);
    }
  }

  /** The server refuses it with this code and this reason; the refusal is handed back. */
  static KubernetesClientException refused(int code, String reason, Runnable request) {
    try {
      request.run();
    } catch (KubernetesClientException e) {
      equal(code, e.getCode(), "code of the refusal");
      Objects.requireNonNull(e.getStatus(), "The refusal has no Status");
      equal(reason, e.getStatus().getReason(), "reason of the refusal");
      return e;
    }
    throw new AssertionError("was not refused with " + reason);
  }
}
