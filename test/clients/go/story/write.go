package main

import (
	"context"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
)

func (s *story) create(ctx context.Context) error {
	sent := cronJob(nightly, map[string]string{"app": "orders", "tier": "batch"})
	created, err := s.cronJobs.Create(ctx, sent, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if created.UID == "" || created.ResourceVersion == "" || created.CreationTimestamp.IsZero() || created.Generation != 1 {
		return fmt.Errorf("created with the metadata %+v", created.ObjectMeta)
	}
	if want := withDefaults(sent); !equality.Semantic.DeepEqual(created.Spec, want.Spec) {
		return fmt.Errorf("not the defaults: %s", diff.Diff(want.Spec, created.Spec))
	}
	if _, err := s.cronJobs.Create(ctx, sent, metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("created again, the answer was %v", err)
	}
	return nil
}

// withDefaults is what Kubernetes makes of a cron job that leaves out what it may.
func withDefaults(job *batchv1.CronJob) *batchv1.CronJob {
	full := job.DeepCopy()
	full.Spec.ConcurrencyPolicy = batchv1.AllowConcurrent
	full.Spec.Suspend = ptr.To(false)
	full.Spec.SuccessfulJobsHistoryLimit = ptr.To[int32](3)
	full.Spec.FailedJobsHistoryLimit = ptr.To[int32](1)
	pod := &full.Spec.JobTemplate.Spec.Template.Spec
	pod.DNSPolicy = corev1.DNSClusterFirst
	pod.SchedulerName = corev1.DefaultSchedulerName
	pod.SecurityContext = &corev1.PodSecurityContext{}
	pod.TerminationGracePeriodSeconds = ptr.To[int64](30)
	for i := range pod.Containers {
		pod.Containers[i].ImagePullPolicy = corev1.PullIfNotPresent
		pod.Containers[i].TerminationMessagePath = corev1.TerminationMessagePathDefault
		pod.Containers[i].TerminationMessagePolicy = corev1.TerminationMessageReadFile
	}
	return full
}

func (s *story) get(ctx context.Context) error {
	read, err := s.cronJobs.Get(ctx, nightly, metav1.GetOptions{})
	if err != nil {
		return err
	}
	// What changes nothing is not written: the answer is the object as it is stored.
	stored, err := s.cronJobs.Update(ctx, read, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(read, stored) {
		return fmt.Errorf("read and stored differ: %s", diff.Diff(stored, read))
	}
	_, err = s.cronJobs.Get(ctx, "missing", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return fmt.Errorf("the answer for a missing name was %v", err)
	}
	if want := `cronjobs.batch "missing" not found`; err.Error() != want {
		return fmt.Errorf("the answer for a missing name says %q", err)
	}
	return nil
}

// updateConflict writes an object that is not the newest any more, alone and in the loop that is made for it.
func (s *story) updateConflict(ctx context.Context) error {
	old, err := s.cronJobs.Get(ctx, nightly, metav1.GetOptions{})
	if err != nil {
		return err
	}
	changed := old.DeepCopy()
	changed.Spec.Schedule = "30 3 * * *"
	changed, err = s.cronJobs.Update(ctx, changed, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if changed.Generation != old.Generation+1 || changed.ResourceVersion == old.ResourceVersion {
		return fmt.Errorf("after %+v an update made %+v", old.ObjectMeta, changed.ObjectMeta)
	}

	attempts := 0
	job := old
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		attempts++
		if attempts > 1 {
			if job, err = s.cronJobs.Get(ctx, nightly, metav1.GetOptions{}); err != nil {
				return err
			}
		}
		job.Spec.Suspend = ptr.To(true)
		job, err = s.cronJobs.Update(ctx, job, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	if attempts != 2 {
		return fmt.Errorf("the old object was stored in attempt %d, not refused once", attempts)
	}
	if job.Spec.Schedule != "30 3 * * *" || !*job.Spec.Suspend {
		return fmt.Errorf("one of two updates is lost: %+v", job.Spec)
	}
	return nil
}

// status writes the subresource; what the same object says of its spec does not count there.
func (s *story) status(ctx context.Context) error {
	job, err := s.cronJobs.Get(ctx, nightly, metav1.GetOptions{})
	if err != nil {
		return err
	}
	before := job.DeepCopy()
	scheduled := metav1.NewTime(before.CreationTimestamp.Add(-time.Hour))
	job.Status.LastScheduleTime = &scheduled
	job.Status.Active = []corev1.ObjectReference{{APIVersion: "batch/v1", Kind: "Job", Namespace: s.namespace, Name: "nightly-1"}}
	job.Spec.Schedule = "@yearly"
	job, err = s.cronJobs.UpdateStatus(ctx, job, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(job.Spec, before.Spec) || job.Generation != before.Generation {
		return fmt.Errorf("writing the status changed the spec: %s", diff.Diff(before.Spec, job.Spec))
	}
	read, err := s.cronJobs.Get(ctx, nightly, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if !read.Status.LastScheduleTime.Equal(&scheduled) || len(read.Status.Active) != 1 || read.Status.Active[0].Name != "nightly-1" {
		return fmt.Errorf("the status read back is %+v", read.Status)
	}
	return nil
}
