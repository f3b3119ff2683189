//go:build e2e

package program_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/cmd/orbweaver/cli"
	"orbweaver/fetch/client"
	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/services/wire"
)

// unrun says how many blocks of commands no test runs as they stand, by the reason that a comment before the block gives.
var unrun = map[string]struct {
	blocks int
	why    string
}{
	"go":       {3, "they build or install from a checkout, which CI does"},
	"system":   {6, "they need docker, systemd, kubectl or openssl, or change the machine"},
	"machine":  {1, "what they say is about the machine: TestDoctor of cmd/orbweaver/self"},
	"hosts":    {5, "they ask hosts of the Web that answer for themselves"},
	"serves":   {8, "they run until they are ended: TestReplayEnds, TestServers, TestMCPOverPipes, TestClusterTutorial and the tests of package studio"},
	"running":  {2, "they need a crawl that runs: TestSteer"},
	"tutorial": {6, "they begin nodes: TestClusterTutorial runs them"},
	"cluster":  {6, "they need nodes: TestCluster of internal/cluster/node, TestPage of cmd/orbweaver/cluster"},
	"measures": {6, "they take minutes: each is a measurement, or a larger one of what runs here"},
	"data":     {8, "they need files that the project does not ship"},
	"input":    {1, "they read standard input"},
}

// fixtures are the crawls that pages speak of, by the name in a comment before a block. Each is made once.
var fixtures = map[string]string{
	"aircraft":    "orbweaver crawl examples/aircraft.yaml",
	"linked-data": "orbweaver crawl examples/linked-data.yaml",
	"crossref":    "orbweaver crawl examples/crossref.yaml",
	"planes": `cp examples/aircraft.ttl planes.ttl
cat > planes.yaml <<END
seeds: [http://tidings.example/]
web: {archive: examples/demo.warc.gz}
focus:
  ontology: {files: planes.ttl, target: Airplane}
limits: {requests: 200}
END
orbweaver crawl planes.yaml`,
	"live": `cat > live.yaml <<END
seeds: [https://example.com/]
focus: {keyword: {terms: [airplane, glider]}}
politeness: {contact: me@example.com}
END
orbweaver crawl live.yaml`,
}

// blocks of a page: a comment before, the language, the text.
var blocks = regexp.MustCompile("(?ms)^(?:<!-- ([^\n]*) -->\n)?```(\\w*)\n(.*?)^```")

// documents are the pages whose commands are run, and the web that these meet.
type documents struct {
	made  string // folder of fixtures
	have  map[string]bool
	run   runner
	unrun map[string]int
	ran   int
	said  string // what the last block of commands printed; empty: it was not run
}

// TestExamplesOfTheReadme: the commands of README.md, and of each page of docs/tutorial and docs/howto, work as they stand, in their order,
// in a folder of their own. A YAML block whose first line names a file is that file. What README.md and a tutorial show of the commands before it (a block of text), these print.
func TestExamplesOfTheReadme(t *testing.T) {
	root := realdata.Root(t)
	pages := []string{filepath.Join(root, "README.md")}
	for _, folder := range []string{"tutorial", "howto"} {
		found, err := filepath.Glob(filepath.Join(root, "docs", folder, "*.md"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%d pages in docs/%s: %v", len(found), folder, err)
		}
		pages = append(pages, found...)
	}
	d := &documents{made: withExamples(t), have: map[string]bool{}, unrun: map[string]int{}}
	run := onLoopback(t)
	d.run = func(args ...string) (int, string, string) {
		status, out, err := run(args...)
		d.said += out + err
		return status, out, err
	}
	for _, page := range pages {
		t.Run(filepath.Base(filepath.Dir(page))+"/"+filepath.Base(page), func(t *testing.T) {
			d.page(t, string(read(t, page)), filepath.Base(filepath.Dir(page)) != "howto")
		})
	}
	for reason, n := range d.unrun {
		if unrun[reason].blocks != n {
			t.Errorf("%d blocks are not run because %q: the list says %d", n, reason, unrun[reason].blocks)
		}
	}
	if d.ran < 80 {
		t.Errorf("%d commands in %d pages", d.ran, len(pages))
	}
}

// page runs the commands of a page, and compares what it shows of them.
func (d *documents) page(t *testing.T, text string, compared bool) {
	project(t)
	before := tree(t, "examples")
	for _, block := range blocks.FindAllStringSubmatch(text, -1) {
		comment, language, script := block[1], block[2], block[3]
		kind, names, _ := strings.Cut(comment, ": ")
		if language == "text" && compared && d.said != "" {
			d.shows(t, script)
		} else if language == "sh" {
			d.said = ""
		}
		switch {
		case language == "yaml":
			if name, _, ok := strings.Cut(script, ".yaml\n"); ok && strings.HasPrefix(name, "# ") {
				write(t, name[2:]+".yaml", script)
				loads(t, name[2:]+".yaml", script)
			}
		case language != "sh" && language != "":
			continue
		case kind == "not run":
			d.unrun[names]++
			continue
		case kind == "web": // served on loopback as it is
			if _, err := os.Stat(names); err != nil {
				t.Error(err)
			}
			continue
		}
		if kind == "with" {
			for name := range strings.SplitSeq(names, ", ") {
				d.take(t, name)
			}
		}
		if language == "yaml" {
			continue
		}
		ran, others := runScript(t, script, d.run)
		d.ran += ran
		for _, line := range others {
			if line != "go test ./..." { // which runs this
				t.Errorf("no test runs %q: mark the block, as in unrun", line)
			}
		}
	}
	if tree(t, "examples") != before {
		t.Error("the commands change files that the project ships with")
	}
}

// shows compares what a page shows with what the commands before printed; … is what it leaves out.
func (d *documents) shows(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.TrimSpace(line) != "…" && !strings.Contains("\n"+d.said+"\n", "\n"+line+"\n") {
			t.Errorf("the commands do not print %q", line)
		}
	}
}

// take puts a fixture into the working directory.
func (d *documents) take(t *testing.T, name string) {
	t.Helper()
	folder := filepath.Join(d.made, "crawls", name)
	if !d.have[name] {
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(d.made)
		if ran, others := runScript(t, fixtures[name], d.run); ran == 0 || len(others) > 0 {
			t.Fatalf("there is no fixture %s", name)
		}
		t.Chdir(here)
		d.have[name] = true
	}
	if err := os.CopyFS(filepath.Join("crawls", name), os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{name + ".yaml", name + ".ttl"} {
		if content, err := os.ReadFile(filepath.Join(d.made, file)); err == nil {
			write(t, file, string(content))
		}
	}
}

// onLoopback runs commands whose Web is on loopback: the folder site at 127.0.0.1:8000, and two pages at any other host.
func onLoopback(t *testing.T) runner {
	t.Helper()
	web := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Host == "127.0.0.1:8000":
			http.FileServerFS(os.DirFS("site")).ServeHTTP(w, r)
		case r.URL.Path == "/":
			fmt.Fprint(w, `<title>Gliders</title><script type="application/ld+json">{"@id": "#k6", "@type": "http://schema.org/Vehicle"}</script><p>A glider is an airplane without an engine. <a href="/winch">How a winch launches a glider</a>`)
		case r.URL.Path == "/winch":
			fmt.Fprint(w, `<title>The winch</title><p>The winch pulls the glider up.`)
		default:
			http.NotFound(w, r)
		}
	})
	plain, secure := httptest.NewServer(web), httptest.NewTLSServer(web)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	options := client.Options{
		Roots: roots,
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("93.184.215.14")}, nil
		},
		Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			at := plain
			if to.Port() == 443 {
				at = secure
			}
			return new(net.Dialer).DialContext(ctx, "tcp", at.Listener.Addr().String())
		},
	}
	return func(args ...string) (int, string, string) {
		var out, err bytes.Buffer
		status := cli.Run(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &err}, Wire: wire.Wire{Options: options}}, built.Build{}, args)
		return status, out.String(), err.String()
	}
}
