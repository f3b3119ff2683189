package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/ledger"
)

// filler returns n sentences without phrases.
func filler(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Sentence %d of the preface is about nobody in particular.\n\n", i)
	}
	return b.String()
}

// entity returns the reason of an entity.
func entity(evidence string, weight float64) orbweaver.Reason {
	return orbweaver.Reason{Rule: "entity", Evidence: evidence, Weight: weight}
}

// TestSnippet: the snippet has most of the evidence, and its marks are the words of the evidence as written.
func TestSnippet(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		reasons    []orbweaver.Reason
		want       string // marks in [ ]
	}{
		{"nothing", "", nil, ""},
		{"no evidence: the beginning", "The sea is calm.\n\nTonight the tide is full.", nil, "The sea is calm. Tonight the tide is full."},
		{"far behind", filler(40) + "After that the glider lands. " + filler(20), []orbweaver.Reason{entity("glider: glider ×1", 1)},
			"… After that the [glider] lands. Sentence 0 of the preface is about nobody in particular. Sentence 1 of the preface is about nobody in particular. Sentence 2 of the preface is about nobody in particular. Sentence 3 of the preface is about …"},
		{"several before one many times", "A glider, a glider, a glider, a glider, a glider. " + filler(10) + "A glider with a winch and a tow plane. " + filler(9), []orbweaver.Reason{entity("glider: gliders ×6", 3), entity("winch: winches ×1", 1), entity("tow plane: tow planes ×1", 1)},
			"… A [glider] with a [winch] and a [tow plane]. Sentence 0 of the preface is about nobody in particular. Sentence 1 of the preface is about nobody in particular. Sentence 2 of the preface is about nobody in particular. Sentence 3 of the preface …"},
		{"plurals, not other words", "Gliders, gliding clubs, the glider's wing and wingspans.", []orbweaver.Reason{entity("glider: glider ×2", 1), entity("wing: wing ×1", 1)}, "[Gliders], gliding clubs, the [glider]'s [wing] and wingspans."},
		{"an acronym as written", "It aids those with AIDS; IT does too.", []orbweaver.Reason{entity("AIDS: AIDS ×1", 1), entity("IT: IT ×1", 1)}, "It aids those with [AIDS]; [IT] does too."},
		{"a short word, its plural at most", "An ax, axes, the axis.", []orbweaver.Reason{entity("axe: ax ×1", 1)}, "An [ax], [axes], the axis."},
		{"a phrase over what parts it", "A tow-plane, the tow plane\nand the plane.", []orbweaver.Reason{entity("Schleppflugzeug: tow plane ×2", 1)}, "A [tow-plane], the [tow plane] and the plane."},
		{"Chinese", "我們說滑翔機在風中。Python也行。", []orbweaver.Reason{entity("glider: 滑翔機 ×1", 1), entity("Python: python ×1", 1)}, "我們說[滑翔機]在風中。[Python]也行。"},
		{"Greek capitals", "ΤΟ ΑΝΕΜΟΠΤΕΡΟ πετά", []orbweaver.Reason{entity("glider: ανεμοπτερο ×1", 1)}, "ΤΟ [ΑΝΕΜΟΠΤΕΡΟ] πετά"},
		{"a noun of a KRS", "The http://kb.test/Glider is a glider.", []orbweaver.Reason{{Rule: "noun", Evidence: "glider ×1 <http://kb.test/Banana>, IDF 2.10, share 0.50", Weight: 1}}, "The http://kb.test/[Glider] is a [glider]."},
		{"quoted evidence", "Five gliders rise.", []orbweaver.Reason{entity(`glider: "gliders" ×1 (label "glider")`, 1)}, "Five [gliders] rise."},
		{"what names no words", "A text in html that speaks of text.", []orbweaver.Reason{{Rule: "media-type", Evidence: "text/html", Weight: 1}, {Rule: "keyword", Evidence: "speaks", Weight: 0}}, "A text in html that speaks of text."},
		{"controls and blanks", "a\x00b\t\u00a0 \u2003 c\xff", []orbweaver.Reason{entity("x: c ×1", 1)}, "a b [c]\ufffd"},
	} {
		got := ledger.Snippet(tc.text, tc.reasons)
		marked, last := "", 0
		for _, m := range ledger.Marks(got, tc.reasons) {
			marked += got[last:m.Start] + "[" + got[m.Start:m.End] + "]"
			last = m.End
		}
		if marked += got[last:]; marked != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, marked, tc.want)
		}
	}
}

// FuzzSnippet: any snippet is short, valid UTF-8, and its marks are disjoint and within it.
func FuzzSnippet(f *testing.F) {
	for _, s := range []string{"", "a glider", strings.Repeat("滑翔機", 200), strings.Repeat("x", 900), "a\xffb\x80 c", "İstanbul ſ K", "×,:<", filler(9)} {
		f.Add(s, "glider: glider, 滑翔機 ×2, x", s)
		f.Add(s, s, "x")
	}
	f.Fuzz(func(t *testing.T, text, evidence, other string) {
		reasons := []orbweaver.Reason{entity(evidence, 1), {Rule: "keyword", Evidence: other, Weight: 0.5}}
		got := ledger.Snippet(text, reasons)
		if len(got) > 3*250+10 || !utf8.ValidString(got) || utf8.ValidString(text) && len(got) > 250 {
			t.Errorf("%d bytes: %q", len(got), got)
		}
		last := 0
		for _, m := range ledger.Marks(got, reasons) {
			if m.Start < last || m.End <= m.Start || m.End > len(got) || !utf8.ValidString(got[m.Start:m.End]) {
				t.Fatalf("mark %v behind %d in %q", m, last, got)
			}
			last = m.End
		}
	})
}

// TestTitleOfLine: a title is one line of bounded length.
func TestTitleOfLine(t *testing.T) {
	for title, want := range map[string]string{
		" A\n title\t of  lines ": "A title of lines", "": "",
		strings.Repeat("ä", 1000): strings.Repeat("ä", 150) + "…",
	} {
		if got := ledger.LineOf(orbweaver.Outcome{Page: &orbweaver.Page{Title: title}}).Title; got != want {
			t.Errorf("%q is %q", title, got)
		}
	}
}

// BenchmarkSnippet measures the snippet of a page with ten entities.
func BenchmarkSnippet(b *testing.B) {
	var reasons []orbweaver.Reason
	for i, word := range strings.Fields("glider airfoil winch pilot wing engine cockpit hangar runway thermal") {
		reasons = append(reasons, entity(word+": "+word+" ×2, "+word+"s ×1", float64(10-i)))
	}
	for name, text := range map[string]string{"4 kB": filler(70), "16 kB": filler(280)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				ledger.Snippet(text, reasons)
			}
		})
	}
}
