package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// finalizer deletes an object that somebody still holds, and lets it go.
func (s *story) finalizer(ctx context.Context) error {
	job, err := s.cronJobs.Get(ctx, nightly, metav1.GetOptions{})
	if err != nil {
		return err
	}
	job.Finalizers = []string{"example.com/hold"}
	if job, err = s.cronJobs.Update(ctx, job, metav1.UpdateOptions{}); err != nil {
		return err
	}

	another := metav1.NewPreconditionDeleteOptions("00000000-0000-0000-0000-000000000000")
	if err := s.cronJobs.Delete(ctx, nightly, *another); !apierrors.IsConflict(err) {
		return fmt.Errorf("deleting another object of that name was answered %v", err)
	}
	if err := s.cronJobs.Delete(ctx, nightly, *metav1.NewPreconditionDeleteOptions(string(job.UID))); err != nil {
		return err
	}
	if job, err = s.cronJobs.Get(ctx, nightly, metav1.GetOptions{}); err != nil {
		return err
	}
	if job.DeletionTimestamp == nil || len(job.Finalizers) != 1 {
		return fmt.Errorf("held, it is %+v", job.ObjectMeta)
	}

	job.Finalizers = nil
	if _, err := s.cronJobs.Update(ctx, job, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if _, err := s.cronJobs.Get(ctx, nightly, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("let go, it is answered %v", err)
	}
	return nil
}
