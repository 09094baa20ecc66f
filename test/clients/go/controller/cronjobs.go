package main

import (
	"context"
	"fmt"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// createCronJobs makes prefix-0, prefix-1 and so on, each on the schedule of its number.
func (p *program) createCronJobs(ctx context.Context, prefix string, count int) error {
	for number := range count {
		job := &batchv1.CronJob{
			ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: fmt.Sprintf("%s-%d", prefix, number)},
			Spec: batchv1.CronJobSpec{
				Schedule: schedule(number),
				JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
					RestartPolicy: corev1.RestartPolicyNever,
					Containers:    []corev1.Container{{Name: "main", Image: "registry.example.com/work:1.0"}},
				}}}},
			},
		}
		if err := p.direct.Create(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

func schedule(number int) string { return fmt.Sprintf("%d 3 * * *", number) }

func namesOf(list *batchv1.CronJobList) []string {
	var names []string
	for _, job := range list.Items {
		names = append(names, job.Name)
	}
	slices.Sort(names)
	return names
}
