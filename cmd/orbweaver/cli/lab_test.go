package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
)

// TestSwgetResults: a traversal prints its result nodes with their paths, saves the data of their documents, and an error
// points at the place in the expression.
func TestSwgetResults(t *testing.T) {
	dir := t.TempDir()
	saved := filepath.Join(dir, "graph.nq")
	documents := "http://harbour.example/=" + filepath.Join(realdata.Root(t), "examples/harbour.ttl")
	status, out, errs := execute(t, "lab", "swget", "<http://harbour.example/terms#Ship> (^<rdfs:subClassOf>)+", "--documents", documents,
		"--paths", "--save", saved, "--output", filepath.Join(dir, "crawl"))
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{"#Ferry\t1\t", "#Barque\t2\thttp://harbour.example/terms#Ship -> ^subClassOf -> http://harbour.example/terms#SailingShip -> "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if b, err := os.ReadFile(saved); err != nil || bytes.Count(b, []byte(" <http://harbour.example/terms> .\n")) != 29 {
		t.Errorf("%v\n%s", err, b)
	}
	status, _, errs = execute(t, "lab", "swget", "<http://harbour.example/terms#Ship> (^<rdfs:subClassOf>", "--documents", documents)
	if status != 2 || !strings.Contains(errs, "\norbweaver:   <") || !strings.Contains(errs, strings.Repeat(" ", 55)+"^\n") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestSimulateMisused(t *testing.T) {
	for _, args := range []string{"--pages 1.5", "--pages 0", "--pages NaN", "--requests 0", "--focus oracle", "--pages 10 --hosts 11", "--hosts -1", "more"} {
		status, stdout, stderr := execute(t, strings.Fields("lab simulate "+args)...)
		if status != exitInput || stdout != "" || stderr == "" {
			t.Errorf("%s: status %d\n%s%s", args, status, stdout, stderr)
		}
	}
}
