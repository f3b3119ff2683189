package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"orbweaver/internal/built"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
)

// deployed parses a command line of a file of deploy as the program does, and returns its flags.
func deployed(t *testing.T, args []string) map[string]string {
	t.Helper()
	c, rest, err := Root(new(job.Job), built.Build{}).Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	flags := map[string]string{}
	for _, name := range []string{"listen", "archived-port", "token", "at"} {
		if f := c.Flags().Lookup(name); f != nil {
			flags[name] = f.Value.String()
		}
	}
	return flags
}

// TestDeployStudio: the Compose file of the studio is a command line of the program, whose ports and token it has.
func TestDeployStudio(t *testing.T) {
	var file struct {
		Services map[string]struct {
			Command, Ports, Secrets, Volumes []string
			Healthcheck                      struct{ Test []string }
		}
		Volumes, Secrets map[string]any
	}
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "deploy", "studio.yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := file.Services["studio"]
	flags := deployed(t, s.Command)
	_, port, _ := strings.Cut(flags["listen"], ":")
	for _, p := range []string{port, flags["archived-port"]} {
		if want := "127.0.0.1:" + p + ":" + p; !slices.Contains(s.Ports, want) {
			t.Errorf("no port %s in %q", want, s.Ports)
		}
	}
	if !slices.Equal(s.Secrets, []string{"token"}) || flags["token"] != "@/run/secrets/token" || file.Secrets["token"] == nil {
		t.Errorf("secrets %q, --token %s", s.Secrets, flags["token"])
	}
	if !slices.Equal(s.Volumes, []string{"data:/data"}) || file.Volumes["data"] == nil {
		t.Errorf("volumes %q", s.Volumes)
	}
	test := s.Healthcheck.Test
	if len(test) < 3 || test[0] != "CMD" || test[1] != "/usr/local/bin/orbweaver" {
		t.Fatalf("health check %q", test)
	}
	if at := deployed(t, test[2:])["at"]; at != "http://127.0.0.1:"+port+"/" {
		t.Errorf("the health check asks %s", at)
	}
}

// TestDeployUnits: what the units of systemd start is a command line of the program, and both work in one folder as one user.
func TestDeployUnits(t *testing.T) {
	var shared []string
	for _, name := range []string{"orbweaver-studio.service", "orbweaver-watch@.service"} {
		text := string(read(t, filepath.Join(realdata.Root(t), "deploy", name)))
		var same []string
		started := false
		for line := range strings.Lines(text) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			switch key {
			case "ExecStart":
				words := strings.Fields(value)
				if words[0] != "/usr/local/bin/orbweaver" {
					t.Errorf("%s starts %s", name, words[0])
				}
				deployed(t, words[1:])
				started = true
			case "User", "DynamicUser", "StateDirectory", "WorkingDirectory", "Environment":
				same = append(same, key+"="+value)
			}
		}
		if !started || len(same) != 5 || shared != nil && !slices.Equal(shared, same) {
			t.Errorf("%s: started %v, %q, the other %q", name, started, same, shared)
		}
		shared = same
	}
}
