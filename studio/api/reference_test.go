package api_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"orbweaver/internal/realdata"
)

var update = flag.Bool("update", false, "write docs/reference/api.md")

// apiHead begins the reference of the API.
const apiHead = `# The studio's API

<!-- Generated from studio/api/openapi.yaml; after changing it run:
     go test ./studio/api -run TestReference -update -->

For programmers: every operation of the API that ` + "`orbweaver studio`" + ` serves at ` + "`/api/v1`" + `. Parameters, bodies, answers and errors are
described in OpenAPI 3.1 at ` + "`/api/v1/openapi.json`" + ` of a running studio, the same as [openapi.yaml](../../studio/api/openapi.yaml). How to let other
machines in: [studio](../howto/studio.md).

`

// TestReference: docs/reference/api.md lists the operations of openapi.yaml, in their order.
func TestReference(t *testing.T) {
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Info  struct{ Description string }
		Tags  []struct{ Name, Description string }
		Paths yaml.MapSlice
	}
	if err := yaml.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	rows := map[string]*strings.Builder{}
	for _, tag := range described.Tags {
		rows[tag.Name] = new(strings.Builder)
	}
	for _, path := range described.Paths {
		operations, ok := path.Value.(map[string]any)
		if !ok {
			t.Fatalf("%v: %T", path.Key, path.Value)
		}
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			o, ok := operations[method].(map[string]any)
			if !ok {
				continue
			}
			for _, tag := range o["tags"].([]any) {
				fmt.Fprintf(rows[tag.(string)], "| `%s %s` | %s |\n", strings.ToUpper(method), path.Key, strings.ReplaceAll(o["summary"].(string), "|", `\|`))
			}
		}
	}
	var want strings.Builder
	want.WriteString(apiHead + strings.TrimSpace(described.Info.Description) + "\n")
	for _, tag := range described.Tags {
		fmt.Fprintf(&want, "\n## %s\n\n%s.\n\n| operation | does |\n|---|---|\n%s", strings.ToUpper(tag.Name[:1])+tag.Name[1:], tag.Description, rows[tag.Name])
	}
	path := filepath.Join(realdata.Root(t), "docs", "reference", "api.md")
	if *update {
		if err := os.WriteFile(path, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != want.String() {
		t.Errorf("docs/reference/api.md is stale: go test ./studio/api -run TestReference -update (%v)", err)
	}
}
