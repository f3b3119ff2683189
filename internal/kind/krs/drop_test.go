package krs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
)

// TestDrop drops the documents that are nearer to the background, once.
func TestDrop(t *testing.T) {
	store := storeOf(t, texts("kite sail*2", "kite sail", "kite sail line", "tax law", "tax court"), texts("tax", "court", "law", "news"))
	dropped, err := drop(t.Context(), store, 0)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, d := range dropped {
		if ids = append(ids, d.ID); d.Likeness >= 0 {
			t.Errorf("%+v", d)
		}
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"http://d.test/tax court", "http://d.test/tax law"}) && !slices.Equal(ids, []string{"http://d.test/tax%20court", "http://d.test/tax%20law"}) {
		t.Errorf("%q", ids)
	}
	s, err := store.Snapshot(krs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if low := s.Standings(); len(low) != 3 || s.Documents() != 3 || low[0].Likeness > low[2].Likeness {
		t.Errorf("%+v", low)
	}
	if _, err := drop(t.Context(), store, 2); !errors.Is(err, krs.ErrEmpty) {
		t.Errorf("all: %v", err)
	}
}

// texts makes documents of words: "sail*2" is mentioned twice.
func texts(all ...string) (docs []krs.Document) {
	for _, words := range all {
		d := krs.Document{ID: "http://d.test/" + words, Title: words}
		var word string
		for rest := words; rest != ""; {
			n := 0
			if k, _ := fmt.Sscanf(rest, "%s", &word); k == 0 {
				break
			}
			rest = rest[min(len(rest), len(word)+1):]
			if k, _ := fmt.Sscanf(word, "%s*%d", &word, &n); k < 2 {
				n = 1
			}
			for range n {
				d.Nouns = append(d.Nouns, krs.Noun{Lemma: word, Tag: "NN"})
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// storeOf builds a KRS of documents.
func storeOf(t *testing.T, documents, background []krs.Document) *krs.Store {
	t.Helper()
	plan := krs.Plan{Topic: "topic", Documents: each(documents)}
	if len(background) > 0 {
		plan.Background = each(background)
	}
	store, err := krsdb.Build(t.Context(), filepath.Join(t.TempDir(), "topic.krs"), plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// each yields documents.
func each(documents []krs.Document) func(func(krs.Document, error) bool) {
	return func(yield func(krs.Document, error) bool) {
		for _, d := range documents {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// drop mixes articles of one category of wikispeedia into the corpus of another, and drops documents that are nearer to
// the background.
func (w webOfTopics) drop(t *testing.T) {
	topics := map[string][]string{
		"computing": {"subject.IT", "subject.People.Computing"}, "chemistry": {"subject.Science.Chemistry"},
		"politics": {"subject.Citizenship.Politics_and_government", "subject.People.Political", "subject.People.USA_Pres"},
		"everyday": {"subject.Everyday_life"}, "plants": {"subject.Science.Biology.Plants"},
		"military": {"subject.History.Military", "subject.History.Pre_1900"},
	}
	for _, pair := range [][2]string{
		{"computing", "everyday"}, {"computing", "chemistry"}, {"politics", "everyday"}, {"politics", "military"},
		{"chemistry", "plants"}, {"everyday", "politics"}, {"military", "chemistry"},
	} {
		for _, percent := range []int{10, 30} {
			w.mix(t, pair, topics[pair[0]], topics[pair[1]], percent)
		}
	}
}

// mix adds to at most 100 articles of a topic a share of articles of another, and logs what is dropped.
func (w webOfTopics) mix(t *testing.T, names [2]string, topic, other []string, percent int) {
	random := rand.New(rand.NewPCG(1, 2))
	var docs, back []krs.Document
	wrong := map[string]bool{}
	order := random.Perm(len(w.articles))
	take := func(most int, want func(krs.Document) bool) {
		for _, i := range order {
			if d := w.articles[i]; len(docs) < most && want(d) {
				docs = append(docs, d)
			}
		}
	}
	take(100, func(d krs.Document) bool { return w.of(d, topic) })
	take(len(docs)+len(docs)*percent/100, func(d krs.Document) bool {
		if w.of(d, topic) || !w.of(d, other) {
			return false
		}
		wrong[d.ID] = true
		return true
	})
	for _, i := range order[:500] {
		back = append(back, w.articles[i])
	}
	dropped, err := drop(t.Context(), storeOf(t, docs, back), 0)
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, d := range dropped {
		if wrong[d.ID] {
			right++
		}
	}
	low := snapshotOf(t, docs, nil).Standings()
	found := 0
	for _, d := range low[:len(wrong)] {
		if wrong[d.ID] {
			found++
		}
	}
	t.Logf("%s with %d of %s among %d: dropped %d, precision %.2f, recall %.2f; without a background, of the %d lowest %.2f are wrong", names[0], len(wrong), names[1], len(docs),
		len(dropped), float64(right)/float64(max(len(dropped), 1)), float64(right)/float64(len(wrong)), len(wrong), float64(found)/float64(len(wrong)))
}
