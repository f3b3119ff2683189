package blend

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/services/wire"
)

var errToy = errors.New("a toy broke")

// built prepares a blend of toys in a folder.
func built(t *testing.T, folder string, toys ...*toySection) (*instance, *kind.Env) {
	t.Helper()
	env := &kind.Env{Folder: folder, File: &crawlfile.Crawl{Output: folder}}
	in, err := Kind{}.New(t.Context(), blendOf(toys...), env)
	if err != nil {
		t.Fatal(err)
	}
	return in.(*instance), env
}

// TestSteps: each step reaches every part with a folder of its own; an error names its part, and keeps no other from it.
func TestSteps(t *testing.T) {
	steps := []struct {
		name string
		do   func(in *instance, env *kind.Env) error
	}{
		{"look", func(in *instance, env *kind.Env) error { return in.Look(t.Context(), env) }},
		{"settle", func(in *instance, env *kind.Env) error { return in.Settle(t.Context(), env) }},
		{"open", func(in *instance, env *kind.Env) error { return in.Open(env) }},
		{"begin", func(in *instance, env *kind.Env) error { return in.Begin(env, true) }},
		{"end", func(in *instance, env *kind.Env) error { return in.End(t.Context(), env, nil, nil) }},
		{"view", func(in *instance, env *kind.Env) error { _, err := in.View(env, nil, false); return err }},
	}
	for _, step := range steps {
		for _, broken := range []int{-1, 0, 1} {
			toys := []*toySection{{late: true}, {late: true}}
			folder := t.TempDir()
			in, env := built(t, folder, toys...)
			toys = toysOf(in)
			if broken >= 0 {
				toys[broken].fails = errToy
			}
			err := step.do(in, env)
			if (broken >= 0) != errors.Is(err, errToy) || broken >= 0 && !strings.Contains(err.Error(), "part "+in.section.Parts[broken].Name) {
				t.Errorf("%s, broken %d: %v", step.name, broken, err)
			}
			for i, one := range toys {
				if last := one.seen[len(one.seen)-1]; !strings.HasPrefix(last, step.name) {
					t.Errorf("%s, broken %d: part %d has seen %v", step.name, broken, i, one.seen)
				}
			}
			if step.name == "look" && (in.Focus() != nil) != (broken < 0) {
				t.Errorf("broken %d: built too early or too late", broken)
			}
			if step.name == "open" {
				for _, name := range []string{"a", "b"} {
					if info, err := os.Stat(filepath.Join(folder, "parts", name)); err != nil || !info.IsDir() {
						t.Errorf("part %s has no folder: %v", name, err)
					}
				}
			}
		}
	}
}

// toysOf are the sections of the parts of a blend.
func toysOf(in *instance) (all []*toySection) {
	for _, p := range in.section.Parts {
		all = append(all, p.Focus.Section().(*toySection))
	}
	return all
}

// TestNew: a blend of which a part cannot be built is none: all problems are reported, and what was built is closed.
func TestNew(t *testing.T) {
	s := blendOf(&toySection{}, &toySection{fails: errToy}, &toySection{fails: io.ErrUnexpectedEOF})
	_, err := Kind{}.New(t.Context(), s, &kind.Env{Folder: "f"})
	if !errors.Is(err, errToy) || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "focus.blend: part b: a toy broke") {
		t.Errorf("%v", err)
	}
	first := s.Parts[0].Focus.Section().(*toySection)
	if want := []string{"new " + filepath.Join("f", "parts", "a"), "close "}; !slices.Equal(first.seen, want) {
		t.Errorf("the first part has seen %q, want %q", first.seen, want)
	}
	s = blendOf(&toySection{}, &toySection{})
	s.Parts[1].Ask = "near-threshold"
	if _, err := (Kind{}).New(t.Context(), s, &kind.Env{}); err == nil || !strings.Contains(err.Error(), "focus.blend.parts[2].ask: near-threshold") {
		t.Errorf("a part that cannot be asked less often: %v", err)
	}
}

// TestParts: what is true of parts is true of the blend.
func TestParts(t *testing.T) {
	in, _ := built(t, "f", &toySection{query: ""}, &toySection{query: "herons", drawn: []string{"u:1"}}, &toySection{query: "cranes", drawn: []string{"u:2", "u:3"}})
	if q := in.Query(); q != "herons" {
		t.Errorf("query %q", q)
	}
	if from, urls := in.Drawn(); from != "a draw and a draw" || !slices.Equal(urls, []string{"u:1", "u:2", "u:3"}) {
		t.Errorf("%q, %v", from, urls)
	}
	if in.AcceptFrom() != nil || !in.AsBegun("g") {
		t.Error("a threshold, or an input that has changed")
	}
	toys := toysOf(in)
	if want := "as begun " + filepath.Join("g", "parts", "c"); toys[2].seen[len(toys[2].seen)-1] != want {
		t.Errorf("seen %q, want %q", toys[2].seen, want)
	}
	if toys[1].altered = true; in.AsBegun("g") {
		t.Error("the input of a part has changed")
	}
	if err := in.Reach(wire.Wire{}, crawlfile.Private{}); err != nil {
		t.Error(err)
	}
	toys[2].fails = errToy
	if err := in.Reach(wire.Wire{}, crawlfile.Private{}); !errors.Is(err, errToy) {
		t.Errorf("reach: %v", err)
	}
	if err := in.Close(); !errors.Is(err, errToy) {
		t.Errorf("close: %v", err)
	}
	if last := toys[0].seen[len(toys[0].seen)-1]; last != "close " {
		t.Errorf("the first part is not closed: %q", toys[0].seen)
	}
}

// TestTopic: what parts know about a page is printed by their names; nothing if none knows anything.
func TestTopic(t *testing.T) {
	in, _ := built(t, "", &toySection{topic: "herons"}, &toySection{}, &toySection{topic: "cranes"})
	topic, err := in.Topic(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if topic.Print(&b); b.String() != "a:\nherons\nc:\ncranes\n" {
		t.Errorf("%q", &b)
	}
	toysOf(in)[1].fails = errToy
	if _, err := in.Topic(t.Context(), nil); !errors.Is(err, errToy) {
		t.Errorf("%v", err)
	}
	in, _ = built(t, "", &toySection{}, &toySection{})
	if topic, err := in.Topic(t.Context(), nil); topic != nil || err != nil {
		t.Errorf("%v, %v", topic, err)
	}
}

// TestView: warnings name their part, results add up, and what is kept is kept in the folder of the part.
func TestView(t *testing.T) {
	s := blendOf(&toySection{}, &toySection{})
	if all := s.joined(make([]kind.View, 2)); all.Keep != nil || all.Print != nil || all.Facts == nil {
		t.Errorf("of nothing: %+v", all)
	}
	var kept []string
	keep := func(err error) func(string) error {
		return func(folder string) error { kept = append(kept, folder); return err }
	}
	all := s.joined([]kind.View{
		{Warnings: []string{"few"}, Results: 2, Keep: keep(errToy)},
		{Results: 3, Keep: keep(nil), Print: func(w io.Writer, folder string) { fmt.Fprintln(w, folder) }},
	})
	if all.Results != 5 || !slices.Equal(all.Warnings, []string{"a: few"}) {
		t.Errorf("%+v", all)
	}
	if err := all.Keep("f"); !errors.Is(err, errToy) || !slices.Equal(kept, []string{folderOf("f", "a"), folderOf("f", "b")}) {
		t.Errorf("%v, kept %q", err, kept)
	}
	var b bytes.Buffer
	if all.Print(&b, "f"); b.String() != "b\n"+folderOf("f", "b")+"\n" {
		t.Errorf("%q", &b)
	}
	if folderOf("", "a") != "" {
		t.Error("a part of no crawl has a folder")
	}
}

// TestSuggestions: a suggestion goes to the part that made it, without the part's prefix, and comes back with it.
func TestSuggestions(t *testing.T) {
	lends := func(scores ...float64) (all []orbweaver.Suggestion) {
		for i, score := range scores {
			all = append(all, orbweaver.Suggestion{ID: fmt.Sprint("s", i), Score: score})
		}
		return all
	}
	in, env := built(t, "f", &toySection{decides: true, lends: lends(.5, .2)}, &toySection{}, &toySection{decides: true, lends: lends(.9, .5)})
	all, err := in.Borrow(t.Context(), nil)
	var ids []string
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	if want := []string{"c/s0", "a/s0", "c/s1", "a/s1"}; err != nil || !slices.Equal(ids, want) {
		t.Errorf("%v, %v, want %v: best first, equals by their parts", err, ids, want)
	}
	d, err := in.Accept(env, kind.Verdict{ID: "c/s1"}, orbweaver.Suggestion{ID: "c/s1"})
	if err != nil || d.Decision.ID != "c/s1" || d.Decision.Text != "s1" || d.Decision.As != folderOf("f", "c") {
		t.Errorf("accepted: %v, %+v", err, d)
	}
	one, err := in.Accepting(kind.Verdict{ID: "a/s1"}, orbweaver.Suggestion{ID: "a/s1"})
	if err != nil || one.ID != "a/s1" || one.Text != "s1" {
		t.Errorf("accepting: %v, %+v", err, one)
	}
	if entity, _, _ := in.Speaking(orbweaver.Suggestion{ID: "a/s1"}); entity != "s1" {
		t.Errorf("speaking: %q", entity)
	}
	w, err := in.Withdraw(env, orbweaver.Decision{ID: "c/s1"}, []orbweaver.Decision{{ID: "a/s0"}, {ID: "c/s0"}, {ID: "z/s0"}, {ID: "c/s2"}})
	if err != nil || w.Removed != 2 || w.File != folderOf("f", "c") {
		t.Errorf("withdrawn with %d others in %q: %v", w.Removed, w.File, err)
	}
	toysOf(in)[2].fails = errToy
	_, borrowed := in.Borrow(t.Context(), nil)
	_, accepted := in.Accept(env, kind.Verdict{ID: "c/s1"}, orbweaver.Suggestion{})
	_, accepting := in.Accepting(kind.Verdict{ID: "c/s1"}, orbweaver.Suggestion{})
	_, withdrawn := in.Withdraw(env, orbweaver.Decision{ID: "c/s1"}, nil)
	for i, err := range []error{borrowed, accepted, accepting, withdrawn} {
		if !errors.Is(err, errToy) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// TestNoSuggestions: a part that takes none, a blend without such a part and one that is not built say so.
func TestNoSuggestions(t *testing.T) {
	none, _ := built(t, "", &toySection{}, &toySection{})
	late, _ := built(t, "", &toySection{late: true}, &toySection{})
	deaf, _ := built(t, "", &toySection{decides: true}, &toySection{})
	for want, in := range map[string]*instance{"only an ontology does": none, "not built yet": late, "part a takes no suggestions": deaf} {
		_, err := in.Accepting(kind.Verdict{ID: "s"}, orbweaver.Suggestion{ID: "s"})
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if entity, _, things := in.Speaking(orbweaver.Suggestion{ID: "s"}); entity != "" || things != nil {
			t.Errorf("%s: speaks of %q", want, entity)
		}
		if _, err := in.Borrow(t.Context(), nil); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: borrowed: %v", want, err)
		}
	}
}

// TestForItem: parts that go by an item get it; an error names its part.
func TestForItem(t *testing.T) {
	item := &orbweaver.Page{URL: "http://a.test/"}
	by := kind.Abilities{ByItem: true}
	if _, err := (Kind{}).ForItem(blendOf(&toySection{abilities: by}, &toySection{}), item, true); err != nil {
		t.Error(err)
	}
	for i := range 2 {
		toys := []*toySection{{abilities: by}, {}}
		toys[i].fails = errToy
		_, err := (Kind{}).ForItem(blendOf(toys...), item, true)
		if want := "focus.blend: part " + string(rune('a'+i)); !errors.Is(err, errToy) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := (Kind{}).ForItem(blendOf(&toySection{abilities: by}, &toySection{}), item, false); err == nil {
		t.Error("the part has not heard of the start")
	}
}
