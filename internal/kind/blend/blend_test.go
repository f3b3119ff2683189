package blend

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/services/wire"
	"orbweaver/kb/offer"
	"orbweaver/ledger"
	"orbweaver/rdf/syntax/embedded"
)

// A toyKind is a kind whose focuses do as their sections say. Its focus is that of kindtest.
type toyKind struct{ kindtest.Kind }

// A toySection says what a focus is. A crawl file has none of it.
type toySection struct {
	abilities kind.Abilities         `yaml:"-"`
	begins    bool                   `yaml:"-"`
	next      []string               `yaml:"-"`
	fails     error                  `yaml:"-"` // of every step
	late      bool                   `yaml:"-"` // it is built when it looks
	decides   bool                   `yaml:"-"` // it takes suggestions
	lends     []orbweaver.Suggestion `yaml:"-"`
	altered   bool                   `yaml:"-"` // its input is not as the crawl began with it
	drawn     []string               `yaml:"-"`
	query     string                 `yaml:"-"`
	topic     string                 `yaml:"-"`
	seen      []string               `yaml:"-"` // steps, with the folder
}

func (toyKind) Traits() crawlfile.Traits       { return crawlfile.Traits{Key: "toy"} }
func (toyKind) Section() any                   { return new(toySection) }
func (toyKind) Check(any, *crawlfile.Check)    {}
func (toyKind) Abilities(s any) kind.Abilities { return s.(*toySection).abilities }
func (toyKind) Begins(s any) bool              { return s.(*toySection).begins }
func (toyKind) Next(s any, _ string) []string  { return s.(*toySection).next }
func (toyKind) Line(any) string                { return "a toy" }
func (toyKind) LineByItem(any) string          { return "a toy by item" }
func (toyKind) Facts(any, *eval.CrawlFacts)    {}
func (toyKind) Kept(_ any, folder string) kind.View {
	return kind.View{Warnings: []string{folder}}
}

func (toyKind) ForItem(s any, item *orbweaver.Page, start bool) (orbweaver.Focus, error) {
	if s.(*toySection).fails != nil || item.URL != "http://a.test/" || !start {
		return nil, errors.Join(s.(*toySection).fails, errors.New("not asked for"))
	}
	return plainFocus{}, nil
}

func (toyKind) New(_ context.Context, s any, env *kind.Env) (kind.Instance, error) {
	t := s.(*toySection)
	t.seen = append(t.seen, "new "+env.Folder)
	if t.fails != nil && !t.late {
		return nil, t.fails
	}
	in := &toy{toySection: t}
	if !t.late {
		in.F = t.focus()
	}
	if t.lends != nil {
		return &lender{in}, nil
	}
	return in, nil
}

func (t *toySection) focus() orbweaver.Focus {
	if t.decides {
		return decider{}
	}
	return plainFocus{}
}

// toy is an instance that records its steps.
type toy struct {
	kind.Plain
	*toySection
}

func (in *toy) step(name, where string) error {
	in.seen = append(in.seen, name+" "+where)
	return in.fails
}

func (in *toy) Look(_ context.Context, env *kind.Env) error {
	if err := in.step("look", env.Folder); err != nil {
		return err
	}
	in.F = in.focus()
	return nil
}
func (in *toy) Settle(_ context.Context, env *kind.Env) error { return in.step("settle", env.Folder) }
func (in *toy) Reach(wire.Wire, crawlfile.Private) error      { return in.step("reach", "") }
func (in *toy) Open(env *kind.Env) error                      { return in.step("open", env.File.Output) }
func (in *toy) Begin(*kind.Env, bool) error                   { return in.step("begin", "") }
func (in *toy) Close() error                                  { return in.step("close", "") }
func (in *toy) AsBegun(folder string) bool                    { in.step("as begun", folder); return !in.altered }
func (in *toy) Drawn() (from string, urls []string)           { return "a draw", in.drawn }
func (in *toy) Query() string                                 { return in.query }
func (in *toy) View(*kind.Env, *ledger.Ledger, bool) (kind.View, error) {
	return kind.View{Results: 1}, in.step("view", "")
}
func (in *toy) End(context.Context, *kind.Env, *ledger.Ledger, error) error {
	return in.step("end", "")
}

func (in *toy) Topic(context.Context, *orbweaver.Page) (kind.Topic, error) {
	if in.topic == "" {
		return nil, in.fails
	}
	return words(in.topic), in.fails
}

func (in *toy) Accept(env *kind.Env, v kind.Verdict, s orbweaver.Suggestion) (kind.Decided, error) {
	return kind.Decided{Decision: orbweaver.Decision{ID: v.ID, Text: s.ID, As: env.Folder}}, in.fails
}

type words string

func (t words) Print(w io.Writer) { io.WriteString(w, string(t)+"\n") }

// lender is a toy that borrows from other knowledge.
type lender struct{ *toy }

func (in *lender) Borrow(context.Context, *offer.Source) ([]orbweaver.Suggestion, error) {
	return in.lends, in.fails
}

// Withdraw says how many decisions are the part's own.
func (in *lender) Withdraw(env *kind.Env, _ orbweaver.Decision, held []orbweaver.Decision) (kind.Decided, error) {
	return kind.Decided{Removed: len(held), File: env.Folder}, in.fails
}

func (in *lender) Accepting(v kind.Verdict, s orbweaver.Suggestion) (orbweaver.Decision, error) {
	return orbweaver.Decision{ID: v.ID, Text: s.ID}, in.fails
}

func (in *lender) Speaking(s orbweaver.Suggestion) (entity, other string, things [][]string) {
	return s.ID, "", nil
}

type plainFocus struct{}

func (plainFocus) Judge(context.Context, *orbweaver.Page) (j orbweaver.Judgement, err error) { return }
func (plainFocus) Plan(context.Context, *orbweaver.Page, orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return nil, nil
}
func (plainFocus) Learn(context.Context, orbweaver.Outcome) (l orbweaver.Lesson, err error) { return }
func (plainFocus) Snapshot(io.Writer) error                                                 { return nil }
func (plainFocus) Restore(io.Reader) error                                                  { return nil }

type decider struct{ plainFocus }

func (decider) Decide(context.Context, orbweaver.Decision) (l orbweaver.Lesson, err error) { return }

// schema has the kinds of the tests.
func schema() crawlfile.Schema {
	kinds := kind.Registry{kindtest.Kind{}, toyKind{}}
	return append(kinds, Kind{Others: kinds}).Schema()
}

// blendOf joins toys, which are called a, b, c, ….
func blendOf(toys ...*toySection) *section {
	s := &section{Combine: "any"}
	for i, one := range toys {
		f := schema().Focus("toy", func(section any) { *section.(*toySection) = *one })
		toys[i] = f.Section().(*toySection)
		s.Parts = append(s.Parts, part{Name: string(rune('a' + i)), Weight: 1, Role: "judge", Ask: "always", Focus: f})
	}
	return s
}

// TestCheck: every problem is reported at its key.
func TestCheck(t *testing.T) {
	one := func(more string) string { return "{name: a, sightings: {things: {heron: 'urn:x'}}" + more + "}" }
	two := "{name: b, sightings: {things: {crane: 'urn:y'}}}"
	for _, tc := range []struct {
		name, blend string
		want        []string // empty: no problem
	}{
		{"well", "combine: a and not b, parts: [" + one("") + ", " + two + "]", nil},
		{"one part", "parts: [" + one("") + "]", []string{"parts: a blend has 2 to 16 parts, not 1"}},
		{"same names", "parts: [" + one("") + ", " + one("") + "]", []string{"parts[2].name: there is another part a"}},
		{"no weight", "parts: [" + one(", weight: 0") + ", " + two + "]", []string{"parts[1].weight: 0 is not above 0"}},
		{"no name", "parts: [{sightings: {things: {heron: 'urn:x'}}}, " + two + "]", []string{"parts[1].name: is missing"}},
		{"no parts", "combine: all", []string{"parts: is missing"}},
		{"bad weight", "parts: [" + one(", weight: x") + ", " + two + "]", []string{"parts[1].weight: must be a number"}},
		{"bad combine", "combine: [a], parts: [" + one("") + ", " + two + "]", []string{"combine: must be"}},
		{"unknown name", "combine: a and z, parts: [" + one("") + ", " + two + "]", []string{"combine: "}},
		{"guides alone", "combine: a or b, parts: [" + one(", role: guide") + ", " + strings.TrimSuffix(two, "}") + ", role: guide}]", []string{"combine: accepts no page"}},
		{"not by pages", "parts: [{name: a, toy: {}}, " + two + "]", []string{"parts[1].toy: cannot be part of a blend"}},
		{"a part's own", "combine: a and z, parts: [{name: a, sightings: {things: {heron: x}}}, " + two + "]", []string{"parts[1].sightings.things.heron", "combine: "}},
	} {
		file := "seeds: [http://a.test/]\nfocus: {blend: {" + tc.blend + "}}\noutput: out\n"
		_, err := schema().Read("f.yaml", t.TempDir(), []byte(file))
		if (err == nil) != (tc.want == nil) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err != nil && strings.Count(err.Error(), "\n") != len(tc.want)-1 {
			t.Errorf("%s: %v: not %d problems", tc.name, err, len(tc.want))
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v lacks %q", tc.name, err, want)
			}
		}
	}
}

// TestAbilities: a blend can what any part can, is shared and revised if all parts are, and is of all syntaxes if one part is.
func TestAbilities(t *testing.T) {
	of := func(parts ...kind.Abilities) kind.Abilities {
		var toys []*toySection
		for _, a := range parts {
			toys = append(toys, &toySection{abilities: a})
		}
		return Kind{}.Abilities(blendOf(toys...))
	}
	leads := func(url string) func(*orbweaver.Page) []string {
		return func(*orbweaver.Page) []string { return []string{url} }
	}
	none := of(kind.Abilities{}, kind.Abilities{})
	if want := (kind.Abilities{Learned: true}); !reflect.DeepEqual(none, want) {
		t.Errorf("of parts that can nothing: %+v", none)
	}
	all := of(kind.Abilities{Shared: true, Revised: true, Explored: true, Paper: true, Forms: "x", Uncompared: "first", Alone: "alone", Mend: "one."},
		kind.Abilities{Shared: true, Revised: true, ByItem: true, Starts: true, Dumps: true, Forms: "y", Uncompared: "second", AloneIn: "in", Mend: "two."})
	want := kind.Abilities{Shared: true, Revised: true, Explored: true, Paper: true, Forms: "x", Uncompared: "first", Alone: "alone",
		ByItem: true, Starts: true, Dumps: true, Learned: true, Mend: "one. two."}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, want %+v", all, want)
	}
	for i, parts := range [][]kind.Abilities{{{Shared: true, Revised: true}, {}}, {{}, {Shared: true, Revised: true}}} {
		if a := of(parts...); a.Shared || a.Revised {
			t.Errorf("%d: shared with a part that is not: %+v", i, a)
		}
	}
	if a := of(kind.Abilities{}, kind.Abilities{AloneIn: "in"}); a.Alone != "in" {
		t.Errorf("alone: %q", a.Alone)
	}
	some := kind.Abilities{Data: true, Syntaxes: []embedded.Syntax{embedded.JSONLD}}
	for _, tc := range []struct {
		parts []kind.Abilities
		data  bool
		of    int
	}{
		{[]kind.Abilities{some, {}}, true, 1},
		{[]kind.Abilities{some, some}, true, 2},
		{[]kind.Abilities{some, {Data: true}}, true, 0},
		{[]kind.Abilities{{Data: true}, some}, true, 0},
		{[]kind.Abilities{{}, {Syntaxes: some.Syntaxes}}, false, 0},
	} {
		if a := of(tc.parts...); a.Data != tc.data || len(a.Syntaxes) != tc.of {
			t.Errorf("%+v: data %v of %v", tc.parts, a.Data, a.Syntaxes)
		}
	}
	if a := of(kind.Abilities{Leads: leads("u:1")}, kind.Abilities{}, kind.Abilities{Leads: leads("u:2")}); !slices.Equal(a.Leads(nil), []string{"u:1", "u:2"}) {
		t.Errorf("leads to %v", a.Leads(nil))
	}
}

// TestWords: the line of a blend, its commands and what reasons name.
func TestWords(t *testing.T) {
	s := blendOf(&toySection{next: []string{"x", "y"}}, &toySection{next: []string{"y", "z"}, abilities: kind.Abilities{ByItem: true}})
	s.Parts[0].Role, s.Parts[1].Weight = "guide", 2.5
	if got, want := (Kind{}).Line(s), "blend: any; a, a guide: a toy; b, weight 2.5: a toy"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (Kind{}).LineByItem(s), "blend: any; a, a guide: a toy; b, weight 2.5: a toy by item"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (Kind{}).Next(s, "f"); !slices.Equal(got, []string{"x", "y", "z"}) {
		t.Errorf("next %v", got)
	}
	k := Kind{Others: kind.Registry{toyKind{}, kindtest.Kind{}}}
	for rule, names := range map[string]bool{"a/sighting": true, "sighting": false, "a/other": false} {
		if n := k.Names(orbweaver.Reason{Rule: rule, Evidence: "heron <u:h>"}); (n.IRI == "u:h") != names {
			t.Errorf("%s names %+v", rule, n)
		}
	}
	if k.Begins(s) || !k.Begins(blendOf(&toySection{}, &toySection{begins: true})) {
		t.Error("a blend begins if a part does")
	}
	kept := k.Kept(s, "crawl").Warnings
	if want := []string{"a: " + filepath.Join("crawl", "parts", "a"), "b: " + filepath.Join("crawl", "parts", "b")}; !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
}
