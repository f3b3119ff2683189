package conllu_test

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"orbweaver/text/conllu"
)

// lines makes a file of lines in which spaces stand for tabs.
func lines(all ...string) string {
	for i, line := range all {
		if !strings.HasPrefix(line, "#") {
			all[i] = strings.ReplaceAll(line, " ", "\t")
		}
	}
	return strings.Join(all, "\n") + "\n"
}

func TestRead(t *testing.T) {
	r := conllu.NewReader(strings.NewReader(lines(
		"# newdoc id = d",
		"# sent_id = s1",
		"# text = I don't.",
		"# text_en = other",
		"1 I I PRON PRP Case=Nom 2 nsubj 2:nsubj _",
		"2-3 don't _ _ _ _ _ _ _ SpaceAfter=No",
		"2 do do AUX VBP _ 0 root _ _",
		"3 n't not PART RB _ 2 advmod _ _",
		"3.1 go go VERB VB _ _ _ 0:root CopyOf=2",
		"4 . . PUNCT . _ 2 punct _ SpaceAfter=No|X=y",
		"",
		"",
		"1 _ _ PUNCT NFP _ _ _ _ _",
	)))
	first, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	want := &conllu.Sentence{
		Line: 1, ID: "s1", Text: "I don't.", Document: true, Paragraph: true,
		Words: []conllu.Word{
			{Form: "I", Lemma: "I", UPOS: "PRON", XPOS: "PRP", Features: "Case=Nom", Head: 2, Relation: "nsubj"},
			{Form: "do", Lemma: "do", UPOS: "AUX", XPOS: "VBP", Relation: "root"},
			{Form: "n't", Lemma: "not", UPOS: "PART", XPOS: "RB", Head: 2, Relation: "advmod"},
			{Form: ".", Lemma: ".", UPOS: "PUNCT", XPOS: ".", Head: 2, Relation: "punct", Joined: true},
		},
		Spans: []conllu.Span{{First: 1, Last: 2, Form: "don't", Joined: true}},
	}
	if !reflect.DeepEqual(first, want) {
		t.Errorf("%+v, not %+v", first, want)
	}
	second, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	sign := conllu.Word{Form: "_", Lemma: "_", UPOS: "PUNCT", XPOS: "NFP", Head: -1}
	if second.Line != 13 || len(second.Words) != 1 || second.Words[0] != sign {
		t.Errorf("%+v", second)
	}
	for range 2 {
		if _, err := r.Read(); err != io.EOF {
			t.Errorf("behind the last: %v", err)
		}
	}
}

func TestProblems(t *testing.T) {
	const word = "1 a a X X _ 0 root _ _"
	for _, tc := range []struct{ name, file, want string }{
		{"too few columns", lines("# x", "1 a"), "line 2: 2 columns, not 10"},
		{"too many columns", lines(word + " _"), "line 1: 11 columns, not 10"},
		{"a word left out", lines(word, "3 a a X X _ 0 root _ _"), `line 2: word "3" where 2 is next`},
		{"a comment within", lines(word, "# x"), "line 2: a comment within a sentence"},
		{"a form left out", lines("1  a X X _ 0 root _ _"), "line 1: a word without a form"},
		{"no head", lines("1 a a X X _ -1 root _ _"), `line 1: head "-1" is not a word`},
		{"a head beyond", lines(word, "2 a a X X _ 3 root _ _"), "line 2: the sentence before: word 2 depends on 3, and there are 2"},
		{"a span beyond", lines("1-2 a _ _ _ _ _ _ _ _", word), `line 2: the sentence before: "a" reaches beyond its end`},
		{"a span backwards", lines("1-0 a _ _ _ _ _ _ _ _", word), `line 1: words "1-0" where 1 is next`},
		{"a span twice", lines("1-1 a _ _ _ _ _ _ _ _", "1-1 a _ _ _ _ _ _ _ _", word), `line 2: words "1-1" within others`},
		{"bytes", "1\t\xff\n", "line 1: not UTF-8"},
		{"a line without end", strings.Repeat("x", 1<<20+1), "line 1: bufio.Scanner: token too long"},
		{"a sentence without end", strings.Repeat("# "+strings.Repeat("x", 1<<16)+"\n", 70), "line 64: a sentence of more than 4194304 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := conllu.NewReader(strings.NewReader(tc.file))
			for range 2 {
				if s, err := r.Read(); s != nil || err == nil || err.Error() != tc.want {
					t.Errorf("%v, %v, not %s", s, err, tc.want)
				}
			}
		})
	}
}

// FuzzRead: no file makes the reader panic, and what it gives keeps its word.
func FuzzRead(f *testing.F) {
	f.Add(lines("# sent_id = 1", "1-2 ab _ _ _ _ _ _ _ _", "1 a a X X _ 2 x _ _", "2 b b X X _ 0 root _ _", ""))
	f.Add("1\t\xff\n\n")
	f.Add(lines("1.1 a _ _ _ _ _ _ _ _"))
	f.Fuzz(func(t *testing.T, file string) {
		r := conllu.NewReader(strings.NewReader(file))
		for {
			s, err := r.Read()
			if err != nil {
				return
			}
			if len(s.Words) == 0 || s.Line < 1 {
				t.Fatalf("%+v", s)
			}
			for _, w := range s.Words {
				if w.Form == "" || w.Head < -1 || w.Head > len(s.Words) {
					t.Errorf("%+v", w)
				}
			}
			for _, span := range s.Spans {
				if span.First < 0 || span.Last < span.First || span.Last >= len(s.Words) {
					t.Errorf("%+v", span)
				}
			}
		}
	})
}
