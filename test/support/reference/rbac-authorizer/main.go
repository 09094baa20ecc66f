// What Kubernetes' own RBAC authorizer says. A line of input is a policy and questions about it; a line of output has
// the answers, in the same order.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	listers "k8s.io/client-go/listers/rbac/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/registry/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac"
)

type batch struct {
	Policy    policy     `json:"policy"`
	Questions []question `json:"questions"`
}

type policy struct {
	Roles               []*rbacv1.Role               `json:"roles"`
	ClusterRoles        []*rbacv1.ClusterRole        `json:"clusterRoles"`
	RoleBindings        []*rbacv1.RoleBinding        `json:"roleBindings"`
	ClusterRoleBindings []*rbacv1.ClusterRoleBinding `json:"clusterRoleBindings"`
}

type question struct {
	// access, rules or grant.
	About string `json:"about"`
	User  struct {
		Name   string   `json:"name"`
		Groups []string `json:"groups"`
	} `json:"user"`
	Namespace string `json:"namespace"`

	// Of access.
	IsResource  bool   `json:"isResource"`
	Verb        string `json:"verb"`
	Group       string `json:"group"`
	Version     string `json:"version"`
	Resource    string `json:"resource"`
	Subresource string `json:"subresource"`
	Name        string `json:"name"`
	Path        string `json:"path"`

	// Of grant: what the user wants to give away.
	Rules []rbacv1.PolicyRule `json:"rules"`
}

type answer struct {
	Allowed bool `json:"allowed"`
	// Every binding that allows it. The authorizer names one of them, depending on the order of its lister.
	Sources []string `json:"sources,omitempty"`
	// Of what is not allowed.
	Reason string `json:"reason,omitempty"`

	ResourceRules    []resourceRule `json:"resourceRules,omitempty"`
	NonResourceRules []pathRule     `json:"nonResourceRules,omitempty"`
	Error            string         `json:"error,omitempty"`
}

type resourceRule struct {
	Verbs         []string `json:"verbs,omitempty"`
	APIGroups     []string `json:"apiGroups,omitempty"`
	Resources     []string `json:"resources,omitempty"`
	ResourceNames []string `json:"resourceNames,omitempty"`
}

type pathRule struct {
	Verbs           []string `json:"verbs,omitempty"`
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
}

// Single objects come from the listers that kube-apiserver uses, whose errors are seen by clients; bindings come in the
// order of the input, which those listers do not keep.
type getter struct {
	rbac.RoleGetter
	rbac.ClusterRoleGetter
	policy policy
}

func (g *getter) ListRoleBindings(_ context.Context, namespace string) ([]*rbacv1.RoleBinding, error) {
	found := []*rbacv1.RoleBinding{}
	for _, binding := range g.policy.RoleBindings {
		if binding.Namespace == namespace {
			found = append(found, binding)
		}
	}
	return found, nil
}

func (g *getter) ListClusterRoleBindings(context.Context) ([]*rbacv1.ClusterRoleBinding, error) {
	return g.policy.ClusterRoleBindings, nil
}

func newGetter(policy policy) *getter {
	roles := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, role := range policy.Roles {
		add(roles, role)
	}
	clusterRoles := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, role := range policy.ClusterRoles {
		add(clusterRoles, role)
	}
	return &getter{
		rbac.RoleGetter{Lister: listers.NewRoleLister(roles)},
		rbac.ClusterRoleGetter{Lister: listers.NewClusterRoleLister(clusterRoles)},
		policy,
	}
}

func add(to cache.Indexer, object metav1.Object) {
	if err := to.Add(object); err != nil {
		log.Fatal(err)
	}
}

type decider struct {
	authorizer *rbac.RBACAuthorizer
	resolver   *validation.DefaultRuleResolver
}

func (d decider) access(asked question) answer {
	attributes := attributesOf(asked)
	decision, reason, err := d.authorizer.Authorize(context.Background(), attributes)
	if err != nil {
		log.Fatal(err)
	}
	if decision != authorizer.DecisionAllow {
		return answer{Reason: reason}
	}
	sources := []string{}
	d.resolver.VisitRulesFor(context.Background(), attributes.User, attributes.Namespace,
		func(source fmt.Stringer, rule *rbacv1.PolicyRule, _ error) bool {
			if rule != nil && rbac.RuleAllows(attributes, rule) {
				sources = append(sources, source.String())
			}
			return true
		})
	return answer{Allowed: true, Sources: sources}
}

func attributesOf(asked question) authorizer.AttributesRecord {
	return authorizer.AttributesRecord{
		User:            userOf(asked),
		Verb:            asked.Verb,
		Namespace:       asked.Namespace,
		APIGroup:        asked.Group,
		APIVersion:      asked.Version,
		Resource:        asked.Resource,
		Subresource:     asked.Subresource,
		Name:            asked.Name,
		ResourceRequest: asked.IsResource,
		Path:            asked.Path,
	}
}

func userOf(asked question) user.Info {
	return &user.DefaultInfo{Name: asked.User.Name, Groups: asked.User.Groups}
}

func (d decider) rules(asked question) answer {
	resources, paths, _, err := d.authorizer.RulesFor(context.Background(), userOf(asked), asked.Namespace)
	given := answer{Error: textOf(err)}
	for _, rule := range resources {
		given.ResourceRules = append(given.ResourceRules,
			resourceRule{rule.GetVerbs(), rule.GetAPIGroups(), rule.GetResources(), rule.GetResourceNames()})
	}
	for _, rule := range paths {
		given.NonResourceRules = append(given.NonResourceRules, pathRule{rule.GetVerbs(), rule.GetNonResourceURLs()})
	}
	return given
}

func (d decider) grant(asked question) answer {
	ctx := request.WithNamespace(request.WithUser(context.Background(), userOf(asked)), asked.Namespace)
	err := validation.ConfirmNoEscalation(ctx, d.resolver, asked.Rules)
	return answer{Allowed: err == nil, Error: textOf(err)}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (d decider) answer(asked question) answer {
	switch asked.About {
	case "access":
		return d.access(asked)
	case "rules":
		return d.rules(asked)
	case "grant":
		return d.grant(asked)
	}
	log.Fatalf("no question about %q", asked.About)
	return answer{}
}

func main() {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.More() {
		var asked batch
		if err := in.Decode(&asked); err != nil {
			log.Fatal(err)
		}
		from := newGetter(asked.Policy)
		decide := decider{
			rbac.New(from, from, from, from),
			validation.NewDefaultRuleResolver(from, from, from, from),
		}
		answers := make([]answer, len(asked.Questions))
		for i := range asked.Questions {
			answers[i] = decide.answer(asked.Questions[i])
		}
		if err := encoder.Encode(answers); err != nil {
			log.Fatal(err)
		}
		if err := out.Flush(); err != nil {
			log.Fatal(err)
		}
	}
}
