package crawlfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	. "orbweaver/internal/crawlfile"
)

// printed marshals a crawl and writes it to its output folder.
func printed(t testing.TB, c *Crawl) (text, path string) {
	t.Helper()
	out, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(c.Output, 0o755); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(c.Output, "crawl.yaml")
	if err := os.WriteFile(path, out, 0o644); err != nil {
		t.Fatal(err)
	}
	return string(out), path
}

func TestMarshalFillsInDefaults(t *testing.T) {
	dir := folder(t)
	got, _ := printed(t, mustLoad(t, dir, `
focus: {ontology: {target: ex:Plane, files: a.ttl}}
prefixes: {ex: "urn:x:"}
seeds: {file: seeds.txt}
web: {archive: demo.warc.gz}
scope: {exclude: [a.test, "/\\.pdf$/"]}
archive: on
`))
	want := `seeds:
  file: ../../seeds.txt
  digest: sha256:e018f3b61c66dc644ce09c36c8a9b43a856dc516453498f6b0af7cdff03198f1
web:
  archive:
    - ../../demo.warc.gz
  robots: archived
prefixes:
  ex: "urn:x:"
focus:
  ontology:
    files:
      - ../../a.ttl
    target:
      - "<urn:x:Plane>"
    relevance: total
    discount: exponential
    base: 0.5
    combine: sum
    idf: learned
    mode: default
    measure: presence
    spelling: kept
    verdict: score
    links: mixed
    anchor_words: learned
    telling: learned
    inlinks: mean
    layers: "off"
    data: met
    data_weight: 10
    data_labels: "off"
limits:
  pages: 0
  requests: 0
  depth: 20
  time: 0s
  outage: 1h
  bytes: 0B
  per_host: 0
  body: 10MB
  dump: 100MB
  redirects: 10
stop:
  saturation: 0
sitemaps: seeds
render:
  when: never
  pages: 0
requisites:
  of: "off"
  page: 8MB
  total: 2GB
  one: 4MB
duplicates: "on"
traps: "on"
scope:
  exclude:
    - a.test
    - "/\\.pdf$/"
politeness:
  delay: 1s
  connections: 0
  robots: true
  user_agent: orbweaver
  timeout: 30s
  retries: 2
  failures: 5
  patience: 5m
  worth: request
archive: "on"
workers: 0
memory: 1GB
allow_private: false
output: "."
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWhatIsPrintedLoadsAsTheSameCrawl(t *testing.T) {
	dir := folder(t)
	write(t, dir, "learned", "")
	for name, file := range map[string]string{
		"short":        ExampleShort,
		"the example":  ExampleCrawl,
		"seed file":    "seeds: {file: seeds.txt}\nfocus: {random: {seed: -9}}",
		"a search":     "seeds: {file: seeds.txt, search: {template: 'http://s.test/?q={query}', path: a.b, query: 'x y', results: 3}}\nfocus: {random: {}}",
		"search alone": "seeds: {search: {engine: 'http://s.test', query: x}}\nfocus: {random: {}}",
		"of a corpus":  "seeds: []\nfocus: {krs: {file: ., seeds: 3, spotlight: 'http://127.0.0.1/x', linking: spotlight}}",
		"no keys":      "seeds: https://a.test\nfocus: {breadth_first: {}}",
		"odd words":    "seeds: https://a.test\nfocus: {keyword: {terms: ['true', 'no', '~', '7', '1e3', '- a', 'a: b', ' x ', \"tab\\t\\x01\\u2028 é \\U0001F600\", '#', '\"', \"it's\", '.5', '0x1', '|', '<<', '=', '%']}}",
		"odd names":    "seeds: https://a.test\nprefixes: {'': 'http://e/', http: 'urn:h:', urn: 'http://u/'}\nfocus: {ontology: {files: a.ttl, target: [':A', 'http:B', 'urn:C', '<urn:D>', 'http://E/'], idf: ./learned, accept: 0}}",
		"odd sizes":    "limits: {bytes: 1001, body: 64KiB, time: 1h0m1s}\npoliteness: {delay: 1500ms, timeout: 1h}" + tail,
		"networks":     "allow_private: [10.0.0.0/8, '::1', 'fd00::/8']" + tail,
		"all networks": "allow_private: true" + tail,
		"ports":        "allow_ports: [25, 6667]" + tail,
		"output here":  "output: ." + tail,
		"the rest":     "documents: {'http://a/b': a.ttl, 'http://a/': b.ttl}\ntruth: {keywords: [x, y]}\nscope: {include: ['a.test/x/*'], hosts: [a.test]}\noutput: '" + filepath.Join(dir, "o ut/x: #") + "'" + tail,
	} {
		t.Run(name, func(t *testing.T) {
			c := mustLoad(t, dir, file)
			text, path := printed(t, c)
			again, err := schema().Load(path)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if !reflect.DeepEqual(c, again) {
				t.Errorf("got  %+v\nwant %+v\n%s", again, c, text)
			}
			if twice, _ := again.Marshal(); string(twice) != text {
				t.Errorf("printed again:\n%s\nfirst:\n%s", twice, text)
			}
			if d := c.Differences(again); len(d) > 0 {
				t.Errorf("differs from itself in %v", d)
			}
		})
	}
}

func TestMarshalWantsToKnowWhereItIsGoing(t *testing.T) {
	if _, err := new(Crawl).Marshal(); err == nil {
		t.Error("no error without an absolute output folder")
	}
}

func TestARunCanBeReadWhenItsFilesAreGone(t *testing.T) {
	dir := folder(t)
	c := mustLoad(t, dir, "seeds: {file: seeds.txt}\nweb: {archive: demo.warc.gz}\nfocus: {ontology: {files: a.ttl, target: 'urn:x'}}")
	_, path := printed(t, c)
	for _, name := range []string{"seeds.txt", "demo.warc.gz", "a.ttl"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	run, err := schema().LoadRun(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := c.Differences(run); len(d) > 0 || len(run.Seeds.URLs) != 0 {
		t.Errorf("differs in %v, seeds %v", d, run.Seeds.URLs)
	}
	if _, err := schema().Load(path); err == nil {
		t.Error("Load did not miss the files")
	}
}

func TestATreeCanBeMoved(t *testing.T) {
	here, there := folder(t), filepath.Join(t.TempDir(), "moved")
	_, path := printed(t, mustLoad(t, here, "web: {archive: demo.warc.gz}"+tail))
	if err := os.Rename(here, there); err != nil {
		t.Fatal(err)
	}
	run, err := schema().Load(strings.Replace(path, here, there, 1))
	if err != nil {
		t.Fatal(err)
	}
	again := mustLoad(t, there, "web: {archive: demo.warc.gz}"+tail)
	if d := run.Differences(again); len(d) > 0 {
		t.Errorf("differs in %v", d)
	}
}

func TestDifferences(t *testing.T) {
	dir := folder(t)
	const base = "seeds: https://a.test\nweb: {archive: demo.warc.gz}\nprefixes: {ex: 'http://e/'}\nfocus: {ontology: {files: a.ttl, target: ex:A}}\n"
	const oracle = "seeds: https://a.test\nweb: {archive: demo.warc.gz}\nfocus: {oracle: {}}\n"
	for _, tc := range []struct {
		name, a, b string
		want       []string
	}{
		{"nothing", base, base, nil},
		{"another way to write it", base, strings.Replace(base, "target: ex:A", "target: ['http://e/A'], relevance: total, base: .5", 1), nil},
		{"what may change", base, base + "limits: {pages: 5, body: 1MB}\nworkers: 3\noutput: elsewhere\npoliteness: {delay: 9s, timeout: 2s, retries: 9, connections: 3, failures: 2}\ntruth: {class: R}\narchive: {compression: small}\n", nil},
		{"politeness that is more than pace", base, base + "politeness: {robots: false, user_agent: me}\n", []string{"politeness.robots", "politeness.user_agent"}},
		{"seeds", base, strings.Replace(base, "a.test", "b.test", 1), []string{"seeds"}},
		{"the web", base, strings.Replace(base, "web: {archive: demo.warc.gz}\n", "", 1), []string{"web"}},
		{"within the focus", base, strings.Replace(base, "target: ex:A", "target: [ex:A, ex:B], accept: 0.5, combine: max", 1), []string{"focus.ontology.target", "focus.ontology.combine", "focus.ontology.accept"}},
		{"the focus", base, strings.Replace(base, "ontology: {files: a.ttl, target: ex:A}", "random: {}", 1), []string{"focus.ontology", "focus.random"}},
		{"scope and the rest", base, base + "scope: {exclude: [x.test]}\narchive: on\nallow_private: true\ndocuments: {'http://a/': a.ttl}\n", []string{"scope.exclude", "archive", "allow_private", "documents"}},
		{"an oracle's truth", oracle + "truth: {keywords: [a]}", oracle + "truth: {keywords: [b]}", []string{"truth.keywords"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := mustLoad(t, dir, tc.a), mustLoad(t, dir, tc.b)
			if got := a.Differences(b); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
			back := b.Differences(a)
			slices.Sort(back)
			want := slices.Sorted(slices.Values(tc.want))
			if !slices.Equal(back, want) {
				t.Errorf("the other way round %v, want %v", back, want)
			}
		})
	}
}

// FuzzDecode decodes arbitrary bytes as both kinds of file. A valid crawl file must survive printing and loading.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{ExampleCrawl, ExampleShort, ExampleComparison, ExampleEach, "a: &a [*a]", "<<: {seeds: x}", "? [a]\n: b", "focus: {ontology: {target: [a:b, c:, :d, http://e:80/]}}", "- |\n  x\n- >-\n  y", "%YAML 1.2\n---\na: b\n...\n", "seeds: [\"\\x41\\u00e9\"]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		const folder = "/base/out"
		_, problems := schema().DecodeComparison(folder, src)
		_ = problems.Error()
		c, problems := schema().DecodeCrawl(folder, src)
		if len(problems) > 0 {
			return
		}
		out, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, problems := schema().DecodeCrawl(c.Output, out)
		if len(problems) > 0 || !reflect.DeepEqual(c, again) {
			t.Fatalf("%v\n%s\ngot  %s\nwant %s", problems, out, fmt.Sprintf("%+v", again), fmt.Sprintf("%+v", c))
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	dir := folder(b)
	path := write(b, dir, "crawl.yaml", ExampleCrawl)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema().Load(path); err != nil {
			b.Fatal(err)
		}
	}
}
