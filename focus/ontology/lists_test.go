package ontology

import (
	"strings"
	"testing"

	"orbweaver"
	kb "orbweaver/kb/ontology"
)

// TestLists: a list of links is about what most of its items are about; by the paper's frequency it is a text as any other.
func TestLists(t *testing.T) {
	opts := options(t, kb.Single, "Airplane")
	opts.RawCounts, opts.Measure, opts.Paper = false, Presence, Paper{}
	of := func(planes, others int) *orbweaver.Page {
		p := page(strings.Repeat("Plane in Boston\n", planes) + strings.Repeat("House in Boston\n", others))
		p.Items = planes + others
		return p
	}
	f := focus(t, opts)
	mixed, _ := judged(t, f, of(4, 19))
	pure, _ := judged(t, f, of(23, 0))
	text := of(4, 19)
	text.Items = 0
	short, _ := judged(t, f, text)
	if mixed.Accepted || mixed.Score > 0.5 || !pure.Accepted || !short.Accepted {
		t.Errorf("4 of 23 items score %v, all of them %v, the same words as a text %v", mixed.Score, pure.Score, short.Score)
	}

	opts.Measure = Frequency
	f = focus(t, opts)
	list, _ := judged(t, f, of(4, 19))
	text.Findings = nil
	if short, _ = judged(t, f, text); list.Score == 0 || list.Score != short.Score {
		t.Errorf("by frequency a list scores %v, the same words as a text %v", list.Score, short.Score)
	}
}
