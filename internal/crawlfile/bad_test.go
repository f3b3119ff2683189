package crawlfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "orbweaver/internal/crawlfile"
)

// problemsOf loads a file and returns its problems, with DIR for the folder's path.
func problemsOf(t *testing.T, dir, content string, comparison bool) string {
	t.Helper()
	path := write(t, dir, "f.yaml", content)
	var err error
	if comparison {
		_, err = schema().LoadComparison(path)
	} else {
		_, err = schema().Load(path)
	}
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(strings.ReplaceAll(err.Error(), dir+string(filepath.Separator)+"f.yaml", "f.yaml"), dir, "DIR")
}

func TestProblemsOfACrawlFile(t *testing.T) {
	dir := folder(t)
	for _, tc := range []struct{ name, file, want string }{
		{"empty file", "", "f.yaml: seeds: is missing (list of URLs, {file: PATH}, {list: PATH} or {search: {engine: URL, query: WORDS}})\nf.yaml: focus: is missing"},
		{"a list", "[a]", "f.yaml: must be a section of keys, not a list (it has: seeds, web, documents, prefixes, focus, explore, discover, decisions, truth, limits, schedule, failing, lists, stop, sitemaps, render, requisites, duplicates, traps, sources, scope, politeness, http, archive, sinks, workers, memory, allow_ports, allow_private, cluster, output)"},
		{"rendering", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nrender:\n  when: auto\n  actions:\n    - {scroll: 3, click: a}\n    - {clik: a}\n",
			"f.yaml:6: render.actions[1]: needs one of scroll and click (write {scroll: 10} or {click: button.more, times: 5})\nf.yaml:7: render.actions[2].clik: unknown key (did you mean click?)"},
		{"rendering that is not on", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nrender: {pages: 5, actions: [{scroll: 2}]}\n",
			"f.yaml:3: render.pages: is a budget of when: auto\nf.yaml:3: render.actions: are done on rendered pages, and render.when is never (write when: auto)"},
		{"a key of a sink's kind beside it", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nsinks: [{folder: x, format: jsonl}, {webhook: {url: 'http://a.test/'}, most: 3}]\n",
			"f.yaml:3: sinks[1].format: unknown key (it is a key of folder: write folder: {path: ..., format: ...})\nf.yaml:3: sinks[2].most: unknown key (it is a key of webhook: write it there)"},
		{"a folder as a file", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nsinks: [{sqlite: .}]\n", "f.yaml:3: sinks[1].sqlite.file: DIR is a folder (a file is wanted)"},
		{"an archive that is needed later", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nschedule: 100\nsinks: [{s3: {to: 's3://b', remove: true}}]\n",
			"f.yaml:4: sinks[1].s3.remove: removes pages that schedule compares with what they are later (leave one of them out)"},
		{"a file that a database's URL names", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\nsinks:\n  - postgres: {url: 'postgres://me@h/d?passfile=f.yaml'}\n",
			"f.yaml:4: sinks[1].postgres.url: has the parameter passfile, which it may not have (write password: {file: PATH} beside url, with the password alone in the file)"},
		{"known archives", "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\narchive:\n  keep: off\n  known: [f.yaml]\n",
			"f.yaml:5: archive.known[1]: "},
		{"syntax", "seeds: [a\nfocus: {", "f.yaml:2: not valid YAML: "},
		{"unclosed quote", "seeds: \"a\n", "f.yaml:1: not valid YAML: "},
		{"two documents", "workers: 1\n---\nworkers: 2\n", "f.yaml:3: a second document in one file (remove the line --- and what follows)"},
		{"a key twice", "workers: 1\nworkers: 2" + tail, "f.yaml:2: workers: given twice (first on line 1)"},
		{"a misspelt key", "polteness: {}" + tail, "f.yaml:1: polteness: unknown key (did you mean politeness?)"},
		{"a hyphen for an underscore", "seeds: https://a.test\nfocus: {best-first: {terms: x}}", "f.yaml:2: focus.best-first: unknown key (did you mean best_first?)"},
		{"a key of nowhere", "limits: {colour: 1}" + tail, "f.yaml:1: limits.colour: unknown key (it has: pages, requests, depth, time, outage, bytes, per_host, body, dump, redirects)"},
		{"a key of comparisons", "runs: []" + tail, "f.yaml:1: runs: unknown key (a key of comparison files)"},
		{"a tag", "workers: !!int 3" + tail, "f.yaml:1: YAML tags such as !!int have no meaning here (remove the tag)"},
		{"an unknown alias", "workers: *w" + tail, "f.yaml:1: workers: is empty (give it a value or remove the key)\nf.yaml:1: alias *w has no anchor before it"},
		{"no value", "web:" + tail, "f.yaml:1: web: is empty (give it a value or remove the key)"},

		{"not a number", "workers: many" + tail, `f.yaml:1: workers: must be a whole number, not "many"`},
		{"a fraction", "workers: 1.5" + tail, `f.yaml:1: workers: must be a whole number, not "1.5"`},
		{"a list for a number", "workers: [1]" + tail, `f.yaml:1: workers: must be a whole number, not a list`},
		{"too large for a number", "limits: {pages: 99999999999999999999}" + tail, `f.yaml:1: limits.pages: must be a whole number, not "99999999999999999999"`},
		{"negative", "limits: {pages: -1}" + tail, "f.yaml:1: limits.pages: must be at least 0"},
		{"out of range", "limits: {redirects: 51}" + tail, "f.yaml:1: limits.redirects: must be from 0 to 50"},
		{"no body at all", "limits: {body: 0}" + tail, "f.yaml:1: limits.body: must be from 1B to 1GB"},
		{"a size with half a unit", "limits: {bytes: 2G}" + tail, `f.yaml:1: limits.bytes: must be a size such as 10MB or 2GB, not "2G" (write 2GB, or 2GiB for powers of 1024)`},
		{"an immense size", "limits: {bytes: 9999999999TB}" + tail, `f.yaml:1: limits.bytes: must be a size such as 10MB or 2GB, not "9999999999TB" (too large)`},
		{"a duration without unit", "limits: {time: 30}" + tail, `f.yaml:1: limits.time: must be a duration such as 30s or 2h, not "30" (add a unit: 30s, 30m or 30h)`},
		{"days", "limits: {time: 2d}" + tail, `f.yaml:1: limits.time: must be a duration such as 30s or 2h, not "2d" (write 48h)`},
		{"yes for true", "politeness: {robots: yes}" + tail, `f.yaml:1: politeness.robots: must be true or false, not "yes"`},
		{"true for a text", "output: true" + tail, "f.yaml:1: output: must be a path, not true (for the word put quotes around it)"},
		{"a misspelt word", "archive: atuo" + tail, `f.yaml:1: archive.keep: must be auto, on or off, not "atuo" (did you mean auto?)`},
		{"a text for a section", "limits: none" + tail, `f.yaml:1: limits: must be a section of keys, not "none" (it has: pages, requests, depth, time, outage, bytes, per_host, body, dump, redirects)`},

		{"no seeds", "seeds: []\nfocus: {random: {}}", "f.yaml:1: seeds: is empty"},
		{"a seed as browsers show it", "seeds: [https://a.test, b.test/x]\nfocus: {random: {}}", `f.yaml:1: seeds[2]: bad URL "b.test/x": it has no scheme (write https://b.test/x)`},
		{"a seed that is no text", "seeds:\n  - 3\n  - [x]\nfocus: {random: {}}", "f.yaml:2: seeds[1]: must be a URL, not \"3\"\nf.yaml:3: seeds[2]: must be a URL, not a list"},
		{"no seed file", "seeds: {file: none.txt}\nfocus: {random: {}}", "f.yaml:1: seeds.file: no such file: DIR/none.txt (paths are relative to the folder of f.yaml)"},
		{"a seed file without seeds", "seeds: {file: empty.txt}\nfocus: {random: {}}", "f.yaml:1: seeds.file: DIR/empty.txt holds no URL"},
		{"no seeds but an archive's search", "seeds: {search: {engine: 'http://s.test', query: x}}\nweb: {archive: demo.warc.gz}\nfocus: {random: {}}", "f.yaml:1: seeds.search: finds pages of the live Web, and web names an archive (write seeds as a list of URLs)"},
		{"a search by nobody", "seeds: {search: {query: x}}\nfocus: {random: {}}", "f.yaml:1: seeds.search: has one of engine and template (engine: URL for an instance of SearXNG, template: URL with {query} for others)"},
		{"a search for nothing", "seeds: {search: {template: 'http://s.test/', results: 0}}\nfocus: {random: {}}", "f.yaml:1: seeds.search.query: is missing\nf.yaml:1: seeds.search.template: holds no {query} (which stands for what is searched)\nf.yaml:1: seeds.search.results: must be from 1 to 1000"},
		{"neither file nor search", "seeds: {}\nfocus: {random: {}}", "f.yaml:1: seeds: names neither a file nor a list nor a search (write {file: PATH}, {list: PATH} or {search: {engine: URL, query: WORDS}})"},
		{"a changed seed file", "seeds: {file: seeds.txt, digest: 'sha256:00'}\nfocus: {random: {}}", "f.yaml:1: seeds.digest: DIR/seeds.txt has changed since this crawl began (restore it, or start a crawl in another folder)"},

		{"no archive", "web: {}" + tail, "f.yaml:1: web.archive: is missing (path, or list of paths)"},
		{"archives that are not there", "web: {archive: [demo.warc.gz, no.warc]}" + tail, "f.yaml:1: web.archive[2]: no such file: DIR/no.warc (paths are relative to the folder of f.yaml)"},
		{"reading what it writes", "web: {archive: demo.warc.gz}\noutput: ." + tail, "f.yaml:1: web.archive: DIR/demo.warc.gz lies in the output folder (write to another folder: output: PATH)"},
		{"a file as output", "output: a.ttl" + tail, "f.yaml:1: output: DIR/a.ttl is a file (a folder is wanted)"},
		{"a document prefix in another form", "documents: {'http://A.test/': a.ttl}" + tail, "f.yaml:1: documents.http://A.test/: no URL starts so (in canonical form it is http://a.test/)"},
		{"bad patterns", "scope:\n  exclude:\n    - good.test\n    - /(/\n  hosts: '*.a.test'" + tail,
			"f.yaml:4: scope.exclude[2]: bad pattern \"/(/\": error parsing regexp: missing closing ): `(`\nf.yaml:5: scope.hosts: bad pattern \"*.a.test\": a host covers its subdomains, write \"a.test\""},
		{"ports", "allow_ports: [25, 65536]" + tail, "f.yaml:1: allow_ports[2]: must be from 1 to 65535"},
		{"networks", "allow_private: [10.0.0.0/8, home, 1.2.3.4/99]" + tail,
			"f.yaml:1: allow_private[2]: must be a network, not \"home\" (write true, false, or networks such as 10.0.0.0/8)\nf.yaml:1: allow_private[3]: must be a network, not \"1.2.3.4/99\" (write true, false, or networks such as 10.0.0.0/8)"},
		{"a prefix with its colon", "prefixes: {'ex:': 'http://e/'}" + tail, "f.yaml:1: prefixes.ex:: a prefix has letters, digits, _, - and . only (the colon is not part of it)"},
		{"a prefix for no IRI", "prefixes: {ex: e}" + tail, "f.yaml:1: prefixes.ex: \"e\" is no IRI: it has no scheme"},

		{"no focus", "seeds: https://a.test\nfocus: {}", "f.yaml:2: focus: names no focus (it has: ontology, keyword, linked_data, krs, metadata, swget, crossref, external, best_first, breadth_first, random, oracle, own, blend)"},
		{"two focuses", "seeds: https://a.test\nfocus: {random: {}, breadth_first: {}}", "f.yaml:2: focus: has breadth_first and random, but takes exactly one focus (focus.blend joins several, and a comparison file runs several)"},
		{"a blend without parts", "seeds: https://a.test\nfocus: {blend: {of: d}}", "f.yaml:2: focus.blend.parts: is missing (list of sections)\nf.yaml:2: focus.blend.of: unknown key (it has: combine, parts)"},
		{"a part that is no focus", "seeds: https://a.test\nfocus: {blend: {parts: [{name: a, random: {}}, {name: b}]}}", "f.yaml:2: focus.blend.parts[1].random: cannot be part of a blend: it ranks no pages by what they are about (take ontology, keyword, linked_data, krs, crossref, best_first or external)\nf.yaml:2: focus.blend.parts[2]: names no focus (it has: ontology, keyword, linked_data, krs, metadata, swget, crossref, external, best_first, breadth_first, random, oracle, own, blend)"},
		{"a part that is two", "seeds: https://a.test\nfocus: {blend: {parts: [{name: a, keyword: {terms: x}, linked_data: {}}, {name: b, keyword: {}}]}}", "f.yaml:2: focus.blend.parts[1]: has keyword and linked_data, but takes exactly one focus (focus.blend joins several, and a comparison file runs several)\nf.yaml:2: focus.blend.parts[2].keyword.terms: is missing (list of words or phrases)"},
		{"a blend that accepts nothing", "seeds: https://a.test\nfocus:\n  blend:\n    combine: a and b\n    parts:\n      - {name: a, keyword: {terms: x}}\n      - {name: b, role: guide, keyword: {terms: x}}", "f.yaml:4: focus.blend.combine: accepts no page, whatever the judges say: a guide accepts none"},
		{"no terms for best-first", "seeds: https://a.test\nfocus: {best_first: {}}", "f.yaml:2: focus.best_first.terms: is missing (list of words or phrases)"},
		{"no terms", "seeds: https://a.test\nfocus: {keyword: {terms: []}}", "f.yaml:2: focus.keyword.terms: is empty"},
		{"an empty term", "seeds: https://a.test\nfocus: {keyword: {terms: [a, '']}}", "f.yaml:2: focus.keyword.terms[2]: is empty"},
		{"a keyword without keys", "seeds: https://a.test\nfocus: {keyword: }", "f.yaml:2: focus.keyword.terms: is missing (list of words or phrases)"},
		{"n below one", "seeds: https://a.test\nfocus: {best_first: {terms: a, n: 0}}", "f.yaml:2: focus.best_first.n: must be from 1 to 1000000"},
		{"a key where none is", "seeds: https://a.test\nfocus: {breadth_first: {n: 1}}", "f.yaml:2: focus.breadth_first.n: unknown key (it takes no keys)"},
		{"an oracle that knows nothing", "seeds: https://a.test\nfocus: {oracle: {}}",
			"f.yaml:2: focus.oracle: knows nothing without a truth (add truth: {file: PATH, topics: [...]})\nf.yaml:2: focus.oracle: cannot know the live Web (add web: {archive: [PATH]})"},

		{"targets that mean nothing", "seeds: https://a.test\nprefixes: {ex: 'http://e/'}\nfocus:\n  ontology:\n    files: [a.ttl, .]\n    target:\n      - exx:A\n      - Plane\n      - <b\n      - 'ex:a b'\n      - foaf:Person\n",
			"f.yaml:5: focus.ontology.files[2]: DIR is a folder (a file is wanted)\n" +
				"f.yaml:7: focus.ontology.target[1]: prefix \"exx\" is not defined (did you mean ex:A?)\n" +
				"f.yaml:9: focus.ontology.target[3]: \"<b\" has no closing >\n" +
				"f.yaml:10: focus.ontology.target[4]: \"http://e/a b\" is no IRI: it holds a space or one of <>\"{}|^`\\\n" +
				"f.yaml:11: focus.ontology.target[5]: prefix \"foaf\" is not defined (add it to prefixes, or write <foaf:Person> if this is an IRI)"},
		{"numbers of an ontology", "seeds: https://a.test\nfocus: {ontology: {files: a.ttl, target: 'urn:x', base: 1, accept: 1.5, relevance: totl, idf: no.tsv}}",
			"f.yaml:2: focus.ontology.base: must be between 0 and 1, both left out\n" +
				"f.yaml:2: focus.ontology.accept: must be from 0 to 1\n" +
				"f.yaml:2: focus.ontology.relevance: must be single, taxonomic, relational or total, not \"totl\" (did you mean total?)\n" +
				"f.yaml:2: focus.ontology.idf: no such file: DIR/no.tsv (paths are relative to the folder of f.yaml)"},

		{"two truths", "truth: {keywords: [a], class: R}" + tail, "f.yaml:1: truth: has keywords and class, but there is one truth (keep one of them)"},
		{"no truth", "truth: {}" + tail, "f.yaml:1: truth: says nothing (write one of: {file: PATH, topics: [...]}, {keywords: [...]}, {class: R})"},
		{"no topics", "truth: {file: truth.tsv}" + tail, "f.yaml:1: truth.topics: is missing (which topics of the file are relevant)"},
		{"topics of no file", "truth: {class: R, topics: [a]}" + tail, "f.yaml:1: truth.topics: has no file to be looked up in (add file: PATH)"},
		{"a cosine to nothing", "truth: {cosine: 0.2}" + tail, "f.yaml:1: truth.cosine: has no meaning in a crawl file (in a comparison file pages are compared with the item drawn)"},
		{"a class of later", "truth: {class: HR}" + tail, `f.yaml:1: truth.class: must be R, not "HR"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := problemsOf(t, dir, tc.file, false)
			if strings.HasSuffix(tc.want, ": ") { // the rest is the library's own message
				got = got[:min(len(got), len(tc.want))]
			}
			if got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestProblemsOfAComparisonFile(t *testing.T) {
	dir := folder(t)
	const head = "web: {archive: demo.warc.gz}\nseeds: https://a.test\ntruth: {class: R}\n"
	const items = "web: {archive: demo.warc.gz}\ntruth: {cosine: 0.25}\n"
	for _, tc := range []struct{ name, file, want string }{
		{"empty file", "", "f.yaml: web: is missing\nf.yaml: seeds: is missing (list of URLs, {file: PATH} or {list: PATH})\nf.yaml: truth: is missing\nf.yaml: runs: is missing (list of sections)"},
		{"the live Web", head[strings.Index(head, "\n")+1:] + "runs: {name: a, focus: {random: {}}}", "f.yaml: web: is missing"},
		{"no runs", head + "runs: []", "f.yaml:4: runs: is empty"},
		{"a key of crawl files", head + "runs: {name: a, focus: {random: {}}}\npoliteness: {}", "f.yaml:5: politeness: unknown key (a key of crawl files that comparisons do not have)"},
		{"a name twice", head + "runs:\n  - {name: a, focus: {random: {}}}\n  - {name: a, focus: {random: {}}}", `f.yaml:6: runs[2].name: "a" is the name of another run (runs[1])`},
		{"no name and no focus", head + "runs:\n  - {focus: {random: {}}}\n  - {name: b}\n  - c", "f.yaml:5: runs[1].name: is missing\nf.yaml:6: runs[2].focus: is missing\nf.yaml:7: runs[3]: must be a section of keys, not \"c\" (it has: name, focus, requests, failing, explore, discover)"},
		{"reserved names", head + "runs:\n  - {name: oracle, focus: {random: {}}}\n  - {name: breadth-first, focus: {oracle: {}}}",
			"f.yaml:5: runs[1].name: \"oracle\" is the name of a run that is always there (choose another name)\nf.yaml:6: runs[2].name: \"breadth-first\" is the name of a run that is always there (choose another name)"},
		{"a name like a path", head + "runs: {name: ../a, focus: {random: {}}}", `f.yaml:4: runs.name: "../a" is no name for a run (letters, digits, spaces and signs other than / and \, not starting with a dot)`},
		{"checkpoints", head + "checkpoints: [0.1, 0, 1.5]\nruns: {name: a, focus: {random: {}}}", "f.yaml:4: checkpoints[2]: 0 is no share of the web (shares are above 0 and at most 1)\nf.yaml:4: checkpoints[3]: 1.5 is no share of the web (shares are above 0 and at most 1)"},
		{"each of nothing", items + "each: {}\nruns: {name: a, focus: {best_first: {}}}", "f.yaml:3: each.items: is missing"},
		{"items without a truth of their own", head + "each: {items: 2}\nruns: {name: a, focus: {random: {}}}",
			"f.yaml:4: each: the truth is the same for every item (with each write truth: {cosine: 0.25} or {file: PATH, of: item}; without it all runs are made once)"},
		{"no seeds and no items", head[:strings.Index(head, "seeds")] + "truth: {class: R}\nruns: {name: a, focus: {random: {}}}", "f.yaml: seeds: is missing (list of URLs, {file: PATH} or {list: PATH})"},
		{"empty seeds with items", items + "each: {items: 2}\nseeds: []\nruns: {name: a, focus: {random: {}}}", "f.yaml:4: seeds: is empty"},
		{"no terms and no item", head + "runs: {name: a, focus: {best_first: {}}}", "f.yaml:4: runs.focus.best_first.terms: is missing (list of words or phrases)"},
		{"empty terms with items", items + "each: {items: 2}\nruns: {name: a, focus: {best_first: {terms: []}}}", "f.yaml:4: runs.focus.best_first.terms: is empty"},
		{"no terms for a keyword", items + "each: {items: 2}\nruns: {name: a, focus: {keyword: {}}}", "f.yaml:4: runs.focus.keyword.terms: is missing (list of words or phrases)"},
		{"a cosine to nothing", "web: {archive: demo.warc.gz}\nseeds: https://a.test\ntruth: {cosine: 0.3}\nruns: {name: a, focus: {random: {}}}", "f.yaml:3: truth.cosine: has no item to compare pages with (add each: {items: 60})"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := problemsOf(t, dir, tc.file, true); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestProblemsOfASeedFileNameItsOwnLines(t *testing.T) {
	dir := folder(t)
	got := problemsOf(t, dir, "seeds: {file: bad.txt}\nworkers: x\nfocus: {random: {}}", false)
	want := "f.yaml:2: workers: must be a whole number, not \"x\"\nDIR/bad.txt:2: bad URL \"b.test\": it has no scheme (write https://b.test)\nDIR/bad.txt:4: bad URL \"://\": "
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s…", got, want)
	}
}

func TestAnUnreadableFileIsAProblem(t *testing.T) {
	dir := folder(t)
	secret := write(t, dir, "secret.ttl", "")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	if file, err := os.Open(secret); err == nil {
		file.Close()
		t.Skip("this user may read every file")
	}
	got := problemsOf(t, dir, "seeds: https://a.test\nfocus: {ontology: {files: secret.ttl, target: 'urn:x'}}", false)
	if want := "f.yaml:2: focus.ontology.files: open DIR/secret.ttl: permission denied"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHostileFilesAreRefusedAtOnce(t *testing.T) {
	dir := folder(t)
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	var keys, steps strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	for i := range 1_000 {
		steps.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for _, tc := range []struct{ name, file, want string }{
		{"an alias bomb", bomb, "more than 200000 values"},
		{"an alias within its anchor", "seeds: &s [*s]\n", "alias *s has no anchor before it"},
		{"lists in lists", strings.Repeat("[", 500_000), "nested more than 32 deep"},
		{"maps in maps", strings.Repeat("{a: ", 200_000), "nested more than 32 deep"},
		{"lists on one line", strings.Repeat("- ", 400_000), "nested more than 32 deep"},
		{"explicit keys", strings.Repeat("? ", 400_000), "nested more than 32 deep"},
		{"anchors", strings.Repeat("&a ", 300_000), "more than 500 anchors and tags"},
		{"anchors line by line", strings.Repeat("&a\n", 200_000), "more than 500 anchors and tags"},
		{"lists with anchors", strings.Repeat("- &a ", 150_000), "nested more than 32 deep"},
		{"tags", strings.Repeat("!a ", 300_000), "more than 500 anchors and tags"},
		{"steps", steps.String(), "indented by more than 200 spaces"},
		{"keys", keys.String(), "more than 5000 keys"},
		{"a large file", strings.Repeat("#\n", 500_001), "larger than 1000000 bytes"},
		{"no UTF-8", "seeds: \xff", "not UTF-8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := problemsOf(t, dir, tc.file, false); !strings.Contains(got, tc.want) {
				t.Errorf("got %.300s, want %s", got, tc.want)
			}
		})
	}
}

func TestOnlySoManyProblemsAreReported(t *testing.T) {
	dir := folder(t)
	got := problemsOf(t, dir, "seeds: ["+strings.Repeat("a, ", 500)+"b]\nfocus: {random: {}}", false)
	lines := strings.Split(got, "\n")
	if len(lines) != MaxProblems+1 || lines[MaxProblems] != "f.yaml: and 401 more problems" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
}
