package blend

import (
	"slices"

	"orbweaver"
)

// Merge weighs a further link to a waiting request. Parts that merge links do so; for the others the link that they score
// higher stands. A seed stays as it is.
func (f *Focus) Merge(known []byte, again orbweaver.Proposal) orbweaver.Merged {
	n, ok := readNote(known, len(f.parts))
	more, ours := readNote(again.Note, len(f.parts))
	if !ok || !ours {
		return orbweaver.Merged{}
	}
	for i, part := range f.parts {
		was, now := n.parts[i], more.parts[i]
		switch {
		case !now.ranked:
		case was.ranked && part.merger != nil:
			p := again
			p.Request.Note, p.Judgement = now.note, orbweaver.Judgement{Score: now.raw}
			if m := part.merger.Merge(was.note, p); m.Note != nil {
				n.parts[i].note, n.parts[i].raw = m.Note, m.Score
			}
		case !was.ranked || now.raw > was.raw:
			n.parts[i] = now
		}
	}
	follow := more.best > n.best
	n.best = max(n.best, more.best)
	return orbweaver.Merged{Score: f.worth(n), Note: n.append(nil), Follow: follow}
}

// Worth returns what it is worth to follow a request, by its Note; false if a part has to look at the request itself.
func (f *Focus) Worth(known []byte) (float64, bool) {
	n, ok := readNote(known, len(f.parts))
	if !ok {
		return 0, false
	}
	for i, part := range f.parts {
		if !n.parts[i].ranked {
			continue
		}
		switch {
		case part.merger != nil:
			if raw, ours := part.merger.Worth(n.parts[i].note); ours {
				n.parts[i].raw = raw
			}
		case part.reranker != nil:
			return 0, false
		}
	}
	return f.worth(n), true
}

// Rerank ranks a request by what the parts know now. Of each part it says what that is worth and the
// chance that it leads to a page that the part accepts, then the part's own reasons.
func (f *Focus) Rerank(known orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	n, ok := readNote(p.Note, len(f.parts))
	if !ok {
		return p.Judgement
	}
	all := f.predictions(known, p, n)
	var j orbweaver.Judgement
	var reasons []orbweaver.Reason
	shares := 0.0
	for i, part := range f.parts {
		n.parts[i].raw = all[i].Score
		shares += part.share(part.now.reach.worth(n.parts[i].raw))
		reasons, j.Class = part.prefixed(reasons, all[i].Reasons), part.classed(j.Class, all[i].Class)
	}
	j.Score = f.worth(n)
	for i, part := range f.parts {
		worth := part.now.reach.worth(n.parts[i].raw)
		one := orbweaver.Reason{Rule: RulePart, Evidence: part.Name + ": worth " + number(worth) + ", chance " + number(part.now.chance.Chance(n.parts[i].raw))}
		if n.parts[i].ranked {
			one.Evidence += ", score " + number(n.parts[i].raw)
		} else {
			one.Evidence += ", not ranked"
		}
		if shares > 0 {
			one.Weight = j.Score * part.share(worth) / shares
		}
		j.Reasons = append(j.Reasons, one)
	}
	j.Reasons = slices.Concat(j.Reasons, reasons)
	return j
}

// predictions returns the parts' present judgements of a request; the zero Judgement of a part that does not rank it.
func (f *Focus) predictions(known orbweaver.Known, p orbweaver.Proposal, n note) []orbweaver.Judgement {
	all := make([]orbweaver.Judgement, len(f.parts))
	for i, part := range f.parts {
		s := n.parts[i]
		if !s.ranked {
			continue
		}
		own := p
		own.Request.Note, own.Keys = s.note, nil
		own.Judgement = orbweaver.Judgement{Score: s.raw, Class: part.class(p.Class), Reasons: part.own(p.Reasons)}
		if all[i] = own.Judgement; part.reranker != nil {
			all[i] = part.reranker.Rerank(known, own)
		}
	}
	return all
}
