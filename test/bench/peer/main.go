// Command peer is the baseline of the benchmark: an API server made of
// Kubernetes' own libraries and registries, without what a kube-apiserver
// adds around them (aggregator, CRDs, admission, RBAC, priority and fairness,
// controllers, audit, tracing). What is set below is what kube-apiserver sets by
// default; where it is not, a comment says why.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"time"
	_ "time/tzdata" // time zones of cron jobs, as in kube-apiserver

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/apiserver/pkg/features"
	"k8s.io/apiserver/pkg/registry/generic"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
	"k8s.io/apiserver/pkg/server/filters"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	utilopenapi "k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // list, delete, … options are of version "v1"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"
	"k8s.io/kubernetes/pkg/kubeapiserver"
	appsrest "k8s.io/kubernetes/pkg/registry/apps/rest"
	batchrest "k8s.io/kubernetes/pkg/registry/batch/rest"
	eventsrest "k8s.io/kubernetes/pkg/registry/events/rest"
	policyrest "k8s.io/kubernetes/pkg/registry/policy/rest"
	storagerest "k8s.io/kubernetes/pkg/registry/storage/rest"
)

// storageProvider is what the rest packages of the API groups offer.
type storageProvider interface {
	NewRESTStorage(serverstorage.APIResourceConfigSource, generic.RESTOptionsGetter) (genericapiserver.APIGroupInfo, error)
}

type options struct {
	etcd, listen, tlsListen, caFile string
}

func main() {
	var options options
	flag.StringVar(&options.etcd, "etcd", "http://127.0.0.1:2379", "`URL` of etcd")
	flag.StringVar(&options.listen, "listen", "127.0.0.1:8080", "`host:port` to serve plain HTTP on")
	flag.StringVar(&options.tlsListen, "tls-listen", "127.0.0.1:0", "`host:port` to serve HTTP/2 and HTTP/1.1 over TLS on")
	flag.StringVar(&options.caFile, "ca-file", "ca.crt", "`file` to write the certificate of the TLS listener to")
	flag.Parse()

	// Without files klog writes what is at least an error to stderr, and the rest, a
	// line for each slow request, nowhere.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)

	ctx := genericapiserver.SetupSignalContext()
	if err := run(ctx, options); err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, options options) error {
	secureServing, err := newSecureServing(options.tlsListen, options.caFile)
	if err != nil {
		return err
	}
	config, resources, err := newConfig(options.etcd, secureServing)
	if err != nil {
		return err
	}
	server, err := config.Complete(nil).New("peer", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return err
	}
	if err := install(server, config.RESTOptionsGetter, resources); err != nil {
		return err
	}
	// The default, a minute, would let open watches delay the end.
	server.ShutdownTimeout = time.Second
	prepared := server.PrepareRun()

	// The plain listener is beside the generic server's own one, which RunWithContext
	// needs; same handler chain, same limits as in SecureServingInfo.Serve.
	listener, err := net.Listen("tcp", options.listen)
	if err != nil {
		return err
	}
	stopped, _, err := genericapiserver.RunServer(&http.Server{
		Handler:           server.Handler,
		MaxHeaderBytes:    1 << 20,
		IdleTimeout:       90 * time.Second,
		ReadHeaderTimeout: 32 * time.Second,
	}, listener, server.ShutdownTimeout, ctx.Done())
	if err != nil {
		return err
	}
	if err := prepared.RunWithContext(ctx); err != nil {
		return err
	}
	<-stopped
	return nil
}

// newConfig follows BuildGenericConfig of k8s.io/kubernetes/pkg/controlplane/apiserver.
func newConfig(etcd string, secureServing *genericapiserver.SecureServingInfo) (*genericapiserver.Config, *serverstorage.ResourceConfig, error) {
	config := genericapiserver.NewConfig(legacyscheme.Codecs)

	// No limit of requests in flight: with FlowControl nil as well nothing is throttled.
	runOptions := genericoptions.NewServerRunOptions()
	runOptions.MaxRequestsInFlight = 0
	runOptions.MaxMutatingRequestsInFlight = 0
	runOptions.ExternalHost = secureServing.Listener.Addr().String()
	if err := runOptions.ApplyTo(config); err != nil {
		return nil, nil, err
	}
	utilfeature.DefaultMutableFeatureGate.AddMetrics() // kubernetes_feature_enabled on /metrics

	config.SecureServing = secureServing
	// Required by the generic server; nothing here talks to itself.
	config.LoopbackClientConfig = &rest.Config{Host: "https://" + runOptions.ExternalHost}

	// Everybody is this user and may do anything. Not system:anonymous: over
	// HTTP/2 the server closes the connection after a request of that one
	// (feature gate UnauthenticatedHTTP2DOSMitigation).
	admin := &authenticator.Response{User: &user.DefaultInfo{
		Name:   "peer",
		Groups: []string{user.SystemPrivilegedGroup, user.AllAuthenticated},
	}}
	config.Authentication.Authenticator = authenticator.RequestFunc(
		func(*http.Request) (*authenticator.Response, bool, error) { return admin, true, nil })
	config.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()

	definitions := utilopenapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)
	namer := openapinamer.NewDefinitionNamer(legacyscheme.Scheme)
	config.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, namer)
	config.OpenAPIConfig.Info.Title = "Kubernetes"
	config.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
	config.OpenAPIV3Config.Info.Title = "Kubernetes"

	config.LongRunningFunc = filters.BasicLongRunningRequestCheck(
		sets.NewString("watch", "proxy"),
		sets.NewString("attach", "exec", "proxy", "log", "portforward"),
	)

	// Only these, so that no watch caches but those of the benchmark run.
	resources := serverstorage.NewResourceConfig()
	resources.EnableResources(
		batchv1.SchemeGroupVersion.WithResource("cronjobs"),
		policyv1.SchemeGroupVersion.WithResource("poddisruptionbudgets"),
		eventsv1.SchemeGroupVersion.WithResource("events"),
		appsv1.SchemeGroupVersion.WithResource("controllerrevisions"),
		storagev1.SchemeGroupVersion.WithResource("volumeattachments"),
	)

	etcdOptions := genericoptions.NewEtcdOptions(storagebackend.NewDefaultConfig("/registry", nil))
	etcdOptions.DefaultStorageMediaType = "application/vnd.kubernetes.protobuf"
	etcdOptions.StorageConfig.Transport.ServerList = []string{etcd}
	etcdOptions.StorageConfig.Transport.TracerProvider = config.TracerProvider
	var err error
	etcdOptions.WatchCacheSizes, err = genericoptions.WriteWatchCacheSizes(kubeapiserver.DefaultWatchCacheSizes())
	if err != nil {
		return nil, nil, err
	}
	factoryConfig := kubeapiserver.NewStorageFactoryConfigEffectiveVersion(config.EffectiveVersion)
	factoryConfig.APIResourceConfig = resources
	factory, err := factoryConfig.Complete(etcdOptions).New()
	if err != nil {
		return nil, nil, err
	}
	factory.StorageConfig.StorageObjectCountTracker = config.StorageObjectCountTracker
	return config, resources, etcdOptions.ApplyWithStorageFactoryTo(factory, config)
}

// install adds the API groups, and the hook which keeps /readyz from success until
// the watch caches are filled.
func install(server *genericapiserver.GenericAPIServer, options generic.RESTOptionsGetter, resources *serverstorage.ResourceConfig) error {
	var groups []*genericapiserver.APIGroupInfo
	for _, provider := range []storageProvider{
		appsrest.StorageProvider{},
		batchrest.RESTStorageProvider{},
		eventsrest.RESTStorageProvider{TTL: time.Hour},
		policyrest.RESTStorageProvider{},
		storagerest.RESTStorageProvider{},
	} {
		group, err := provider.NewRESTStorage(resources, options)
		if err != nil {
			return err
		}
		groups = append(groups, &group)
	}
	if err := server.InstallAPIGroups(groups...); err != nil {
		return err
	}
	if !utilfeature.DefaultFeatureGate.Enabled(features.WatchCacheInitializationPostStartHook) {
		return nil
	}
	return server.AddPostStartHook("storage-readiness", server.StorageReadinessHook.Hook)
}

// newSecureServing listens with a new self-signed certificate. Everything else of
// TLS and HTTP/2 is up to SecureServingInfo.Serve, so it is that of kube-apiserver.
// The key is not RSA as there, because making one delays the start by chance.
func newSecureServing(address, caFile string) (*genericapiserver.SecureServingInfo, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: "peer"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true, // the client's root is this certificate itself
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
	if err := os.WriteFile(caFile, certPEM, 0o644); err != nil {
		return nil, err
	}
	content, err := dynamiccertificates.NewStaticCertKeyContent("peer", certPEM, keyPEM)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return &genericapiserver.SecureServingInfo{Listener: listener, Cert: content}, nil
}
