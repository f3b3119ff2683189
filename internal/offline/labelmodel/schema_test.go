package labelmodel

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
)

// clinic yields documents of which a fifth have insulin, and half of these each of two names of one entity.
func clinic(yield func(krs.Document, error) bool) {
	for i := range 60 {
		d := krs.Document{ID: fmt.Sprintf("http://clinic.test/%02d", i), Title: fmt.Sprintf("Number %d", i)}
		add := func(lemma, iri string, times int) {
			for range times {
				d.Nouns = append(d.Nouns, krs.Noun{Lemma: lemma, Tag: "NN", IRI: iri})
			}
		}
		add(fmt.Sprintf("ward%c%c", 'a'+i/10, 'a'+i%10), "", 1)
		switch {
		case i < 8:
			add("diabetes", "http://kb.test/Q12206", 2)
		case i < 12:
			add("sugar disease", "http://kb.test/Q12206", 2)
		}
		if i < 14 {
			add("insulin", "", 3)
		}
		if !yield(d, nil) {
			return
		}
	}
}

// schemaOf builds a KRS.
func schemaOf(t *testing.T, documents iter.Seq2[krs.Document, error]) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "topic.krs")
	store, err := krsdb.Build(t.Context(), dir, krs.Plan{Topic: "clinic", Documents: documents})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSchema: the documents of a KRS are a stream, in which all names of an entity are the one that most documents have.
func TestSchema(t *testing.T) {
	folder, dir := t.TempDir(), schemaOf(t, clinic)
	model := filepath.Join(folder, "model")
	_, messages := must(t, Training{Stream: []string{dir}, Out: model, Workers: 3})
	if !strings.Contains(messages, "60 documents") {
		t.Error(messages)
	}
	m, _, err := Open(model, "")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]float64{}
	for _, l := range m.Labels.Labels() {
		have[m.Show(l.Text)] = l.Items
	}
	if have["diabetes"] != 12 || have["insulin"] != 14 || have["sugar disease"] != 0 {
		t.Errorf("%v", have)
	}
	again := filepath.Join(folder, "again")
	must(t, Training{Stream: []string{dir}, Out: again, Workers: 1})
	if digestOf(t, again) != digestOf(t, model) {
		t.Error("another model of the same KRS")
	}
}

// TestSchemaInUse: a KRS that another process has open is no input error; one that cannot be read is.
func TestSchemaInUse(t *testing.T) {
	dir := schemaOf(t, clinic)
	store, err := krsdb.Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = trained(t.Context(), Training{Stream: []string{dir}, Out: filepath.Join(t.TempDir(), "model")})
	if !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("%v", err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
