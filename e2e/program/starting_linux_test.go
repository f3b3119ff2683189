//go:build e2e

package program_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/cli"
	"orbweaver/internal/built"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/all"
)

// gliders is a site of a few pages about gliders and a few about gardens.
func gliders(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<title>Gliders</title><p>glider and airplane <a href="/one">a glider</a> <a href="/two">another glider</a>`)
		case "/one", "/two":
			fmt.Fprintf(w, `<title>%s</title><p>glider %s <a href="/">gliders</a>`, r.URL.Path, r.URL.Path)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// openPrivate lets the crawl of a folder reach this machine, as its user would.
func openPrivate(t *testing.T, folder string) {
	t.Helper()
	file := filepath.Join(folder, "crawl.yaml")
	write(t, file, strings.Replace(string(read(t, file)), "allow_private: false", "allow_private: [127.0.0.0/8]", 1))
}

// TestCrawlWithoutAFile: seeds and terms of the command line leave a crawl file in the folder; mended there, the same
// command goes on.
func TestCrawlWithoutAFile(t *testing.T) {
	t.Parallel()
	dir, site := t.TempDir(), gliders(t)
	crawl := func(in string, want int, args ...string) string {
		t.Helper()
		c := program(t, dir, append([]string{"crawl"}, args...)...)
		c.Stdin = strings.NewReader(in)
		out, _ := c.CombinedOutput()
		if c.ProcessState.ExitCode() != want {
			t.Fatalf("%v: exit status %d, want %d\n%s", args, c.ProcessState.ExitCode(), want, out)
		}
		return string(out)
	}
	command := []string{site + "/", "--terms", "airplane, glider", "--terms", "sail plane"}
	if told := crawl("", exitNothing, command...); !strings.Contains(told, "allow_private: [127.0.0.0/8]") {
		t.Errorf("no mend in\n%s", told)
	}
	folder := filepath.Join(dir, "crawls", strings.NewReplacer("http://", "", ":", "-").Replace(site))
	openPrivate(t, folder)
	if told := crawl("", exitDone, append(command, "--requests", "1")...); !strings.Contains(told, "limit of requests after 1 requests") {
		t.Errorf("not by its limit:\n%s", told)
	}
	if told := crawl("", exitDone, append(command, "--requests", "50")...); !strings.Contains(told, "pages fetched    3\n") {
		t.Errorf("it did not go on:\n%s", told)
	}
	c, err := all.Kinds().Schema().LoadRun(filepath.Join(folder, "crawl.yaml"))
	if err != nil || fmt.Sprint(reflect.ValueOf(c.Focus.Section()).Elem().FieldByName("Terms")) != "[airplane glider sail plane]" || c.Limits.Requests != 50 || len(c.AllowPrivate.Networks) != 1 {
		t.Errorf("the file left is %+v, %v", c, err)
	}
	before := string(read(t, filepath.Join(folder, "pages.jsonl")))
	if told := crawl("", exitDone, command...); !strings.Contains(told, "This crawl was over before") {
		t.Errorf("again:\n%s", told)
	}
	if after := string(read(t, filepath.Join(folder, "pages.jsonl"))); after != before {
		t.Errorf("it changed:\n%s\n%s", before, after)
	}
	if told := crawl("", exitInput, site+"/", "--terms", "gardens"); !strings.Contains(told, "airplane, glider, sail plane, seeds ") {
		t.Errorf("another crawl in its folder: %s", told)
	}
}

// TestLimitsByFlags: --allow-private and --limit do what their keys do, and the folder's file has them.
func TestLimitsByFlags(t *testing.T) {
	t.Parallel()
	dir, site := t.TempDir(), gliders(t)
	c := program(t, dir, "crawl", site+"/", "--terms", "glider", "--allow-private", "--limit", "2", "-o", "mine")
	if out, _ := c.CombinedOutput(); c.ProcessState.ExitCode() != exitDone || !strings.Contains(string(out), "limit of pages after 2 requests") {
		t.Fatalf("exit status %d\n%s", c.ProcessState.ExitCode(), out)
	}
	file, err := all.Kinds().Schema().LoadRun(filepath.Join(dir, "mine", "crawl.yaml"))
	if err != nil || file.Limits.Pages != 2 || !file.AllowPrivate.All {
		t.Errorf("the file left is %+v, %v", file, err)
	}
}

// TestSeedsOfStandardInput: - reads seeds, which the folder keeps.
func TestSeedsOfStandardInput(t *testing.T) {
	t.Parallel()
	dir, site := t.TempDir(), gliders(t)
	in := "# mine\n" + site + "/one\n\n" + site + "/two\n" + site + "/one\n"
	run := func(in string, args ...string) (int, string) {
		c := program(t, dir, append([]string{"crawl", "-", "-o", "mine", "--terms", "glider"}, args...)...)
		c.Stdin = strings.NewReader(in)
		out, _ := c.CombinedOutput()
		return c.ProcessState.ExitCode(), string(out)
	}
	if status, told := run(in); status != exitNothing {
		t.Fatalf("exit status %d\n%s", status, told)
	}
	openPrivate(t, filepath.Join(dir, "mine"))
	if status, told := run(in, "--requests", "2"); status != exitDone || !strings.Contains(told, "pages fetched    2\n") {
		t.Errorf("exit status %d\n%s", status, told)
	}
	if kept := string(read(t, filepath.Join(dir, "mine/seeds.txt"))); kept != site+"/one\n"+site+"/two\n" {
		t.Errorf("seeds.txt is %q", kept)
	}
	if status, told := run(in+"nonsense\nhttp://u:pw@a.test/\n", "-o", "other"); status != exitInput ||
		!strings.Contains(told, `standard input:6: bad URL "nonsense"`) || !strings.Contains(told, "standard input:7: ") {
		t.Errorf("bad seeds: exit status %d\n%s", status, told)
	}
	if _, err := os.Stat(filepath.Join(dir, "other")); err == nil {
		t.Error("a folder was made of bad seeds")
	}
	if status, told := run("# nothing\n"); status != exitInput || !strings.Contains(told, "holds no URL") {
		t.Errorf("no seeds: exit status %d\n%s", status, told)
	}
}

// TestQuickCommandLines: what makes no sense is told before anything is written.
func TestQuickCommandLines(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"http://a.test/"}, "want URLs with --terms WORDS"},
		{[]string{"http://a.test/", "--terms", " , "}, "--terms names no word"},
		{[]string{"http://a.test/", "f.yaml", "--terms", "x"}, `bad URL "f.yaml"`},
		{[]string{"f.yaml", "--terms", "x"}, "f.yaml is read as a crawl file"},
		{[]string{"http://a.test/", "--terms", "x", "--requests", "-1"}, "--requests and --limit want numbers above 0"},
		{[]string{"http://a.test/", "--terms", "x", "--refresh", "1h"}, "--refresh takes the crawl file"},
		{[]string{"http://a.test/", "--terms", "x", "--contact", "a(b"}, "politeness.contact: holds a parenthesis"},
		{[]string{"a.yaml", "b.yaml"}, "want one crawl file, have 2 arguments"},
	} {
		status, _, stderr := execute(t, append([]string{"crawl"}, tc.args...)...)
		if status != exitInput || !strings.Contains(stderr, tc.want) {
			t.Errorf("%v: exit status %d, %s; want %s", tc.args, status, stderr, tc.want)
		}
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
}

// TestInit: what it writes loads and crawls, and nothing is written over.
func TestInit(t *testing.T) {
	dir, site := t.TempDir(), gliders(t)
	t.Chdir(dir)
	if status, stdout, stderr := execute(t, "init", "bikes"); status != exitDone || !strings.Contains(stdout, "orbweaver crawl bikes/bikes.yaml") {
		t.Fatalf("exit status %d\n%s%s", status, stdout, stderr)
	}
	loads(t, "bikes/bikes.yaml", string(read(t, "bikes/bikes.yaml")))
	if status, stdout, _ := execute(t, "ontology", "check", "bikes/topic.ttl", "--target", "Bicycle"); status != exitDone || !strings.Contains(stdout, "no problems found") {
		t.Errorf("its ontology: exit status %d\n%s", status, stdout)
	}
	before := tree(t, ".")
	if status, _, stderr := execute(t, "init", "bikes"); status != exitInput || !strings.Contains(stderr, "bikes/bikes.yaml exists already") || tree(t, ".") != before {
		t.Errorf("a second time: exit status %d\n%s", status, stderr)
	}
	text := string(read(t, "bikes/bikes.yaml"))
	for old, mended := range map[string]string{"https://example.org/": site + "/", "# allow_private": "allow_private", "delay: 1s": "delay: 1ms", "\n# time": "\n  time", "\n# per_host": "\n  per_host", "\n# contact": "\n  contact"} {
		if !strings.Contains(text, old) {
			t.Errorf("no %q in\n%s", old, text)
		}
		text = strings.Replace(text, old, mended, 1)
	}
	write(t, "bikes/bikes.yaml", text)
	if status, stdout, stderr := execute(t, "crawl", "bikes/bikes.yaml"); status != exitDone || !strings.Contains(stdout, "pages fetched    3\n") {
		t.Errorf("exit status %d\n%s%s", status, stdout, stderr)
	}
}

// TestInitWords: three words and a page to begin with are enough for a crawl file, which crawls as it is.
func TestInitWords(t *testing.T) {
	dir, site := t.TempDir(), gliders(t)
	t.Chdir(dir)
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--terms", " , "}, "--terms names no word: what is the crawl about?"},
		{[]string{"--terms", "x", "--seed", "not a url"}, `--seed "not a url" is no URL of a page, such as https://example.org/`},
		{[]string{"--seed", "example.org"}, `--seed "example.org" is no URL of a page, such as https://example.org/`},
		{[]string{"--contact", "me (at) example.org"}, "command line:10: politeness.contact: holds a parenthesis or backslash (a URL or an e-mail address is wanted)"},
	} {
		if status, _, stderr := execute(t, append([]string{"init", "gliding"}, tc.args...)...); status != exitInput || stderr != "orbweaver: "+tc.want+"\n" {
			t.Errorf("%v: exit status %d, %s", tc.args, status, stderr)
		}
		if left, _ := os.ReadDir("."); len(left) > 0 {
			t.Errorf("%v was written", left)
		}
	}
	status, stdout, stderr := execute(t, "init", "gliding", "--terms", `glider, "soaring" flight, winch`, "--seed", site+"/", "--contact", "me@example.org")
	if strings.Contains(stdout, "contact") {
		t.Errorf("a contact is asked for, and was given:\n%s", stdout)
	}
	if status != exitDone || !strings.Contains(stdout, "orbweaver crawl gliding/gliding.yaml") || strings.Contains(stdout, "seeds") {
		t.Fatalf("exit status %d\n%s%s", status, stdout, stderr)
	}
	if left, _ := os.ReadDir("gliding"); len(left) != 1 {
		t.Errorf("%v was written", left)
	}
	text := string(read(t, "gliding/gliding.yaml"))
	for _, want := range []string{`- "glider"`, `- "\"soaring\" flight"`, `- "` + site + `/"`, "# When it ends.", `  contact: "me@example.org"`, "orbweaver crawl gliding.yaml"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if status, _, stderr := execute(t, "judge", "gliding/gliding.yaml", site+"/"); status != exitFailed || !strings.Contains(stderr, "if this network is yours, write allow_private: [127.0.0.0/8]") {
		t.Errorf("exit status %d, %s", status, stderr)
	}
	write(t, "gliding/gliding.yaml", strings.NewReplacer("# allow_private", "allow_private", "delay: 1s", "delay: 1ms").Replace(text))
	if status, stdout, stderr := execute(t, "crawl", "gliding/gliding.yaml"); status != exitDone || !strings.Contains(stdout, "pages fetched    3\n") {
		t.Errorf("exit status %d\n%s%s", status, stdout, stderr)
	}
}

// TestQuickBegins: a quick crawl that begins does not speak of sessions before it; one that begins again does.
func TestQuickBegins(t *testing.T) {
	t.Chdir(t.TempDir())
	site := gliders(t)
	for i, said := range []bool{false, true} {
		if status, _, stderr := execute(t, "crawl", site+"/", "--terms", "glider", "-o", "out"); status != exitNothing || strings.Contains(stderr, "the crawl begins afresh") != said {
			t.Errorf("session %d: exit status %d, %s", i+1, status, stderr)
		}
	}
}

// TestVersion: version, commit and Go.
func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	for _, tc := range []struct {
		stamped, commit string
		info            *debug.BuildInfo
		want            string
	}{
		{"v2-1-gabc", "", info, "v2-1-gabc (commit abc, modified) go1."}, {"", "", info, "v1.2.3 (commit abc, modified) go1."},
		{"", "", nil, "unversioned (commit unknown) go1."}, {"v2", "def", nil, "v2 (commit def) go1."},
	} {
		if got := built.Of(tc.stamped, tc.commit, tc.info).String(); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s, want %s", got, tc.want)
		}
	}
	if status, stdout, _ := execute(t, "--version"); status != exitDone || !strings.HasPrefix(stdout, "orbweaver ") || strings.Count(stdout, "\n") != 1 {
		t.Errorf("--version: exit status %d, %q", status, stdout)
	}
}

// TestShells: scripts of completion for each shell, folders of crawls completed, a man page a verb.
func TestShells(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, shell := range []string{"bash", "zsh", "fish"} {
		status, stdout, _ := execute(t, "completion", shell)
		if status != exitDone || !strings.Contains(stdout, "orbweaver") {
			t.Errorf("%s: exit status %d, %.200q", shell, status, stdout)
		}
		if path, err := exec.LookPath(shell); err == nil {
			check := exec.Command(path, "-n")
			check.Stdin = strings.NewReader(stdout)
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s does not read it: %v %s", shell, err, out)
			}
		}
	}
	write(t, "crawls/one/crawl.yaml", "")
	write(t, "elsewhere/two/crawl.yaml", "")
	for begun, want := range map[string]string{"": "crawls/one\n:4\n", "crawls/o": "crawls/one\n:4\n", "elsewhere/": "elsewhere/two\n:4\n", "no": ":16\n"} {
		if _, stdout, _ := execute(t, "__complete", "status", begun); stdout != want {
			t.Errorf("status %q completes to %q, want %q", begun, stdout, want)
		}
	}
	if _, stdout, _ := execute(t, "__complete", "crawl", ""); stdout != "yaml\nyml\n:8\n" {
		t.Errorf("crawl completes to %q", stdout)
	}
	if status, _, stderr := execute(t, "man", "man/man1"); status != exitDone {
		t.Fatal(stderr)
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if !c.IsAvailableCommand() {
			return
		}
		if page, err := os.ReadFile("man/man1/" + strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"); err != nil || !strings.Contains(string(page), ".SH EXAMPLE") {
			t.Errorf("%s: %v, %.100q", c.CommandPath(), err, page)
		}
	}
	visit(cli.Root(new(job.Job), built.Build{}))
}

// TestLogs: what is shown by each flag, and what the folder keeps; the summary goes to standard output in any case.
func TestLogs(t *testing.T) {
	site := gliders(t)
	for _, tc := range []struct {
		flags []string
		want  []string // of standard error; none: it is empty
	}{
		{nil, []string{"warning: politeness.contact is missing", " pages/s, 3 accepted, 1 failed, 0 waiting, 1 hosts, 40 % of the limit"}},
		{[]string{"-q"}, nil},
		{[]string{"-v"}, []string{"level=DEBUG msg=fetched n=1 url=" + site + "/", "level=INFO msg=failed", "level=WARN msg=\"politeness.contact"}},
		{[]string{"--log-format", "json"}, []string{`"level":"INFO","msg":"begins"`, `"level":"WARN","msg":"seed without a page","url":"` + site + `/none"`, `"msg":"ends","why":"nothing waits"`}},
		{[]string{"-q", "-v"}, []string{"--quiet and --verbose exclude each other"}},
		{[]string{"--log-format", "xml"}, []string{"--log-format is text or json"}},
	} {
		folder := t.TempDir()
		t.Chdir(folder)
		write(t, "f.yaml", fmt.Sprintf("seeds: [%s/, %s/none]\nfocus: {breadth_first: {}}\nallow_private: [127.0.0.0/8]\nlimits: {requests: 10}\npoliteness: {delay: 1ms}\noutput: crawl\n", site, site))
		_, stdout, stderr := execute(t, append([]string{"crawl", "f.yaml"}, tc.flags...)...)
		for _, want := range tc.want {
			if !strings.Contains(stderr, want) {
				t.Errorf("%v: no %q in\n%s", tc.flags, want, stderr)
			}
		}
		if tc.want == nil && stderr != "" {
			t.Errorf("%v: %q", tc.flags, stderr)
		}
		if stdout == "" {
			continue // it made no sense
		}
		kept := string(read(t, "crawl/log.jsonl"))
		for _, want := range []string{`"msg":"begins"`, `"msg":"failed"`, `"msg":"seed without a page"`, `"msg":"ends"`} {
			if !strings.Contains(kept, want) {
				t.Errorf("%v: the folder's log lacks %s:\n%s", tc.flags, want, kept)
			}
		}
	}
}
