package krs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"orbweaver"
	kb "orbweaver/kb/krs"
	"orbweaver/text"
)

// The rules of page judgements.
const (
	RuleLikeness = "likeness"   // similarity of the page to the topic, before it becomes a score
	RuleMu       = "mu"         // the mean IDF of the page's linked nouns, and the range
	RuleNoun     = "noun"       // a noun, and its part of the similarity or of the mean
	RuleOther    = "other-noun" // a noun that is not the topic's, and by how much it lowers the similarity
	RuleNoNoun   = "no-noun"    // the page has no noun that can be judged
	RuleLanguage = "language"   // the page is in another language than the corpus
)

const (
	maxReasons = 10 // nouns reported
	maxOthers  = 3  // nouns reported that are not the topic's
)

// Judge scores a page. By the calibrated rule the score is the likeness, mapped so that what seven of ten documents
// of the corpus reach is one half. A page is accepted from the boundary between the topic and the pages met, which the
// reason of orbweaver.RuleThreshold has as a score; without a background, from one half. By the paper's rule it is the nearness of μ_doc
// to μ_C, where the ends of the range score one half: a page is accepted when it scores at least one half, apart from rounding at
// the ends of the range. The first reason has the raw value; the weights of the nouns are shares of it.
func (f *Focus) Judge(ctx context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found, err := f.findings(ctx, p)
	if err != nil {
		return orbweaver.Judgement{}, err
	}
	switch {
	case found.foreign:
		return because(RuleLanguage, p.Lang+", and the corpus in "+f.lang), nil
	case len(found.mentions) == 0:
		return because(RuleNoNoun, "the page has none"), nil
	case f.opts.Rule == Paper:
		return f.judgeByMean(found), nil
	}
	return f.judgeByLikeness(found), nil
}

// Verdict returns the analysis of a page, noun by noun, independently of the rule.
func (f *Focus) Verdict(ctx context.Context, p *orbweaver.Page) ([]kb.Mention, kb.Verdict, error) {
	found, err := f.findings(ctx, p)
	if err != nil {
		return nil, kb.Verdict{}, err
	}
	return found.mentions, f.now.Judge(found.mentions), nil
}

// Measure returns the paper's measure of a page in the reading of the crawl, with μ_C and σ.
func (f *Focus) Measure(mentions []kb.Mention) (m kb.Measure, mean, deviation float64) {
	mean, deviation = f.now.Moments(f.opts.Reading.Count)
	return f.now.Measure(mentions, f.opts.Reading), mean, deviation
}

// because returns a rejection without a score.
func because(rule, evidence string) orbweaver.Judgement {
	return orbweaver.Judgement{Reasons: []orbweaver.Reason{{Rule: rule, Evidence: evidence}}}
}

// half returns the likeness whose score is one half.
func (f *Focus) half() float64 {
	if f.opts.Likeness != nil {
		return *f.opts.Likeness
	}
	return f.now.Calibration().Threshold
}

// moves reports whether the pages of the crawl move the threshold of acceptance.
func (f *Focus) moves() bool {
	return f.opts.Rule == Calibrated && f.opts.Likeness == nil && f.opts.Accept == nil && f.now.Background() > 0
}

// Least returns the lowest likeness of an accepted page; infinite if no page can be.
func (f *Focus) Least() float64 {
	if a := f.opts.Accept; a != nil && f.opts.Rule == Calibrated {
		return f.half() * *a / (1 - *a) // scoreOf, solved for the likeness
	}
	if f.moves() {
		return f.edge.Likeness
	}
	return f.half()
}

func (f *Focus) judgeByLikeness(found *findings) orbweaver.Judgement {
	v := f.now.Judge(found.mentions)
	half, least := f.half(), f.Least()
	threshold := scoreOf(least, half)
	if f.opts.Accept != nil {
		threshold = *f.opts.Accept
	}
	j := orbweaver.Judgement{Score: scoreOf(v.Likeness, half)}
	j.Accepted = j.Score > 0 && j.Score >= threshold
	j.Reasons = append(make([]orbweaver.Reason, 0, maxReasons+maxOthers+2), orbweaver.Reason{
		Rule: RuleLikeness,
		Evidence: fmt.Sprintf("%.3f, %.3f or more is accepted; coverage %.1f %% of %s by weight",
			v.Likeness, least, 100*v.Coverage, plural(v.Nouns, "noun")),
		Weight: v.Likeness,
	})
	j.Reasons = append(j.Reasons, nouns(found.mentions, v.Judged, RuleNoun, maxReasons, func(n *kb.Judged) float64 { return n.Adds })...)
	against := nouns(found.mentions, v.Judged, RuleOther, maxOthers, func(n *kb.Judged) float64 { return -n.Adds })
	for i := range against {
		against[i].Weight = -against[i].Weight
	}
	j.Reasons = append(j.Reasons, against...)
	switch {
	case j.Score > 0 && f.opts.Accept != nil:
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: orbweaver.RuleThreshold, Evidence: fmt.Sprintf("accepted from %.3f on, as the crawl file says", threshold), Weight: threshold})
	case j.Score > 0 && f.moves():
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: orbweaver.RuleThreshold, Evidence: f.grounds(threshold), Weight: threshold})
	}
	return j
}

// grounds describes what the threshold of acceptance rests on.
func (f *Focus) grounds(threshold float64) string {
	from := fmt.Sprintf("accepted from %.3f on, likeness %.3f: ", threshold, f.edge.Likeness)
	if f.edge.Pages == 0 {
		return from + "seven of ten documents of the corpus are as like it"
	}
	return from + fmt.Sprintf("of %s before and 100 of the background, an estimated %.1f %% are about the topic", plural(int(f.edge.Pages), "page"), 100*f.edge.Share)
}

// scoreOf maps a likeness monotonically to 0..1: zero to 0, half to one half, and twice half
// to two thirds.
func scoreOf(likeness, half float64) float64 {
	if likeness <= 0 {
		return 0
	}
	return likeness / (likeness + half)
}

// judgeByMean judges by the paper's rule. Where two nouns have the same part of μ_doc, the first on the page
// is the first reason.
func (f *Focus) judgeByMean(found *findings) orbweaver.Judgement {
	m, mean, deviation := f.Measure(found.mentions)
	if m.Values == 0 {
		return because(RuleNoNoun, fmt.Sprintf("%s, %d linked, none of them in the KRS", plural(len(found.mentions), "noun"), m.Linked))
	}
	j := orbweaver.Judgement{Score: nearness(m.Mean, mean, deviation), Accepted: m.InRange}
	if f.opts.Reading.Unknown == kb.Reject && !m.InRange {
		j.Score = min(j.Score, math.Nextafter(0.5, 0))
	}
	j.Reasons = append(make([]orbweaver.Reason, 0, maxReasons+1), orbweaver.Reason{
		Rule: RuleMu, Evidence: f.mean(m, mean-deviation, mean+deviation), Weight: m.Mean,
	})
	v := f.now.Judge(found.mentions)
	j.Reasons = append(j.Reasons, nouns(found.mentions, v.Judged, RuleNoun, maxReasons, func(n *kb.Judged) float64 {
		if !n.Linked || n.IDF < 0 {
			return 0
		}
		return n.IDF / float64(m.Values)
	})...)
	return j
}

// mean describes μ_doc, the range, and what the KRS lacks.
func (f *Focus) mean(m kb.Measure, low, high float64) string {
	text := fmt.Sprintf("μ %.2f of %s, %.2f to %.2f is accepted", m.Mean, plural(m.Values, "linked noun"), low, high)
	switch lacks := plural(m.Linked-m.Known, "linked noun"); {
	case m.Linked == m.Known || f.opts.Reading.Unknown == kb.Drop:
	case f.opts.Reading.Unknown == kb.Zero:
		text += "; " + lacks + " not in the KRS, as IDF 0"
	case f.opts.Reading.Unknown == kb.Once:
		text += "; " + lacks + " not in the KRS, as if one document had it"
	default:
		text += "; " + lacks + " not in the KRS, as IDF ∞: rejected"
	}
	return text
}

// nearness is 1 at the mean, one half at one deviation, 0 from two on.
func nearness(x, mean, deviation float64) float64 {
	off := max(x-mean, mean-x)
	if off == 0 {
		return 1
	}
	return max(0, 1-off/(2*deviation))
}

// nouns returns the reasons of the heaviest nouns, among equals the first on the page; nouns of zero weight
// are left out.
func nouns(mentions []kb.Mention, judged []kb.Judged, rule string, most int, weight func(*kb.Judged) float64) []orbweaver.Reason {
	order := make([]int32, 0, len(judged))
	weights := make([]float64, len(judged))
	for i := range judged {
		if weights[i] = weight(&judged[i]); weights[i] > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(weights[b], weights[a]) })
	order = order[:min(len(order), most)]
	reasons := make([]orbweaver.Reason, len(order))
	for i, at := range order {
		reasons[i] = orbweaver.Reason{Rule: rule, Evidence: evidence(&mentions[at], &judged[at]), Weight: weights[at]}
	}
	return reasons
}

// evidence describes a noun: its words on the page, its number of occurrences, its lemma if that differs, its
// link, its IDF.
func evidence(m *kb.Mention, j *kb.Judged) string {
	b := text.AppendWording(make([]byte, 0, 96), m.Words, m.Times, m.Lemma)
	if m.Linked() {
		b = append(append(append(b, " <"...), m.IRI...), '>')
	}
	if j.IDF < 0 {
		return string(append(b, ", not in the corpus"...))
	}
	b = strconv.AppendFloat(append(b, ", IDF "...), j.IDF, 'f', 2, 64)
	b = strconv.AppendFloat(append(b, ", share "...), j.Share, 'f', 2, 64)
	return string(b)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
