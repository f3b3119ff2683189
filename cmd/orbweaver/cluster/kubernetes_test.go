package cluster

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
)

// These types are what deploy/kubernetes.yaml uses of the API v1, apps/v1 and policy/v1. A key that they lack is an error.
type (
	Head struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
		Metadata   meta   `yaml:"metadata"`
	}
	meta struct {
		Name        string            `yaml:"name"`
		Labels      map[string]string `yaml:"labels"`
		Annotations map[string]string `yaml:"annotations"`
	}
	selector struct {
		MatchLabels map[string]string `yaml:"matchLabels"`
	}
	headless struct {
		Head `yaml:",inline"`
		Spec struct {
			ClusterIP string            `yaml:"clusterIP"`
			Publish   bool              `yaml:"publishNotReadyAddresses"`
			Selector  map[string]string `yaml:"selector"`
			Ports     []struct {
				Name   string `yaml:"name"`
				Port   int    `yaml:"port"`
				Target string `yaml:"targetPort"`
			} `yaml:"ports"`
		} `yaml:"spec"`
	}
	budget struct {
		Head `yaml:",inline"`
		Spec struct {
			Unavailable int      `yaml:"maxUnavailable"`
			Selector    selector `yaml:"selector"`
		} `yaml:"spec"`
	}
	stateful struct {
		Head `yaml:",inline"`
		Spec struct {
			Service  string   `yaml:"serviceName"`
			Replicas int      `yaml:"replicas"`
			Policy   string   `yaml:"podManagementPolicy"`
			Selector selector `yaml:"selector"`
			Template struct {
				Metadata meta `yaml:"metadata"`
				Spec     pod  `yaml:"spec"`
			} `yaml:"template"`
			Claims []struct {
				Metadata meta `yaml:"metadata"`
				Spec     struct {
					Modes     []string  `yaml:"accessModes"`
					Resources resources `yaml:"resources"`
				} `yaml:"spec"`
			} `yaml:"volumeClaimTemplates"`
		} `yaml:"spec"`
	}
	pod struct {
		Grace    int  `yaml:"terminationGracePeriodSeconds"`
		Token    bool `yaml:"automountServiceAccountToken"`
		Links    bool `yaml:"enableServiceLinks"`
		Security struct {
			NonRoot bool              `yaml:"runAsNonRoot"`
			User    int               `yaml:"runAsUser"`
			Group   int               `yaml:"runAsGroup"`
			Files   int               `yaml:"fsGroup"`
			Seccomp map[string]string `yaml:"seccompProfile"`
		} `yaml:"securityContext"`
		Affinity struct {
			Anti struct {
				Required []struct {
					Key      string   `yaml:"topologyKey"`
					Selector selector `yaml:"labelSelector"`
				} `yaml:"requiredDuringSchedulingIgnoredDuringExecution"`
			} `yaml:"podAntiAffinity"`
		} `yaml:"affinity"`
		Containers []container `yaml:"containers"`
		Volumes    []struct {
			Name   string    `yaml:"name"`
			Empty  *struct{} `yaml:"emptyDir"`
			Secret struct {
				Name string `yaml:"secretName"`
				Mode int    `yaml:"defaultMode"`
			} `yaml:"secret"`
		} `yaml:"volumes"`
	}
	container struct {
		Name   string   `yaml:"name"`
		Image  string   `yaml:"image"`
		Pull   string   `yaml:"imagePullPolicy"`
		Args   []string `yaml:"args"`
		Values []struct {
			Name  string `yaml:"name"`
			Value string `yaml:"value"`
			From  struct {
				Field map[string]string `yaml:"fieldRef"`
			} `yaml:"valueFrom"`
		} `yaml:"env"`
		Ports []struct {
			Name string `yaml:"name"`
			Port int    `yaml:"containerPort"`
		} `yaml:"ports"`
		Startup   probe     `yaml:"startupProbe"`
		Readiness probe     `yaml:"readinessProbe"`
		Liveness  probe     `yaml:"livenessProbe"`
		Resources resources `yaml:"resources"`
		Security  struct {
			Escalation   bool                `yaml:"allowPrivilegeEscalation"`
			ReadOnly     bool                `yaml:"readOnlyRootFilesystem"`
			Capabilities map[string][]string `yaml:"capabilities"`
		} `yaml:"securityContext"`
		Mounts []struct {
			Name     string `yaml:"name"`
			Path     string `yaml:"mountPath"`
			ReadOnly bool   `yaml:"readOnly"`
		} `yaml:"volumeMounts"`
	}
	probe struct {
		Get struct {
			Path string `yaml:"path"`
			Port string `yaml:"port"`
		} `yaml:"httpGet"`
		Period   int `yaml:"periodSeconds"`
		Failures int `yaml:"failureThreshold"`
	}
	resources struct {
		Requests map[string]string `yaml:"requests"`
	}
)

// TestKubernetes: Service, budget and StatefulSet name the same pods and ports, and the pods' arguments are a node's.
func TestKubernetes(t *testing.T) {
	var s headless
	var b budget
	var set stateful
	decoder := documents(t, "kubernetes.yaml")
	for _, into := range []any{&s, &b, &set} {
		if err := decoder.Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	var more any
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		t.Errorf("after the last document: %v", err)
	}
	equal(t, "Service", s.APIVersion+" "+s.Kind+" "+s.Spec.ClusterIP, "v1 Service None")
	equal(t, "PodDisruptionBudget", b.APIVersion+" "+b.Kind, "policy/v1 PodDisruptionBudget")
	equal(t, "StatefulSet", set.APIVersion+" "+set.Kind, "apps/v1 StatefulSet")
	equal(t, "service of the pods", set.Spec.Service, s.Metadata.Name)
	labels := fmt.Sprint(set.Spec.Template.Metadata.Labels)
	anti := set.Spec.Template.Spec.Affinity.Anti.Required[0]
	for what, other := range map[string]map[string]string{
		"Service": s.Spec.Selector, "PodDisruptionBudget": b.Spec.Selector.MatchLabels, "StatefulSet": set.Spec.Selector.MatchLabels, "podAntiAffinity": anti.Selector.MatchLabels,
	} {
		equal(t, "labels of "+what, fmt.Sprint(other), labels)
	}
	if !s.Spec.Publish || set.Spec.Policy != "Parallel" {
		t.Error("a node is ready when two of three are there: they begin together, and find each other before")
	}
	equal(t, "maxUnavailable", b.Spec.Unavailable, 1)
	nodePorts(t, s, set)
	nodeFiles(t, set)
}

// nodePorts checks arguments, ports and probes.
func nodePorts(t *testing.T, s headless, set stateful) {
	t.Helper()
	c := set.Spec.Template.Spec.Containers[0]
	line := lineOf(t, c.Args)
	equal(t, "--name", flag(t, line, "name"), "$("+c.Values[0].Name+")")
	equal(t, "its value", c.Values[0].From.Field["fieldPath"], "metadata.name")
	var join []string
	for i := range set.Spec.Replicas {
		join = append(join, fmt.Sprintf("%s-%d.%s:6222", set.Metadata.Name, i, s.Metadata.Name))
	}
	equal(t, "--join", flag(t, line, "join"), "["+strings.Join(join, ",")+"]")
	ports := map[string]string{"clients": portOf(t, line, "listen"), "nodes": "6222", "status": portOf(t, line, "status")}
	for _, p := range c.Ports {
		equal(t, "containerPort "+p.Name, strconv.Itoa(p.Port), ports[p.Name])
	}
	for _, p := range s.Spec.Ports {
		equal(t, "port "+p.Name, strconv.Itoa(p.Port)+" "+p.Target, ports[p.Name]+" "+p.Name)
	}
	equal(t, "ports", len(c.Ports)+len(s.Spec.Ports), 2*len(ports))
	equal(t, "port of figures", set.Spec.Template.Metadata.Annotations["prometheus.io/port"], ports["status"])
	for _, p := range []probe{c.Startup, c.Readiness, c.Liveness} {
		equal(t, "probe", p.Get.Path+" "+p.Get.Port, "/healthz status")
	}
}

// nodeFiles checks volumes, secrets and paths.
func nodeFiles(t *testing.T, set stateful) {
	t.Helper()
	c := set.Spec.Template.Spec.Containers[0]
	volumes := map[string]string{} // by name, with the secret
	for _, v := range set.Spec.Template.Spec.Volumes {
		volumes[v.Name] = v.Secret.Name
	}
	for _, v := range set.Spec.Claims {
		volumes[v.Metadata.Name] = ""
	}
	mounts := map[string]string{}
	for _, m := range c.Mounts {
		secret, ok := volumes[m.Name]
		if !ok || m.ReadOnly != (secret != "") {
			t.Errorf("mount %s: no such volume, or secrets that can be written", m.Name)
		}
		mounts[m.Name] = m.Path
	}
	equal(t, "mounts", len(mounts), len(volumes))
	line := lineOf(t, c.Args)
	below(t, mounts["data"], line.Flags().Arg(0))
	equal(t, "HOME", c.Values[1].Name+" "+c.Values[1].Value, "HOME "+mounts["data"])
	below(t, mounts["token"], flag(t, line, "credentials"))
	for _, key := range []string{"tls-ca", "tls-cert", "tls-key"} {
		below(t, mounts["tls"], flag(t, line, key))
	}
}
