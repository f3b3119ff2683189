package crawlfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	. "orbweaver/internal/crawlfile"
)

// compiled returns a compiled JSON Schema.
func compiled(t testing.TB, source []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file:///schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("file:///schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate returns a validator's error for a file parsed by an editor's YAML parser.
func validate(t testing.TB, s *jsonschema.Schema, content string) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(content), &value); err != nil {
		t.Fatalf("%v in\n%s", err, content)
	}
	return s.Validate(value)
}

// TestTheJSONSchemaTakesWhatTheExamplesSay: the schemas accept every crawl file and comparison file of examples and docs.
func TestTheJSONSchemaTakesWhatTheExamplesSay(t *testing.T) {
	crawl, comparison := compiled(t, schema().JSONSchema()), compiled(t, schema().ComparisonJSONSchema())
	block := regexp.MustCompile("(?s)```yaml\n(.*?)```")
	files := 0
	for _, pattern := range []string{"../../examples/*.yaml", "../../examples/*/*.yaml", "../*/testdata/*.yaml", "../*/*.yaml", "../../docs/*/*.md", "../../*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts := []string{string(content)}
			if filepath.Ext(name) == ".md" {
				texts = nil
				for _, found := range block.FindAllStringSubmatch(string(content), -1) {
					texts = append(texts, found[1])
				}
			}
			for _, text := range texts {
				by, problems := crawl, Problems(nil)
				if strings.Contains(text, "runs:") {
					by = comparison
					_, problems = schema().DecodeComparison("/", []byte(text))
				} else {
					_, problems = schema().DecodeCrawl("/", []byte(text))
				}
				if len(problems) > 0 {
					continue // a fragment, or a file of another program
				}
				files++
				if err := validate(t, by, text); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if files < 28 {
		t.Errorf("only %d files were looked at", files)
	}
}

// badFiles are refused by the decoder and by the schema.
var badFiles = []struct {
	name, file string
	comparison bool
}{
	{"unknown key", "colour: red" + tail, false},
	{"unknown key of a section", "limits: {colour: 1}" + tail, false},
	{"key of comparisons", "runs: []" + tail, false},
	{"empty value", "web:" + tail, false},
	{"text for a number", "workers: many" + tail, false},
	{"fraction for a whole number", "workers: 1.5" + tail, false},
	{"list for a number", "workers: [1]" + tail, false},
	{"text for a section", "limits: none" + tail, false},
	{"truth value for a text", "output: true" + tail, false},
	{"yes for true", "politeness: {robots: 'yes'}" + tail, false},
	{"negative limit", "limits: {pages: -1}" + tail, false},
	{"negative limit as text", "limits: {pages: '-1'}" + tail, false},
	{"negative size", "limits: {bytes: -2GB}" + tail, false},
	{"negative duration", "limits: {time: -3s}" + tail, false},
	{"beyond the range", "limits: {redirects: 51}" + tail, false},
	{"no body", "limits: {body: 0}" + tail, false},
	{"no body, with unit", "limits: {body: 0.0MB}" + tail, false},
	{"no timeout", "politeness: {timeout: 0s}" + tail, false},
	{"half a unit", "limits: {bytes: 2G}" + tail, false},
	{"duration without unit", "limits: {time: 30}" + tail, false},
	{"days", "limits: {time: 2d}" + tail, false},
	{"word that is none of the list", "archive: atuo" + tail, false},
	{"no port", "allow_ports: [0]" + tail, false},
	{"a port too high", "allow_ports: [25, 65536]" + tail, false},
	{"no network", "allow_private: [10.0.0.0/8, home]" + tail, false},
	{"seed without scheme", "seeds: [b.test/x]\nfocus: {random: {}}", false},
	{"seed that is a number", "seeds: [3]\nfocus: {random: {}}", false},
	{"seeds of nowhere", "seeds: {}\nfocus: {random: {}}", false},
	{"search by nobody", "seeds: {search: {query: x}}\nfocus: {random: {}}", false},
	{"no seeds", "focus: {random: {}}", false},
	{"no focus", "seeds: https://a.test", false},
	{"empty focus", "seeds: https://a.test\nfocus: {}", false},
	{"two focuses", "seeds: https://a.test\nfocus: {random: {}, breadth_first: {}}", false},
	{"blend without parts", "seeds: https://a.test\nfocus: {blend: {}}", false},
	{"focus without its terms", "seeds: https://a.test\nfocus: {keyword: }", false},
	{"best-first without terms", "seeds: https://a.test\nfocus: {best_first: {}}", false},
	{"no term", "seeds: https://a.test\nfocus: {keyword: {terms: []}}", false},
	{"blank term", "seeds: https://a.test\nfocus: {keyword: {terms: [a, ' ']}}", false},
	{"below the range", "seeds: https://a.test\nfocus: {best_first: {terms: a, n: 0}}", false},
	{"key where none is", "seeds: https://a.test\nfocus: {breadth_first: {n: 1}}", false},
	{"no archive", "web: {}" + tail, false},
	{"two truths", "truth: {keywords: [a], class: R}" + tail, false},
	{"no truth", "truth: {}" + tail, false},
	{"section for a list of texts", "scope: {hosts: {a: b}}" + tail, false},
	{"no runs", "web: {archive: demo.warc.gz}\nseeds: https://a.test\ntruth: {class: R}\nruns: []", true},
	{"run without a name", "web: {archive: demo.warc.gz}\nseeds: https://a.test\ntruth: {class: R}\nruns: [{focus: {random: {}}}]", true},
	{"comparison without seeds", "web: {archive: demo.warc.gz}\ntruth: {class: R}\nruns: [{name: a, focus: {random: {}}}]", true},
	{"key of crawl files", "sitemaps: all\nweb: {archive: demo.warc.gz}\nseeds: https://a.test\ntruth: {class: R}\nruns: [{name: a, focus: {random: {}}}]", true},
}

func TestDecoderAndJSONSchemaRefuseTheSame(t *testing.T) {
	dir := folder(t)
	crawl, comparison := compiled(t, schema().JSONSchema()), compiled(t, schema().ComparisonJSONSchema())
	for _, tc := range badFiles {
		by := crawl
		if tc.comparison {
			by = comparison
		}
		if problemsOf(t, dir, tc.file, tc.comparison) == "" {
			t.Errorf("%s: the decoder takes it", tc.name)
		}
		if validate(t, by, tc.file) == nil {
			t.Errorf("%s: the schema takes it", tc.name)
		}
	}
}

// TestTheJSONSchemaTakesEveryWayToWriteAValue: the schema accepts every notation that the decoder accepts.
func TestTheJSONSchemaTakesEveryWayToWriteAValue(t *testing.T) {
	dir := folder(t)
	by := compiled(t, schema().JSONSchema())
	for _, line := range []string{
		"workers: '16'", "workers: +3", "limits: {pages: 2_000}", "limits: {pages: '2_000'}",
		"limits: {bytes: 500}", "limits: {bytes: 1.5 GB}", "limits: {body: 64 KiB}", "limits: {body: ' 10mb '}", "limits: {bytes: 1e3}", "limits: {body: .5MB}",
		"limits: {time: 0}", "limits: {time: 0s}", "limits: {time: 1h30m}", "limits: {time: 1.5h}", "politeness: {timeout: 0m5s}", "politeness: {delay: 250µs}",
		"politeness: {robots: 'false'}", "politeness: {user_agent: 12}", "truth: {keywords: 42}", "truth: {keywords: [a, 1.5]}",
		"allow_private: true", "allow_private: 10.0.0.0/8", "allow_private: [10.1.2.3, 'fe80::1/10']", "allow_private: []",
		"allow_ports: 25", "allow_ports: [25, 65_535]",
		"documents: {}", "documents: {'http://a.test/': a.ttl}", "scope: {include: [], hosts: a.test}", "web: {archive: demo.warc.gz}",
	} {
		if problems := problemsOf(t, dir, line+tail, false); problems != "" {
			t.Errorf("%s: %s", line, problems)
		}
		if err := validate(t, by, line+tail); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, file := range []string{
		"seeds: {file: seeds.txt}\nfocus: {random: }", "seeds: {search: {engine: 'http://s.test', query: x}}\nfocus: {random: {}}",
		"seeds: ' HTTPS://A.test'\nfocus: {keyword: {terms: plane}}", "focus: {crossref: {item: 'http://a.test/'}}",
	} {
		if problems := problemsOf(t, dir, file, false); problems != "" {
			t.Errorf("%s: %s", file, problems)
		}
		if err := validate(t, by, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// taken fails the test if the schema refuses a crawl file that Load accepts.
func taken(t testing.TB, content string) {
	t.Helper()
	if err := validate(t, compiled(t, schema().JSONSchema()), content); err != nil {
		t.Errorf("Load takes it, the JSON Schema does not: %v", err)
	}
}
