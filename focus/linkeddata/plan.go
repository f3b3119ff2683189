package linkeddata

import (
	"context"
	"encoding/binary"
	"slices"

	"orbweaver"
)

// Plan proposes every distinct target of a page's links, and the vocabularies of its quads, with the
// class that is predicted. The links of what is neither RDF nor HTML are not looked at, those of
// sitemaps aside.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	found := f.findings(p)
	if !found.followed || len(found.targets) == 0 {
		return nil, nil
	}
	allowance := f.after(p.Request, found.class)
	evidence := note{fromHTML: found.class == ClassH, allowance: allowance}
	linked := evidence.bytes()
	evidence.vocabulary = true
	vocabulary := evidence.bytes()
	plan := make([]orbweaver.Proposal, 0, len(found.targets))
	for i, t := range found.targets {
		if t.mute {
			continue
		}
		kept := linked
		if i >= found.linked {
			kept = vocabulary
		}
		at := locate(t.link.To)
		j := f.opinion(t.verdict, at, allowance)
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: t.link.To, Via: t.link, Note: kept},
			Judgement: j,
			Keys:      f.keys(j, at),
		})
	}
	return plan, nil
}

// keys are the groups whose requests Learn may declare stale. One predicted R or HR stays that.
func (f *Focus) keys(j orbweaver.Judgement, at location) []string {
	switch {
	case j.Drop:
		return nil
	case f.opts.Method == DomainRanking:
		return []string{domainKey + domainAt(at)}
	case f.opts.Method == Focused && j.Class == ClassH:
		return at.keys()
	}
	return nil
}

// opinion is Relevancy_HR on top of a verdict, and the priority by the method.
func (f *Focus) opinion(v verdict, at location, allowance int) orbweaver.Judgement {
	j := orbweaver.Judgement{Class: v.class, Score: scoreOf(v.class), Reasons: v.reasons}
	if j.Class == ClassH {
		if pattern, ok := f.similar.find(at); ok {
			j.Class, j.Score = ClassHR, scoreHR
			j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{
				Rule: RuleSimilar, Evidence: pattern, Weight: scoreHR - scoreH,
			})
		}
	}
	if j.Drop = j.Class == ClassN && !f.opts.KeepN; j.Drop || f.opts.Method == Focused {
		return j
	}
	return f.otherwise(j, at, allowance)
}

// Rerank predicts again, by what was learned since. A request that no link led to stays what it is.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	kept, ok := readNote(p.Note)
	if !ok || p.Via == nil {
		return p.Judgement
	}
	r := f.reader()
	defer f.readers.Put(r)
	return f.opinion(r.relevancy(p.Via, kept.vocabulary), locate(p.URL), kept.allowance)
}

// A note is what is kept with a request of the page that its link stands on.
type note struct {
	fromHTML   bool // the page is HTML
	vocabulary bool // no link of it: a vocabulary that its quads use
	allowance  int  // links that the path may go behind the request: see Focus.after
}

// bytes writes a note: a byte of marks, and the allowance as a uvarint.
func (n note) bytes() []byte {
	var marks byte
	if n.fromHTML {
		marks |= 1
	}
	if n.vocabulary {
		marks |= 2
	}
	return binary.AppendUvarint([]byte{marks}, uint64(max(n.allowance, 0)))
}

// readNote reads a note; false where there is none of ours, as with seeds.
func readNote(b []byte) (note, bool) {
	if len(b) < 2 || b[0] > 3 {
		return note{}, false
	}
	allowance, size := binary.Uvarint(b[1:])
	if size != len(b)-1 || allowance > maxAllowance {
		return note{}, false
	}
	return note{b[0]&1 != 0, b[0]&2 != 0, int(allowance)}, true
}
