package external

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"orbweaver"
	"orbweaver/internal/realdata"
)

// schemas returns the JSON Schemas of a page's line and of an answer, from the documentation.
func schemas(t testing.TB) (page, answer *jsonschema.Schema) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "docs", "reference", "external.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("external.json", doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("external.json#/$defs/page"), c.MustCompile("external.json#/$defs/answer")
}

// valid reports whether a line is as a schema says.
func valid(s *jsonschema.Schema, line []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err == nil {
		err = s.Validate(v)
	}
	return err
}

// long is a page beyond every bound.
func long() *orbweaver.Page {
	p := page(strings.Repeat("t", maxTitle), orbweaver.Link{To: "http://p.test/" + strings.Repeat("u", maxTo), Anchor: "too long a URL"})
	p.Title = strings.Repeat("ü", maxTitle)
	p.Text = "x" + strings.Repeat("ü", maxText) // a cut within a character
	for i := range maxLinks + 10 {
		p.Links = append(p.Links, orbweaver.Link{
			To: "http://p.test/" + string(rune('a'+i%26)) + strings.Repeat("z", i), Anchor: strings.Repeat("ä", maxAnchor), Context: strings.Repeat("ö", maxContext), Rel: strings.Repeat("ë", maxRel),
		})
	}
	return p
}

// TestLinesAreAsTheSchemaSays: what is sent is on one line, valid by the schema that users have, and bounded.
func TestLinesAreAsTheSchemaSays(t *testing.T) {
	schema, _ := schemas(t)
	broken := page("bro\nken", link("x", "\xff\xfe"))
	broken.Text = "a\x00b\u2028c\xffd"
	for name, p := range map[string]*orbweaver.Page{"plain": page("a", link("x", "x")), "empty": {}, "long": long(), "broken": broken} {
		line, err := NewQuestion(p, true).Line()
		if err != nil || bytes.ContainsAny(line, "\n\r") || !utf8.Valid(line) {
			t.Fatalf("%s: %v: %.200s", name, err, line)
		}
		if err := valid(schema, line); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	line, _ := NewQuestion(long(), true).Line()
	var sent pageLine
	if err := json.Unmarshal(line, &sent); err != nil || len(sent.Text) != maxText-1 || len(sent.Links) != maxLinks || *sent.Cut != (cut{2*maxText + 1, maxLinks + 11}) {
		t.Errorf("%v: %d bytes of text, %d links, cut %+v", err, len(sent.Text), len(sent.Links), sent.Cut)
	}
	if len(line) > 1<<20 {
		t.Errorf("a line of %d bytes", len(line))
	}
	line, _ = NewQuestion(page("a", link("x", "x")), false).Line()
	if !bytes.Contains(line, []byte(`"links":[]`)) || bytes.Contains(line, []byte(`"cut"`)) {
		t.Errorf("without links: %s", line)
	}
}

// TestKeys: the key is that of URL and content.
func TestKeys(t *testing.T) {
	one, two, three, four := page("a"), page("a"), page("b"), page("a")
	two.Links = []orbweaver.Link{link("x", "x")}
	four.Digest = "sha1:X"
	key := func(p *orbweaver.Page) string { return NewQuestion(p, true).Key }
	if key(one) != key(two) || key(one) == key(three) || key(one) == key(four) || len(key(one)) != 64 {
		t.Error(key(one), key(two), key(three), key(four))
	}
}

// TestAnswers reads answers to a page with two links. Those that the schema forbids are none.
func TestAnswers(t *testing.T) {
	_, schema := schemas(t)
	q := NewQuestion(page("a", link("x", "x"), link("y", "y")), true)
	yes := true
	for _, tc := range []struct {
		line string
		want Answer
	}{
		{`{"id":"I","score":0.25}`, Answer{Score: 0.25}},
		{`{"id":"I","score":1,"accepted":true,"class":"kites","cost":0.002,"links":[0.5,null]}`, Answer{Score: 1, Accepted: &yes, Class: "kites", Cost: 0.002, Links: map[int]float64{0: 0.5}}},
		{`{"id":"I","score":0,"links":{"http://p.test/y":1,"0":0.5,"http://elsewhere.test/":0.3}}`, Answer{Links: map[int]float64{0: 0.5, 1: 1}}},
		{`{"id":"I","score":0,"links":{}}`, Answer{Links: map[int]float64{}}},
		{`{"id":"I","score":0.5,"reasons":[{"rule":"word","evidence":"a\nkite\u0007","weight":-2},{}],"more":[1]}`,
			Answer{Score: 0.5, Reasons: []orbweaver.Reason{{Rule: "judge:word", Evidence: "a kite", Weight: -2}, {Rule: "judge"}}}},
		{`{"id":"I","score":0.5,"accepted":null,"reasons":null,"links":null,"class":null,"cost":null,"error":null}`, Answer{Score: 0.5}},
		{`{"id":"I","error":"out of memory"}`, Lacking("the judge says: out of memory")},
		{`{"id":"I"}`, Lacking("score: is missing")},
		{`{"id":"I","score":null}`, Lacking("score: is missing")},
		{`{"id":"I","score":1.5}`, Lacking("score: 1.5 is not between 0 and 1")},
		{`{"id":"I","score":-1e-9}`, Lacking("score: -1e-09 is not between 0 and 1")},
		{`{"id":"I","score":1e999}`, Lacking("score: 1e999 is no number")},
		{`{"id":"I","score":"0.5"}`, Lacking(`score: "0.5" is no number`)},
		{`{"id":"I","score":0.5,"accepted":"yes"}`, Lacking("accepted: neither true nor false")},
		{`{"id":"I","score":0.5,"cost":-1}`, Lacking("cost: -1 is not between 0 and 1e+09")},
		{`{"id":"I","score":0.5,"reasons":{"rule":"x"}}`, Lacking("reasons: no list of objects with rule, evidence and weight")},
		{`{"id":"I","score":0.5,"reasons":[{"weight":1e7}]}`, Lacking("reasons: 1: weight: 1e+07 is not between -1e+06 and 1e+06")},
		{`{"id":"I","score":0.5,"links":[0.1,0.2,0.3]}`, Lacking("links: 3 scores for 2 links")},
		{`{"id":"I","score":0.5,"links":{"2":0.3}}`, Lacking("links: there is a score for a position beyond the 2 links")},
		{`{"id":"I","score":0.5,"links":[2]}`, Lacking("links: 0: 2 is not between 0 and 1")},
		{`{"id":"I","score":0.5,"links":{"http://p.test/x":"high"}}`, Lacking(`links: http://p.test/x: "high" is no number`)},
		{`{"id":"I","score":0.5,"links":7}`, Lacking("links: neither a list of scores nor an object with scores by URL or position")},
	} {
		raw := []byte(strings.Replace(tc.line, `"I"`, `"`+q.ID()+`"`, 1))
		line, err := ReadLine(raw)
		if err != nil || line.ID != q.ID() {
			t.Errorf("%s: %v", tc.line, err)
			continue
		}
		got := line.Answer(q)
		if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tc.line, got, tc.want)
		}
		// How many links there are, and how large 1e999 is, no schema knows.
		if ours, theirs := tc.want.Lack == "" || strings.HasPrefix(tc.want.Lack, "the judge says"), valid(schema, raw) == nil; ours && !theirs || theirs && !ours && !strings.Contains(tc.want.Lack, " 2 links") {
			t.Errorf("%s: the schema says %v", tc.line, valid(schema, raw))
		}
	}
	for _, bad := range []string{"", "{", "[]", "7", `{"score":1}`, `{"id":7,"score":1}`, `{"id":"","score":1}`, `{"id":"x","score":NaN}`, strings.Repeat(" ", MaxLine) + "{}"} {
		if l, err := ReadLine([]byte(bad)); err == nil {
			t.Errorf("%.40s is read as %+v", bad, l)
		}
	}
}

func TestRecords(t *testing.T) {
	no := false
	for _, a := range []Answer{{}, {Score: 0.5, Accepted: &no, Class: "c", Reasons: []orbweaver.Reason{{Rule: "judge", Weight: 1}}, Links: map[int]float64{3: 0.5, 1: 0}, Cost: 2, Took: 5}, {Lack: "dead", Down: true, Unasked: true}} {
		b, err := a.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Decode(b); err != nil || !reflect.DeepEqual(got, a) {
			t.Errorf("%s: %+v, %v", b, got, err)
		}
	}
	for _, bad := range []string{"", "{}", `{"v":2}`, `{"v":1,"score":2}`} {
		if a, err := Decode([]byte(bad)); err == nil {
			t.Errorf("%s is %+v", bad, a)
		}
	}
}

// FuzzAnswer: whatever a judge writes, the answer is within the bounds and can be recorded.
func FuzzAnswer(f *testing.F) {
	q := NewQuestion(page("a", link("x", "x"), link("y", "y")), true)
	for _, seed := range []string{
		`{"id":"x","score":0.5,"links":[0.1,null],"reasons":[{"rule":"r","evidence":"e","weight":1}]}`, `{"id":"x","score":1e999}`,
		`{"id":"x","score":0,"links":{"http://p.test/x":0.1,"1":1}}`, `{"id":"x","error":{"a":[]}}`, `{"id":"x","score":-0}`, "{\"id\":\"\xff\",\"class\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		line, err := ReadLine(raw)
		if err != nil {
			return
		}
		a := line.Answer(q)
		if !(a.Score >= 0 && a.Score <= 1) || !(a.Cost >= 0 && a.Cost <= maxCost) || len(a.Reasons) > maxReasons || len(a.Class) > maxClass || len(a.Lack) > maxLack || len(a.Links) > 2 {
			t.Fatalf("%+v", a)
		}
		for at, score := range a.Links {
			if at < 0 || at > 1 || !(score >= 0 && score <= 1) {
				t.Fatalf("%+v", a)
			}
		}
		for _, r := range a.Reasons {
			if !(r.Weight >= -maxWeight && r.Weight <= maxWeight) || len(r.Evidence) > maxEvidence || !utf8.ValidString(r.Evidence+r.Rule+a.Class) || strings.ContainsAny(r.Evidence+r.Rule, "\n\x00") {
				t.Fatalf("%+v", r)
			}
		}
		kept, err := a.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Decode(kept); err != nil {
			t.Fatalf("%+v: %v", again, err)
		}
	})
}
