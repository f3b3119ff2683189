package pipeline_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"orbweaver/text/conllu"
	"orbweaver/text/link"
	"orbweaver/text/pipeline"
)

// labels returns 150 000 synthetic labels from the words of a text: names of one to three words. Few occur in
// the text, except one in thirty, which is a pair that does.
func labels(words []string) []link.Label {
	all := make([]link.Label, 150_000)
	for i := range all { // one entity per label, otherwise none would be certain
		var name []string
		for j := range 1 + i%3 {
			name = append(name, words[(i*7919+j*104729)%len(words)])
		}
		switch at := i * 7919 % (len(words) - 1); {
		case i%30 == 1:
			name = words[at : at+2]
		case i%3 == 0: // most one-word names do not occur in the text
			name[0] += fmt.Sprint(i)
		}
		label := strings.Join(name, " ")
		all[i] = link.Label{Text: label, IRI: "urn:" + strings.ReplaceAll(label, " ", "_")}
	}
	return all
}

// BenchmarkRead reads the treebank's raw text in pages of a few hundred tokens.
func BenchmarkRead(b *testing.B) {
	var pages, words []string
	var page strings.Builder
	treebank(b, "dev.conllu", 0, func(s *conllu.Sentence) {
		if page.WriteString(s.Text + "\n"); page.Len() > 4000 {
			pages = append(pages, page.String())
			page.Reset()
		}
		for _, w := range s.Words {
			if len(w.Form) > 3 && len(w.Form) < 16 {
				words = append(words, w.Form)
			}
		}
	})
	g := gazetteer(b, labels(words)...)
	m := quick(b)
	for _, bench := range []struct {
		name  string
		o     pipeline.Options
		nouns bool
	}{
		{"learned", pipeline.Options{Model: m}, false},
		{"learned-linked", pipeline.Options{Model: m, Gazetteer: g}, false},
		{"learned-linked-nouns", pipeline.Options{Model: m, Gazetteer: g}, true},
		{"prose-linked", pipeline.Options{Gazetteer: g}, false},
	} {
		b.Run(bench.name, func(b *testing.B) {
			bench.o.Confidence = 0.3
			p := newPipeline(b, bench.o)
			tokens, mentions := 0, 0
			b.ReportAllocs()
			began := processor(b)
			for i := 0; b.Loop(); i++ {
				d := p.Read(pages[i%len(pages)], "en")
				tokens += len(d.Tokens)
				mentions += len(d.Mentions)
				if bench.nouns {
					d.Nouns()
				}
			}
			b.ReportMetric(float64(tokens)/(processor(b)-began).Seconds()/1e3, "ktokens/cpu-s")
			b.ReportMetric(float64(tokens)/float64(b.N), "tokens/op")
			b.ReportMetric(float64(mentions)/float64(b.N), "mentions/op")
		})
	}
}

// processor returns the processor time used so far, which other programs hardly affect.
func processor(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
