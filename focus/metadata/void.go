package metadata

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/kb/catalog"
	"orbweaver/kb/terms"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// facts are the parts of a dataset's VoID description that make queries unnecessary. They come from
// catalogues and from the documents that describe the dataset.
type facts struct {
	Properties map[string]int64 `json:"properties,omitempty"` // triples per property; nil unless the list is complete
	Classes    map[string]int64 `json:"classes,omitempty"`    // instances per class, for the classes stated
	Vocabulary []string         `json:"vocabulary,omitempty"` // namespaces; they order datasets and exclude none
	Modified   time.Time        `json:"modified,omitzero"`
}

// factsOf extracts the facts from a description.
func factsOf(d catalog.Dataset) (f facts) {
	if d.Complete {
		f.Properties = map[string]int64{}
		for _, p := range d.Properties {
			f.Properties[p.IRI] = p.Triples
		}
	}
	for _, c := range d.Classes {
		if c.Entities > 0 {
			if f.Classes == nil {
				f.Classes = map[string]int64{}
			}
			f.Classes[c.IRI] = c.Entities
		}
	}
	f.Vocabulary, f.Modified = d.Vocabulary, d.Modified
	return f
}

// and merges two descriptions; other has precedence.
func (f facts) and(other facts) facts {
	if other.Properties != nil {
		f.Properties = other.Properties
	}
	if other.Classes != nil {
		classes := maps.Clone(other.Classes)
		for class, n := range f.Classes {
			if _, there := classes[class]; !there {
				classes[class] = n
			}
		}
		f.Classes = classes
	}
	f.Vocabulary = sortedSet(slices.Concat(f.Vocabulary, other.Vocabulary))
	if !other.Modified.IsZero() {
		f.Modified = other.Modified
	}
	return f
}

// readDescriptions reads the documents that describe datasets. One that is missing or invalid contributes
// nothing.
func (f *Focus) readDescriptions(known orbweaver.Known) error {
	for place, d := range f.opts.Datasets {
		for _, url := range d.Void {
			at, o, err := settled(known, url)
			switch {
			case errors.Is(err, orbweaver.ErrUnknown), errors.Is(err, orbweaver.ErrRedirects):
				continue
			case err != nil:
				return err
			case o.Err != nil:
				continue
			}
			all := within(known, at)(rdf.Term{}, rdf.Term{}, rdf.Term{})
			described, ok := described(d, catalog.Quads(all, catalog.Options{Name: at}).Datasets)
			if s := &f.state.Datasets[place]; ok {
				s.Facts = s.Facts.and(factsOf(described))
			}
		}
	}
	return nil
}

// described selects the dataset that a document describes: the one with the same endpoint, or the only one if
// it has no endpoint.
func described(d Dataset, all []catalog.Dataset) (catalog.Dataset, bool) {
	endpoint, _, _ := strings.Cut(d.Endpoint, "?")
	for _, one := range all {
		if slices.Contains(one.Endpoints, endpoint) || slices.Contains(one.Endpoints, d.Endpoint) {
			return one, true
		}
	}
	if len(all) == 1 && (len(all[0].Endpoints) == 0 || isLocal(d)) {
		return all[0], true
	}
	return catalog.Dataset{}, false
}

// unspared returns the terms that a processor still has to query a dataset for. A description replaces the
// answer where it states that none of the followed properties occurs, or the number of instances of a class.
func (f *Focus) unspared(a Asker, place int, stage []string) []string {
	d := &f.state.Datasets[place]
	if name := a.Name(); name == DescribeName || (name == BackgroundName || name == JoinedName) && f.state.Stage > 1 {
		return nil
	}
	if p, ok := a.(Follower); ok && d.Facts.Properties != nil {
		if !slices.ContainsFunc(p.Follows(), func(iri string) bool { return d.Facts.Properties[iri] > 0 }) {
			d.Spared += len(stage)
			return nil
		}
	}
	if a.Name() != InstancesName || d.Facts.Classes == nil {
		return stage
	}
	var rest []string
	for _, t := range stage {
		n, declared := d.Facts.Classes[t]
		if !declared {
			rest = append(rest, t)
			continue
		}
		count := terms.Count{Class: t, N: n, How: terms.Declared}
		if m := d.Facts.Modified; !m.IsZero() {
			count.Of = &m
		}
		d.take(Reading{Counts: []terms.Count{count}})
		d.Spared++
	}
	return rest
}

// ranked returns the datasets in query order: first those whose known vocabularies cover more of the given
// terms.
func (f *Focus) ranked() []int {
	places := make([]int, len(f.opts.Datasets))
	score := make([]int, len(places))
	for i := range places {
		places[i] = i
		for _, v := range f.state.Datasets[i].Facts.Vocabulary {
			for _, t := range f.opts.Terms {
				if strings.HasPrefix(t, v) {
					score[i]++
				}
			}
		}
	}
	order.Stably(places, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return places
}

// digest identifies the terms and datasets of a state.
func (f *Focus) digest() string {
	h := sha256.New()
	for _, t := range f.opts.Terms {
		h.Write([]byte(t + "\n"))
	}
	for _, d := range f.opts.Datasets {
		h.Write([]byte(d.Name + "\t" + d.Endpoint + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// isLocal reports whether a dataset is stored on this machine.
func isLocal(d Dataset) bool {
	_, local := weburl.DatasetName(d.Endpoint)
	return local
}
