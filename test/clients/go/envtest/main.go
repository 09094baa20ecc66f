// Envtest runs controller-runtime's test environment against a cluster that is there already, as tests of operators do.
package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"coxswain.test/clients/internal/steps"
)

// program is what the steps share.
type program struct {
	environment *envtest.Environment
	client      client.Client
	namespace   string
}

func main() {
	ctrl.SetLogger(logr.Discard())
	p := &program{}
	steps.Run([]steps.Step{
		{Name: "environment-started", Run: p.start},
		{Name: "namespace-created", Run: p.createNamespace},
		{Name: "objects", Run: p.objects},
		{Name: "manager", Run: p.manager},
		{Name: "namespace-deleted", Run: p.deleteNamespace},
		{Name: "environment-stopped", Run: func(context.Context) error { return p.environment.Stop() }},
	})
}

// start finds the cluster as `config.GetConfig` does, and waits, as every environment, for the namespace `default`.
func (p *program) start(context.Context) error {
	_, namespace, err := steps.Connection()
	if err != nil {
		return err
	}
	existing := true
	p.environment = &envtest.Environment{UseExistingCluster: &existing}
	config, err := p.environment.Start()
	if err != nil {
		return err
	}
	p.namespace = namespace
	p.client, err = client.New(config, client.Options{})
	return err
}

func (p *program) createNamespace(ctx context.Context) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.namespace}}
	if err := p.client.Create(ctx, namespace); err != nil {
		return err
	}
	if namespace.Status.Phase != corev1.NamespaceActive {
		return fmt.Errorf("the namespace is %q", namespace.Status.Phase)
	}
	return nil
}

// objects are created, listed by label, and deleted.
func (p *program) objects(ctx context.Context) error {
	for _, object := range []client.Object{
		&corev1.ConfigMap{ObjectMeta: p.meta("one"), Data: map[string]string{"key": "value"}},
		&corev1.Secret{ObjectMeta: p.meta("one"), StringData: map[string]string{"key": "value"}},
		&corev1.ServiceAccount{ObjectMeta: p.meta("one")},
	} {
		if err := p.client.Create(ctx, object); err != nil {
			return err
		}
	}
	var secrets corev1.SecretList
	ours := []client.ListOption{client.InNamespace(p.namespace), client.MatchingLabels{"set": "envtest"}}
	if err := p.client.List(ctx, &secrets, ours...); err != nil {
		return err
	}
	if len(secrets.Items) != 1 || string(secrets.Items[0].Data["key"]) != "value" {
		return fmt.Errorf("the secrets are %+v", secrets.Items)
	}
	if err := p.client.Delete(ctx, &secrets.Items[0]); err != nil {
		return err
	}
	if err := p.client.Get(ctx, client.ObjectKeyFromObject(&secrets.Items[0]), &corev1.Secret{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("the deleted secret: %w", err)
	}
	return nil
}

func (p *program) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: p.namespace, Name: name, Labels: map[string]string{"set": "envtest"}}
}

// manager reconciles a config map until it has copied its data into a secret that it owns.
func (p *program) manager(ctx context.Context) error {
	mgr, err := ctrl.NewManager(p.environment.Config, ctrl.Options{
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{p.namespace: {}}},
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	copied := make(chan error, 1)
	controller := ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Owns(&corev1.Secret{})
	if err := controller.Complete(&copier{client: mgr.GetClient(), copied: copied}); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(running) }()
	select {
	case err := <-ended:
		return fmt.Errorf("the manager ended: %w", err)
	case err := <-copied:
		stop()
		return errors.Join(err, <-ended)
	}
}

// deleteNamespace takes along what is left in it.
func (p *program) deleteNamespace(ctx context.Context) error {
	watching, err := client.NewWithWatch(p.environment.Config, client.Options{})
	if err != nil {
		return err
	}
	watcher, err := watching.Watch(ctx, &corev1.NamespaceList{}, client.MatchingFields{"metadata.name": p.namespace})
	if err != nil {
		return err
	}
	defer watcher.Stop()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.namespace}}
	if err := p.client.Delete(ctx, namespace); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the namespace is still there: %w", ctx.Err())
		case event := <-watcher.ResultChan():
			if event.Type == "DELETED" {
				return nil
			}
		}
	}
}
