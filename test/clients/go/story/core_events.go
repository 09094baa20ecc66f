package main

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
)

// recordCore says the same twice by the recorder that most controllers have: that is one Event with a count.
func (s *story) recordCore(ctx context.Context, job *batchv1.CronJob) error {
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	defer broadcaster.Shutdown()
	core := s.clients.CoreV1().Events(s.namespace)
	broadcaster.StartRecordingToSink(&coreclient.EventSinkImpl{Interface: core})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: reporter, Host: "node-1"})

	recorder.Eventf(job, corev1.EventTypeWarning, "BackupKept", "%d days", 7)
	first, err := awaitEvent[*corev1.Event](ctx, core.Watch, "BackupKept", job.ResourceVersion)
	if err != nil {
		return err
	}
	if first.Count != 1 || first.Message != "7 days" || first.Source.Host != "node-1" || first.InvolvedObject.UID != job.UID {
		return fmt.Errorf("recorded was %+v", first)
	}
	recorder.Eventf(job, corev1.EventTypeWarning, "BackupKept", "%d days", 7)
	second, err := awaitEvent[*corev1.Event](ctx, core.Watch, "BackupKept", first.ResourceVersion)
	if err != nil {
		return err
	}
	if second.Name != first.Name || second.Count != 2 || !second.FirstTimestamp.Equal(&first.FirstTimestamp) {
		return fmt.Errorf("recorded again, it is %+v", second)
	}

	stored, err := s.clients.EventsV1().Events(s.namespace).Get(ctx, first.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if stored.Note != "7 days" || stored.DeprecatedCount != 2 || stored.DeprecatedSource != first.Source || stored.Regarding != first.InvolvedObject {
		return fmt.Errorf("in events.k8s.io it is %+v", stored)
	}
	return nil
}
