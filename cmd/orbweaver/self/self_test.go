package self

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/doctor"
	"orbweaver/internal/job"
)

// ran runs a verb and returns what it prints.
func ran(t *testing.T, b built.Build, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}}
	root := &cobra.Command{Use: "orbweaver", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(Version(a, b), Doctor(a, b))
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

// TestVersion: as text and as JSON, of a release and of a program that knows nothing of itself.
func TestVersion(t *testing.T) {
	at := time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC)
	on := " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for _, tc := range []struct {
		build built.Build
		text  string
		keys  int
	}{
		{built.Build{Version: "v1.2.3", Commit: "abc", Modified: true, Time: &at, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}, "orbweaver v1.2.3 (commit abc, modified)" + on, 6},
		{built.Of("", "", nil), "orbweaver unversioned (commit unknown)" + on, 3},
		{built.Of("v2", "def", nil), "orbweaver v2 (commit def)" + on, 4},
	} {
		if got, err := ran(t, tc.build, "version"); err != nil || got != tc.text {
			t.Errorf("%q, %v, want %q", got, err, tc.text)
		}
		var object map[string]any
		got, err := ran(t, tc.build, "version", "--format", "json")
		if err != nil || json.Unmarshal([]byte(got), &object) != nil || len(object) != tc.keys || object["version"] != tc.build.Version {
			t.Errorf("%s, %v", got, err)
		}
	}
	if _, err := ran(t, built.Build{}, "version", "x"); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
}

// TestDoctor: a problem is an error, after the report; a crawl file that cannot be read is bad input.
func TestDoctor(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"well.yaml": "seeds: [http://127.0.0.1:9/]\nfocus: {keyword: {terms: [glider]}}\n",
		"ill.yaml":  "seeds: [http://127.0.0.1:9/]\nfocus: {keyword: {terms: [glider]}}\nhttp: [{hosts: [a.test], auth: {bearer: {env: DOCTOR_NONE}}}]\n",
		"bad.yaml":  "seds: []\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		args []string
		says string // of the output
		err  string // empty: none
	}{
		{[]string{"well.yaml"}, "not asked: no seed has a host with a name", ""},
		{[]string{"ill.yaml"}, "problem  logins   ill.yaml: http[1].auth.bearer.env: the environment has no DOCTOR_NONE", "doctor: 1 problem"},
		{[]string{"bad.yaml"}, "", "bad.yaml:1: seds: unknown key"},
		{[]string{"well.yaml", "ill.yaml"}, "", "doctor: want at most one crawl file, have 2"},
	} {
		got, err := ran(t, built.Build{}, append([]string{"doctor"}, tc.args...)...)
		if !strings.Contains(got, tc.says) || tc.says == "" && got != "" || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%v: %v\n%s", tc.args, err, got)
		}
	}
	got, err := ran(t, built.Build{}, "doctor", "ill.yaml", "--format", "json")
	var r doctor.Report
	if json.Unmarshal([]byte(got), &r) != nil || r.State != doctor.Problem || err == nil {
		t.Errorf("%v\n%s", err, got)
	}
	if left, _ := filepath.Glob(".orbweaver*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAt: a server that answers is well, one that says it is not, or that is gone, is not.
func TestAt(t *testing.T) {
	status := http.StatusUnauthorized
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	if got, err := ran(t, built.Build{}, "doctor", "--at", server.URL); err != nil || got != server.URL+" answers 401 Unauthorized\n" {
		t.Errorf("%q, %v", got, err)
	}
	status = http.StatusServiceUnavailable
	if _, err := ran(t, built.Build{}, "doctor", "--at", server.URL); err == nil || !strings.Contains(err.Error(), "answers 503") {
		t.Error(err)
	}
	server.Close()
	if _, err := ran(t, built.Build{}, "doctor", "--at", server.URL); err == nil {
		t.Error("a server that is gone is well")
	}
}
