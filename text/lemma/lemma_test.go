package lemma_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"orbweaver/text/lemma"
	"orbweaver/text/tag"
)

// TestRules checks irregular forms and rules without a dictionary.
func TestRules(t *testing.T) {
	l := lemma.New()
	for _, tc := range []struct {
		form string
		tag  tag.Tag
		want string
	}{
		{"Crawlers", tag.NNS, "crawler"}, {"boxes", tag.NNS, "box"}, {"ponies", tag.NNS, "pony"}, {"horses", tag.NNS, "horse"},
		{"leaves", tag.NNS, "leaf"}, {"leaves", tag.VBZ, "leave"}, {"women", tag.NNS, "woman"}, {"firemen", tag.NNS, "fireman"},
		{"mass", tag.NNS, "mass"}, {"States", tag.NNPS, "state"}, {"goes", tag.VBZ, "go"}, {"tries", tag.VBZ, "try"},
		{"walked", tag.VBD, "walk"}, {"stopped", tag.VBD, "stop"}, {"called", tag.VBN, "call"}, {"hoped", tag.VBD, "hope"},
		{"associated", tag.VBN, "associate"}, {"tried", tag.VBD, "try"}, {"went", tag.VBD, "go"}, {"was", tag.VBD, "be"},
		{"making", tag.VBG, "make"}, {"running", tag.VBG, "run"}, {"seeing", tag.VBG, "see"}, {"lying", tag.VBG, "lie"},
		{"managing", tag.VBG, "manage"}, {"bringing", tag.VBG, "bring"}, {"king", tag.VBG, "king"}, {"doin'", tag.VBG, "do"},
		{"bigger", tag.JJR, "big"}, {"happiest", tag.JJS, "happy"}, {"better", tag.JJR, "good"}, {"better", tag.RBR, "well"},
		{"n\u2019t", tag.RB, "not"}, {"\u2019LL", tag.MD, "will"}, {"'s", tag.POS, "'s"}, {"'s", tag.VBZ, "be"}, {"them", tag.PRP, "they"},
		{"1,200", tag.CD, "1200"}, {"Three", tag.CD, "three"}, {"running", tag.NN, "running"}, {"ÜBER", tag.NN, "über"},
		{"saw", tag.NN, "saw"}, {"saw", tag.VBD, "see"}, {"s", tag.NNS, "s"}, {"", tag.NNS, ""}, {"ss", tag.VBZ, "ss"},
		{"ed", tag.VBD, "ed"}, {"bed", tag.VBD, "bed"}, {"\xffs", tag.NNS, "\xffs"},
		{strings.Repeat("RUNS", 20), tag.VBZ, strings.Repeat("runs", 20)}, {"RUNS", tag.Tag(200), "runs"},
	} {
		if got := l.Lemma(tc.form, tc.tag); got != tc.want {
			t.Errorf("%s as %v is %q, not %q", tc.form, tc.tag, got, tc.want)
		}
	}
}

// taught returns a lemmatizer from a model file.
func taught(tb testing.TB) (*lemma.Lemmatizer, []byte) {
	tb.Helper()
	trainer := lemma.NewTrainer(&tag.Dictionary{
		Words:     map[string]tag.Classes{"axe": tag.Noun, "planing": tag.Noun, "lens": tag.Noun, "cafe": tag.Noun, "sing": tag.Verb, "singe": tag.Verb},
		Irregular: []tag.Irregular{{Form: "axes", Base: "axis", Class: tag.Noun}, {Form: "oxen", Base: "ox", Class: tag.Noun}},
	})
	for _, w := range []struct {
		form  string
		tag   tag.Tag
		lemma string
	}{
		{"teh", tag.DT, "the"}, {"Teh", tag.DT, "The"}, {"teh", tag.DT, "teh"}, {"data", tag.NNS, "data"},
		{"axes", tag.NNS, "axe"}, {"x", tag.NN, ""}, {"y", tag.Unknown, "z"}, {"singeing", tag.VBG, "singe"},
	} {
		trainer.Add(w.form, w.tag, w.lemma)
	}
	var m, back tag.Model
	trainer.Train(&m)
	section, _ := m.Section("lemma")
	back.Put("lemma", bytes.Clone(section))
	l, err := lemma.Open(&back)
	if err != nil {
		tb.Fatal(err)
	}
	return l, section
}

// TestTaught: the treebank precedes the dictionary, which precedes the rules.
func TestTaught(t *testing.T) {
	l, section := taught(t)
	for _, tc := range []struct {
		form string
		tag  tag.Tag
		want string
	}{
		{"TEH", tag.DT, "the"}, {"teh", tag.NN, "teh"}, {"axes", tag.NNS, "axe"}, {"axes", tag.NNPS, "axis"}, {"oxen", tag.NNS, "ox"},
		{"lens", tag.NNS, "len"}, {"cafes", tag.NNS, "cafe"}, {"singing", tag.VBG, "sing"}, {"singeing", tag.VBG, "singe"},
		{"x", tag.NN, "x"}, {"y", tag.Unknown, "y"}, {"went", tag.VBD, "go"},
	} {
		if got := l.Lemma(tc.form, tc.tag); got != tc.want {
			t.Errorf("%s as %v is %q, not %q", tc.form, tc.tag, got, tc.want)
		}
	}
	if _, again := taught(t); !bytes.Equal(section, again) {
		t.Error("two trainings, two models")
	}
}

func TestNoAllocation(t *testing.T) {
	l, _ := taught(t)
	for _, form := range []string{"crawlers", "Singing", "went", "the", "n\u2019t", "cafes"} {
		for _, of := range []tag.Tag{tag.NNS, tag.VBG, tag.VBD, tag.DT, tag.RB} {
			if form == "Singing" && of != tag.VBG { // in capitals, and unknown
				continue
			}
			if form == "n\u2019t" && of != tag.RB {
				continue
			}
			if n := testing.AllocsPerRun(10, func() { l.Lemma(form, of) }); n > 0 {
				t.Errorf("%s as %v: %v allocations", form, of, n)
			}
		}
	}
}

func TestNoLemmatizer(t *testing.T) {
	for _, section := range []string{
		"", "\x01", "\x02\x00\x01a\x00\x00\x00\x00\x00\x00", "\x01\x05\x01a\x00\x00", "\x01\x00\x01a\x00\x01\x02\x02\x00", "\x00\x00",
	} {
		var m tag.Model
		m.Put("lemma", []byte(section))
		if _, err := lemma.Open(&m); !errors.Is(err, tag.ErrModel) || !strings.Contains(err.Error(), "section lemma") {
			t.Errorf("%q: %v", section, err)
		}
	}
	if _, err := lemma.Open(new(tag.Model)); !errors.Is(err, tag.ErrModel) {
		t.Errorf("nothing: %v", err)
	}
}

// FuzzLemma: no word causes a panic, and a lemma is not much longer than its word.
func FuzzLemma(f *testing.F) {
	l, _ := taught(f)
	f.Add("Stopped", byte(tag.VBD))
	f.Add("1,0.", byte(tag.CD))
	f.Add("\xffies", byte(tag.NNS))
	f.Fuzz(func(t *testing.T, form string, of byte) {
		got := l.Lemma(form, tag.Tag(of))
		if len(got) > 2*len(form)+4 {
			t.Errorf("%q has the lemma %q", form, got)
		}
		if again := l.Lemma(form, tag.Tag(of)); again != got {
			t.Errorf("%q, then %q", got, again)
		}
	})
}

// FuzzOpen: no section causes a panic.
func FuzzOpen(f *testing.F) {
	_, section := taught(f)
	f.Add(section)
	f.Add([]byte("\x01\x00\x01a\x00\x01\x02\x00\x01b"))
	f.Fuzz(func(t *testing.T, section []byte) {
		var m tag.Model
		m.Put("lemma", section)
		l, err := lemma.Open(&m)
		if err != nil {
			if !errors.Is(err, tag.ErrModel) {
				t.Error(err)
			}
			return
		}
		l.Lemma("axes", tag.NNS)
	})
}
