package coxswain.story;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;

/** The namespace that the story plays in, and the client that sees it. */
record TestNamespace(KubernetesClient client, String name) {
  /** The object that the steps before the pages are about. */
  static final String STORY = "story";

  NonNamespaceOperation<CronJob, CronJobList, Resource<CronJob>> cronJobs() {
    return client.batch().v1().cronjobs().inNamespace(name);
  }

  /** A CronJob with two containers and nothing that has a default. */
  CronJobBuilder cronJob(String name) {
    return new CronJobBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(this.name)
        .endMetadata()
        .withNewSpec()
        .withSchedule("*/5 * * * *")
        .withNewJobTemplate()
        .withNewSpec()
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("OnFailure")
        .addNewContainer()
        .withName("main")
        .withImage("example.com/main:1")
        .endContainer()
        .addNewContainer()
        .withName("sidecar")
        .withImage("example.com/sidecar:1")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .endJobTemplate()
        .endSpec();
  }
}
