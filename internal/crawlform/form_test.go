package crawlform_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlform"
	"orbweaver/internal/kind/all"
)

func schema() crawlfile.Schema { return all.Kinds().Schema() }

// TestSet: a value changes where it stands, and all else stays.
func TestSet(t *testing.T) {
	const file = `# head
seeds:
  - https://a.example/   # first
  - https://b.example/
# what it looks for
focus:
  keyword:
    terms: [plane, "light aircraft"]  # words
limits: {requests: 200, time: 2h}
# time: 1h

politeness:
  delay: 1s    # between two requests
# contact: me@example.org
explore: 5%
`
	for _, tc := range []struct {
		name, path, value, old, new string
	}{
		{"a value with a comment", "politeness.delay", "2s", "delay: 1s    #", "delay: 2s    #"},
		{"a key more in lines", "politeness.contact", "me@example.org", "requests\n# contact", "requests\n  contact: \"me@example.org\"\n# contact"},
		{"a value in braces", "limits.time", "30m", "time: 2h", "time: 30m"},
		{"a key more in braces", "limits.depth", "3", "time: 2h}", "time: 2h, depth: 3}"},
		{"a key less in braces", "limits.requests", "", "requests: 200, ", ""},
		{"the last key in braces", "limits.time", "", ", time: 2h", ""},
		{"a section less", "politeness.delay", "", "politeness:\n  delay: 1s    # between two requests\n", ""},
		{"a section more", "scope.hosts", "a.example", "explore: 5%\n", "explore: 5%\nscope:\n  hosts: [a.example]\n"},
		{"a list in brackets", "focus.keyword.terms", "plane\nglider", `[plane, "light aircraft"]  # words`, "[plane, glider]  # words"},
		{"a list in lines", "seeds", "https://a.example/\nhttps://c.example/", "https://b.example/\n", "https://c.example/\n"},
		{"seeds of a file", "seeds", "file: seeds.txt", "\n  - https://a.example/   # first\n  - https://b.example/\n", "\n  file: seeds.txt\n"},
		{"a section in short", "explore.seed", "7", "explore: 5%", "explore:\n  share: 5%\n  seed: 7"},
		{"the only value of a section in short", "explore.share", "", "explore: 5%\n", ""},
		{"words with a meaning in YAML", "politeness.contact", "on: {x", "requests\n# contact", "requests\n  contact: \"on: {x\"\n# contact"},
		{"what is no number", "limits.requests", "many # of them", "requests: 200", `requests: "many # of them"`},
		{"another kind of focus keeps what both have", "focus", "best_first", "  keyword:\n    terms: [plane, \"light aircraft\"]  # words\n", "  best_first:\n    terms: [plane, \"light aircraft\"]\n"},
		{"a map", "prefixes", `ex: "http://example.org/"`, "# what it", "prefixes:\n  ex: http://example.org/\n# what it"},
		{"nothing", "limits.depth", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := crawlform.Set(schema(), []byte(file), map[string]string{tc.path: tc.value})
			if want := strings.Replace(file, tc.old, tc.new, 1); err != nil || string(got) != want || tc.old != "" && want == file {
				t.Fatalf("%v\n%s", err, got)
			}
		})
	}
}

// TestValues: what a form shows of a file.
func TestValues(t *testing.T) {
	got, err := crawlform.Values(schema(), []byte("seeds: {list: [a, b]}\nfocus: {blend: {parts: [{name: x, keyword: {terms: y}}], combine: x}}\nexplore: 3%\ndiscover: [index, search]\nlimits:\nallow_private: true\nunheard: 3\n"))
	want := map[string]string{
		"seeds": "list: [a, b]\n", "focus": "blend", "focus.blend.combine": "x", "focus.blend.parts": "- name: x\n  keyword:\n    terms: \"y\"\n",
		"explore.share": "3%", "discover.by": "index\nsearch", "allow_private": "true",
	}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v %q", err, got)
	}
}

// TestEveryKey: every key of the reference can be set and removed, in an empty file, in lines and in braces.
func TestEveryKey(t *testing.T) {
	n := 0
	var each func([]crawlfile.Key)
	each = func(keys []crawlfile.Key) {
		for _, k := range keys {
			if k.Doc == "" || k.Path == "" || k.Form == crawlfile.WordForm && len(k.Words) < 1 {
				t.Errorf("%+v", k)
			}
			each(k.Keys)
			if k.Form == crawlfile.SectionForm {
				continue
			}
			n++
			value := map[crawlfile.Form]string{
				crawlfile.KindForm: "random", crawlfile.TextForm: "é: \"x\" # y", crawlfile.NumberForm: "12", crawlfile.ListForm: "a b\nc: d",
				crawlfile.YAMLForm: "a: 1\n", crawlfile.WordForm: strings.Join(k.Words[:min(1, len(k.Words))], ""),
			}[k.Form]
			if k.Free {
				value = "http://a.example/\nhttp://b.example/"
			}
			for _, file := range []string{"", "# nothing\n", "{}", "{workers: 3}\n", "workers: 3", "limits:\n  # none\n  depth: 5\n\n# end\n", "\n{ \"limits\" : { \"depth\":5 } }"} {
				set, err := crawlform.Set(schema(), []byte(file), map[string]string{k.Path: value})
				if err != nil {
					t.Errorf("%s in %q: %v", k.Path, file, err)
					continue
				}
				values, err := crawlform.Values(schema(), set)
				if err != nil || values[k.Path] != value {
					t.Errorf("%s in %q: %q %v\n%s", k.Path, file, values[k.Path], err, set)
				}
				unset, err := crawlform.Set(schema(), set, map[string]string{k.Path: ""})
				if values, _ := crawlform.Values(schema(), unset); err != nil || values[k.Path] != "" {
					t.Errorf("%s in %q: %v\n%s", k.Path, file, err, unset)
				}
			}
		}
	}
	if each(schema().Documented()); n < 150 {
		t.Errorf("only %d keys", n)
	}
}

// TestExamples: keys of the examples change one after another, at random, and the rest of each file stays: its comments and all other
// values.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, path := range append(files, "../starting/topic.yaml") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, err := crawlform.Values(schema(), text)
		if err != nil {
			t.Fatal(err)
		}
		comments := strings.Count(string(text), "#")
		for range 60 {
			key := slices.Sorted(maps.Keys(before))[random.IntN(len(before))]
			if key == "focus" || strings.Contains(before[key], ":") {
				continue
			}
			value := fmt.Sprint(random.IntN(100))
			text2, err := crawlform.Set(schema(), text, map[string]string{key: value})
			if err != nil {
				t.Fatalf("%s: %s: %v", path, key, err)
			}
			after, err := crawlform.Values(schema(), text2)
			if before[key] = value; err != nil || !maps.Equal(before, after) {
				t.Fatalf("%s: %s: %v\n%q\n%q", path, key, err, before, after)
			}
			text = text2
		}
		if left := strings.Count(string(text), "#"); comments-left > 8 { // of lines of a list that went
			t.Errorf("%s had %d comments, and has %d", path, comments, left)
		}
	}
}

// TestRefused: what a form cannot change is refused, and nothing is changed elsewhere.
func TestRefused(t *testing.T) {
	for _, tc := range []struct{ file, path, value string }{
		{"a: &x {depth: 3}\nlimits: *x\n", "limits.depth", "4"},
		{"base: &b\n  depth: 3\nlimits:\n  <<: *b\n", "limits.depth", "4"},
		{"limits: [\n", "limits.depth", "4"},
		{"- 1\n", "limits.depth", "4"},
		{"", "limits.dept", "4"},
		{"", "limits", "4"},
		{"", "focus", "none"},
		{"", "prefixes", "[a"},
		{"", "prefixes", strings.Repeat("[", 5000)},
		{"a: " + strings.Repeat("{a: ", 40) + "1" + strings.Repeat("}", 40), "limits.depth", "4"},
	} {
		if got, err := crawlform.Set(schema(), []byte(tc.file), map[string]string{tc.path: tc.value}); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%.60q: %s: %v %.100s", tc.file, tc.path, err, got)
		}
	}
}

// FuzzSet: whatever the file and the value, the value is set and the rest is as it was, or the change is refused.
func FuzzSet(f *testing.F) {
	f.Add("limits: {depth: 3} # x\nfocus:\n  keyword: {terms: a}\n", "9")
	f.Add("{\"limits\": {\"depth\": 3}}", "a: b")
	f.Add("limits:\n  'depth': |\n    # 3\nseeds:\n- a\n- b # c\n", "")
	f.Fuzz(func(t *testing.T, file, value string) {
		before, err := crawlform.Values(schema(), []byte(file))
		if err != nil {
			return
		}
		for _, path := range []string{"limits.depth", "seeds", "explore.share", "focus.keyword.terms"} {
			out, err := crawlform.Set(schema(), []byte(file), map[string]string{path: value})
			if err != nil {
				continue
			}
			after, err := crawlform.Values(schema(), out)
			if err != nil {
				t.Fatalf("%q: %v", out, err)
			}
			for key, was := range before {
				if key != path && key != "focus" && !strings.HasPrefix(path, key) && !strings.HasPrefix(key, "explore") && !strings.HasPrefix(key, "focus") && after[key] != was {
					t.Errorf("%s: %s was %q, is %q\n%q", path, key, was, after[key], out)
				}
			}
		}
	})
}
