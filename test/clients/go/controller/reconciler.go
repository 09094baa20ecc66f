package main

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// seenAnnotation is what the reconciler writes: the schedule that it saw.
const seenAnnotation = "example.com/seen-schedule"

// reconciler reads cron jobs from the manager's cache. It writes the schedule into an annotation, and into the status
// that it was here.
type reconciler struct {
	client client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var job batchv1.CronJob
	if err := r.client.Get(ctx, request.NamespacedName, &job); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if job.Annotations[seenAnnotation] != job.Spec.Schedule {
		// The optimistic lock makes this a conflict, and another try, when the cache was behind.
		patch := client.MergeFromWithOptions(job.DeepCopy(), client.MergeFromWithOptimisticLock{})
		metav1.SetMetaDataAnnotation(&job.ObjectMeta, seenAnnotation, job.Spec.Schedule)
		if err := r.client.Patch(ctx, &job, patch); err != nil {
			return ctrl.Result{}, err
		}
	}
	if job.Status.LastSuccessfulTime == nil {
		now := metav1.Now()
		job.Status.LastSuccessfulTime = &now
		return ctrl.Result{}, r.client.Status().Update(ctx, &job)
	}
	return ctrl.Result{}, nil
}

// isReconciled says whether nothing is left to do.
func isReconciled(job *batchv1.CronJob) bool {
	return job.Annotations[seenAnnotation] == job.Spec.Schedule && job.Status.LastSuccessfulTime != nil
}
