package main

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nightly is created in the first steps, changed in the next ones, and deleted by the finalizer step.
const nightly = "nightly"

// cronJob is the least that the API takes, with two containers.
func cronJob(name string, labels map[string]string) *batchv1.CronJob {
	return &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: batchv1.CronJobSpec{
			Schedule: "0 3 * * *",
			JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyOnFailure,
				Containers: []corev1.Container{
					{Name: "dump", Image: "registry.example.com/dump:1.0"},
					{Name: "upload", Image: "registry.example.com/upload:1.0"},
				},
			}}}},
		},
	}
}

// images is the image of each container by its name.
func images(job *batchv1.CronJob) map[string]string {
	found := map[string]string{}
	for _, container := range job.Spec.JobTemplate.Spec.Template.Spec.Containers {
		found[container.Name] = container.Image
	}
	return found
}
