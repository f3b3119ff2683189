package online

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/order"
)

// The rules of reasons that are not a kind of feature.
const (
	reasonRules = "rules" // the class by the rules alone, without anything learned
	reasonAlike = "alike" // what came of links of the same shape
	reasonRest  = "rest"  // all unreported features
)

// Reasons returns the rules of all reasons of Why that name no rule of the model's own: its features, what came of links alike, and the rest.
func Reasons() []string {
	names := []string{reasonRules, reasonAlike, reasonRest}
	for k := range kindPast + keys {
		names = append(names, kindName(k))
	}
	return names
}

// maxReasons bounds the reported features, with what came of the same shape.
const maxReasons = 7

// steps is the number of terms of the sum that approximates an integral in slopes.
const steps = 16

// Why explains the value of a link: the contribution of the rules, of the features with the greatest
// influence, and of the rest. The weights add up to the value.
//
// The contribution of a feature is the integral of the value's slope over its part of the straight line along
// which all logits move from the rules' offset to the learned values (Aumann and Shapley).
func (m *Model) Why(s *Sight, missed int) []orbweaver.Reason {
	var names []name
	b := builder{model: m, names: &names}
	b.read(s)
	codes := m.codes(nil, b.dst)
	for i := range b.dst[:keys] {
		names = append(names, m.pastNames(i, b.dst[i], s.Link.To, codes)...)
	}
	offset, z := m.offset(codes, b.dst[ofShape], missed), m.logits(codes)
	ruled, base, value := softmax(m.ruled(codes), Prediction{}).Value(), softmax(offset, Prediction{}).Value(), softmax(offset, z).Value()
	reasons := []orbweaver.Reason{{Rule: reasonRules, Evidence: strings.Join(s.Rules, ", "), Weight: ruled}}
	most := maxReasons
	if base != ruled {
		most--
		evidence := m.pastText(ofShape, b.dst[ofShape], s.Link.To)
		if missed > 0 {
			evidence += fmt.Sprintf("; %d missing beside it", missed)
		}
		reasons = append(reasons, orbweaver.Reason{Rule: reasonAlike, Evidence: evidence, Weight: base - ruled})
	}
	all := m.contributions(codes, names, slopes(offset, z))
	sum := base
	for _, r := range all[:min(len(all), most)] {
		if r.Weight != 0 {
			reasons = append(reasons, r)
			sum += r.Weight
		}
	}
	if rest := value - sum; math.Abs(rest) > 1e-9 {
		reasons = append(reasons, orbweaver.Reason{Rule: reasonRest, Weight: rest})
	}
	return reasons
}

// contributions returns the contributions of features to the value, the greatest first.
func (m *Model) contributions(codes []uint32, names []name, slope Prediction) (all []orbweaver.Reason) {
	shares := squares(codes)
	for i, code := range codes {
		w := &m.cells[index(code)]
		h, hr, r := float64(w.h), float64(w.hr), float64(w.r)
		weight := math.Sqrt(shares[i]) * (slope[H]*h + slope[HR]*hr + slope[R]*r - slope[N]*(h+hr+r))
		if at := slices.IndexFunc(names, func(n name) bool { return n.code == code }); at >= 0 {
			rule, evidence := kindName(names[at].kind), names[at].text
			if last := len(all) - 1; last >= 0 && all[last].Rule == rule && all[last].Evidence == evidence {
				all[last].Weight += weight // a history has three features
				continue
			}
			all = append(all, orbweaver.Reason{Rule: rule, Evidence: evidence, Weight: weight})
		}
	}
	order.Stably(all, func(a, b orbweaver.Reason) int {
		switch x, y := math.Abs(a.Weight), math.Abs(b.Weight); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return all
}

// slopes returns the derivative of the value by each logit, averaged over the line from b to b + z.
func slopes(b, z Prediction) (slope Prediction) {
	for i := range steps {
		part := z
		for c := range part {
			part[c] *= (float64(i) + 0.5) / steps
		}
		p := softmax(b, part)
		value := p.Value()
		for c := range slope {
			slope[c] += p[c] * (Class(c).worth() - value) / steps
		}
	}
	return slope
}

// kindPast is the first kind of histories: domain, host and shape.
const kindPast = kindPathAbove + 1

func kindName(k kind) string {
	if k < kindPast {
		return kinds[k].name
	}
	return [keys]string{"domain-history", "host-history", "shape-history"}[k-kindPast]
}

// pastText describes one of a link's histories.
func (m *Model) pastText(of int, key uint32, url string) string {
	at := locate(url)
	text := [keys]string{at.name, at.host, at.place + "*" + at.extension}[of]
	if h := m.past[of].of(key); h != nil {
		return text + fmt.Sprintf(": R %d, HR %d, H %d, N %d", h.counts[R], h.counts[HR], h.counts[H], h.counts[N])
	}
	return text + ": untried"
}

// pastNames returns the names of the codes of one of a link's histories.
func (m *Model) pastNames(of int, key uint32, url string, codes []uint32) (names []name) {
	text := m.pastText(of, key, url)
	for _, code := range codes {
		if first := uint32(firstPast + of*pastEach); index(code) >= first && index(code) < first+pastEach {
			names = append(names, name{code, kindPast + kind(of), text})
		}
	}
	return names
}
