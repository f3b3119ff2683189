package cluster

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
)

// A composeFile is what deploy/compose.yaml uses of the Compose specification. A key that it lacks is an error.
type composeFile struct {
	Name     string             `yaml:"name"`
	Node     any                `yaml:"x-node"`
	Services map[string]service `yaml:"services"`
	Volumes  map[string]struct {
	} `yaml:"volumes"`
	Networks map[string]struct {
	} `yaml:"networks"`
	Secrets map[string]struct {
		File string `yaml:"file"`
	} `yaml:"secrets"`
}

type service struct {
	Image       string            `yaml:"image"`
	Init        bool              `yaml:"init"`
	Restart     string            `yaml:"restart"`
	Grace       string            `yaml:"stop_grace_period"`
	Environment map[string]string `yaml:"environment"`
	Networks    []string          `yaml:"networks"`
	Hostname    string            `yaml:"hostname"`
	Command     []string          `yaml:"command"`
	Volumes     []string          `yaml:"volumes"`
	Secrets     []string          `yaml:"secrets"`
	Ports       []string          `yaml:"ports"`
}

// TestCompose: the services are nodes of one cluster, whose flags, ports, volumes and secrets fit each other.
func TestCompose(t *testing.T) {
	var file composeFile
	decoder := documents(t, "compose.yaml")
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(file.Services))
	var join []string
	for _, name := range names {
		join = append(join, name+":6222")
	}
	published := map[string]string{}
	secrets := map[string]bool{}
	for _, name := range names {
		s := file.Services[name]
		c := lineOf(t, s.Command)
		equal(t, name+": --name", flag(t, c, "name"), name)
		equal(t, name+": --join", flag(t, c, "join"), "["+strings.Join(join, ",")+"]")
		equal(t, name+": volume", strings.Join(s.Volumes, " "), name+":/data")
		below(t, "/data", c.Flags().Arg(0))
		below(t, "/data", s.Environment["HOME"]+"/.")
		if _, ok := file.Volumes[name]; !ok {
			t.Errorf("%s: no volume of this name", name)
		}
		for _, network := range s.Networks {
			if _, ok := file.Networks[network]; !ok {
				t.Errorf("%s: no network %s", name, network)
			}
		}
		for _, key := range []string{"credentials", "tls-ca", "tls-cert", "tls-key"} {
			secret := strings.TrimPrefix(flag(t, c, key), "/run/secrets/")
			if !slices.Contains(s.Secrets, secret) {
				t.Errorf("%s: --%s %s is no secret of the service", name, key, flag(t, c, key))
			}
			equal(t, name+": file of secret "+secret, file.Secrets[secret].File, "keys/"+secret)
			secrets[secret] = true
		}
		for _, port := range s.Ports {
			host, inside, _ := cutLast(port)
			if published[host] != "" || !strings.HasPrefix(host, "127.0.0.1:") {
				t.Errorf("%s: port %s is published twice, or beyond this machine", name, host)
			}
			published[host] = name
			if inside != portOf(t, c, "listen") && inside != portOf(t, c, "status") {
				t.Errorf("%s: nothing listens at port %s", name, inside)
			}
		}
	}
	equal(t, "services, volumes", len(names), len(file.Volumes))
	equal(t, "secrets that are used, and all", len(secrets), len(file.Secrets))
	equal(t, "published ports", len(published), 2*len(names))
	var more any
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		t.Errorf("after the first document: %v", err)
	}
}

// TestPage: the nodes of docs/howto/cluster.md have flags of the program.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "docs", "howto", "cluster.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "  #")
		words := strings.Fields(line)
		if len(words) < 3 || words[1] != "cluster" || words[0] != "orbweaver" && words[0] != "on" {
			continue
		}
		parsed(t, words[1:])
		ran++
	}
	if ran < 4 {
		t.Errorf("%d commands", ran)
	}
}

// documents decodes the documents of a file of deploy, and refuses keys that it does not know.
func documents(t *testing.T, name string) *yaml.Decoder {
	t.Helper()
	f, err := os.Open(filepath.Join(realdata.Root(t), "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return yaml.NewDecoder(f, yaml.Strict())
}

// lineOf parses the arguments of a node in a container, and checks what holds of each.
func lineOf(t *testing.T, args []string) *cobra.Command {
	t.Helper()
	c := parsed(t, args)
	equal(t, "verb", c.CommandPath(), "orbweaver cluster")
	for _, key := range []string{"listen", "status"} {
		if !strings.HasPrefix(flag(t, c, key), "0.0.0.0:") {
			t.Errorf("--%s %s is not reached from outside the container", key, flag(t, c, key))
		}
	}
	return c
}

// parsed parses arguments as the program does.
func parsed(t *testing.T, args []string) *cobra.Command {
	t.Helper()
	root := &cobra.Command{Use: "orbweaver"}
	root.AddCommand(Command(&job.Job{}))
	c, rest, err := root.Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return c
}

// flag is the value of a flag.
func flag(t *testing.T, c *cobra.Command, name string) string {
	t.Helper()
	f := c.Flags().Lookup(name)
	if f == nil {
		t.Fatalf("%s has no flag --%s", c.CommandPath(), name)
	}
	return f.Value.String()
}

// portOf is the port of a flag that is HOST:PORT.
func portOf(t *testing.T, c *cobra.Command, name string) string {
	t.Helper()
	_, port, ok := cutLast(flag(t, c, name))
	if _, err := strconv.ParseUint(port, 10, 16); err != nil || !ok {
		t.Errorf("--%s %s: no port", name, flag(t, c, name))
	}
	return port
}

// cutLast cuts around the last colon.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndex(s, ":")
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// below checks that a path is below a folder.
func below(t *testing.T, folder, path string) {
	t.Helper()
	if !strings.HasPrefix(path, folder+"/") {
		t.Errorf("%s is not below %s", path, folder)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
