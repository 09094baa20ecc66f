package main

import (
	"context"
	"errors"
	"fmt"
	"maps"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	batchac "k8s.io/client-go/applyconfigurations/batch/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"

	corev1 "k8s.io/api/core/v1"
)

func (s *story) mergePatch(ctx context.Context) error {
	patch := []byte(`{"metadata":{"annotations":{"example.com/team":"storage"},"labels":{"tier":null}}}`)
	job, err := s.cronJobs.Patch(ctx, nightly, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	if job.Annotations["example.com/team"] != "storage" || !maps.Equal(job.Labels, map[string]string{"app": "orders"}) {
		return fmt.Errorf("annotations %v and labels %v", job.Annotations, job.Labels)
	}
	return nil
}

func (s *story) strategicPatch(ctx context.Context) error {
	patch := []byte(`{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[
		{"name":"upload","image":"registry.example.com/upload:2.0"}]}}}}}}`)
	job, err := s.cronJobs.Patch(ctx, nightly, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return err
	}
	want := map[string]string{"dump": "registry.example.com/dump:1.0", "upload": "registry.example.com/upload:2.0"}
	if found := images(job); !maps.Equal(found, want) {
		return fmt.Errorf("the images are %v", found)
	}
	return nil
}

// apply makes a cron job out of what one manager wants of it. Another manager gets the schedule only by force.
func (s *story) apply(ctx context.Context) error {
	const name = "applied"
	mine := batchac.CronJob(name, s.namespace).WithSpec(batchac.CronJobSpec().
		WithSchedule("0 4 * * *").
		WithJobTemplate(batchac.JobTemplateSpec().WithSpec(batchac.JobSpec().WithTemplate(coreac.PodTemplateSpec().
			WithSpec(coreac.PodSpec().
				WithRestartPolicy(corev1.RestartPolicyNever).
				WithContainers(coreac.Container().WithName("dump").WithImage("registry.example.com/dump:1.0")))))))
	if _, err := s.cronJobs.Apply(ctx, mine, metav1.ApplyOptions{FieldManager: "mine"}); err != nil {
		return err
	}

	theirs := batchac.CronJob(name, s.namespace).WithSpec(batchac.CronJobSpec().WithSchedule("0 5 * * *"))
	_, err := s.cronJobs.Apply(ctx, theirs, metav1.ApplyOptions{FieldManager: "theirs"})
	if err := checkOwned(err, ".spec.schedule"); err != nil {
		return err
	}

	job, err := s.cronJobs.Apply(ctx, theirs, metav1.ApplyOptions{FieldManager: "theirs", Force: true})
	if err != nil {
		return err
	}
	ofMine, err := batchac.ExtractCronJob(job, "mine")
	if err != nil {
		return err
	}
	ofTheirs, err := batchac.ExtractCronJob(job, "theirs")
	if err != nil {
		return err
	}
	if ofMine.Spec == nil || ofMine.Spec.Schedule != nil || ofMine.Spec.JobTemplate == nil {
		return fmt.Errorf("the first manager is left with %+v", ofMine.Spec)
	}
	if ofTheirs.Spec == nil || ofTheirs.Spec.Schedule == nil || *ofTheirs.Spec.Schedule != "0 5 * * *" || ofTheirs.Spec.JobTemplate != nil {
		return fmt.Errorf("the second manager has %+v", ofTheirs.Spec)
	}
	return s.cronJobs.Delete(ctx, name, metav1.DeleteOptions{})
}

// checkOwned wants the conflict that says that another manager owns the field.
func checkOwned(err error, field string) error {
	var status apierrors.APIStatus
	if !apierrors.IsConflict(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return fmt.Errorf("a second manager's apply was answered %v", err)
	}
	causes := status.Status().Details.Causes
	if len(causes) != 1 || causes[0].Type != metav1.CauseTypeFieldManagerConflict || causes[0].Field != field {
		return fmt.Errorf("the conflict names %+v", causes)
	}
	return nil
}
