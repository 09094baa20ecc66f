package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// copier keeps a secret beside each config map, with its data, and tells when its own write has come back to it.
type copier struct {
	client client.Client
	copied chan<- error
}

func (c *copier) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var source corev1.ConfigMap
	if err := c.client.Get(ctx, request.NamespacedName, &source); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: source.Namespace, Name: source.Name + "-copy"}}
	result, err := controllerutil.CreateOrUpdate(ctx, c.client, secret, func() error {
		secret.Data = map[string][]byte{}
		for key, value := range source.Data {
			secret.Data[key] = []byte(value)
		}
		return controllerutil.SetControllerReference(&source, secret, c.client.Scheme())
	})
	if err == nil && result == controllerutil.OperationResultNone {
		c.tell(secret)
	}
	return ctrl.Result{}, err
}

func (c *copier) tell(secret *corev1.Secret) {
	var err error
	if owner := metav1.GetControllerOf(secret); owner == nil || owner.Kind != "ConfigMap" || string(secret.Data["key"]) != "value" {
		err = fmt.Errorf("the copy is %+v", secret)
	}
	select {
	case c.copied <- err:
	default: // told already
	}
}
