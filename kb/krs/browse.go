package krs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/text"
)

// Bounds of a part of a list.
const (
	usualRows = 50
	mostRows  = 1000
)

// A NounQuery selects nouns of the corpus, or the entities that they are linked to.
type NounQuery struct {
	Words    string `json:"words,omitempty"`    // only those whose lemma or IRI contains these, whatever their case
	Entities bool   `json:"entities,omitempty"` // one row an entity: its nouns together
	Sort     string `json:"sort,omitempty"`     // weight, idf, documents or lemma; empty: weight
	Skip     int    `json:"skip,omitempty"`     // rows before the part
	Limit    int    `json:"limit,omitempty"`    // 0: 50; at most 1 000
}

// NounSorts returns the values of NounQuery.Sort.
func NounSorts() []string { return []string{"weight", "idf", "documents", "lemma"} }

// A NounRow is a noun of the corpus, or an entity.
type NounRow struct {
	Heavy

	Lemmas []string `json:"lemmas,omitempty"` // of an entity: its nouns, that of the most documents first
}

// A NounPart is a part of a list of nouns.
type NounPart struct {
	Nouns []NounRow `json:"nouns"`
	Total int       `json:"total"`
	Next  int       `json:"next,omitempty"` // NounQuery.Skip of the next part; 0: none
}

// Listed returns a part of the nouns of the corpus, or of its entities. An entity has the documents with any of its nouns; its
// IDF follows from these, its weight is that of its nouns together.
func (s *Snapshot) Listed(q NounQuery) (NounPart, error) {
	if q.Sort != "" && !slices.Contains(NounSorts(), q.Sort) {
		return NounPart{}, fmt.Errorf("sort %q: it is one of %s", q.Sort, strings.Join(NounSorts(), ", "))
	}
	all := s.rows(q.Entities)
	if words := text.Key(strings.TrimSpace(q.Words)); words != "" {
		all = slices.DeleteFunc(all, func(r NounRow) bool {
			return !strings.Contains(text.Key(r.Lemma+"\n"+r.IRI+"\n"+strings.Join(r.Lemmas, "\n")), words)
		})
	}
	order.By(all, func(a, b NounRow) int {
		compared := 0
		switch q.Sort {
		case "idf":
			compared = cmp.Compare(b.IDF, a.IDF)
		case "documents":
			compared = cmp.Compare(b.Documents, a.Documents)
		case "lemma":
		default:
			compared = cmp.Compare(b.Weight, a.Weight)
		}
		return cmp.Or(compared, Key{a.Lemma, a.IRI}.compare(Key{b.Lemma, b.IRI}))
	})
	p := NounPart{Total: len(all)}
	p.Nouns, p.Next = partOf(all, q.Skip, q.Limit)
	return p, nil
}

// rows returns the nouns of the corpus, or its entities.
func (s *Snapshot) rows(entities bool) []NounRow {
	all, at := make([]NounRow, 0, len(s.keys)), map[string]int{}
	for i, k := range s.keys {
		h := Heavy{k.Lemma, k.IRI, int64(s.n[i]), int64(s.b[i]), s.idf[i], s.share[i], float64(s.n[i]) * s.weight[i] * s.share[i]}
		switch e, met := at[k.IRI]; {
		case s.n[i] == 0 || entities && !k.Linked():
		case !entities || !met:
			at[k.IRI] = len(all)
			all = append(all, NounRow{Heavy: h})
		default:
			all[e].join(h)
		}
	}
	if !entities {
		return all
	}
	s.countEntities(all, at)
	return all
}

// join takes another noun of the same entity.
func (r *NounRow) join(h Heavy) {
	if len(r.Lemmas) == 0 {
		r.Lemmas = []string{r.Lemma}
	}
	if h.Documents > r.Documents {
		r.Lemma, r.Documents, r.Share = h.Lemma, h.Documents, h.Share
		r.Lemmas = slices.Insert(r.Lemmas, 0, h.Lemma)
	} else {
		r.Lemmas = append(r.Lemmas, h.Lemma)
	}
	r.Weight += h.Weight
}

// countEntities sets in how many documents each entity is, and its IDF.
func (s *Snapshot) countEntities(all []NounRow, at map[string]int) {
	count := func(texts []bag, add func(r *NounRow)) {
		for _, t := range texts {
			met := map[int]bool{}
			for _, m := range t {
				if e, ok := at[s.keys[m.at].IRI]; ok && s.keys[m.at].Linked() && !met[e] {
					met[e] = true
					add(&all[e])
				}
			}
		}
	}
	for i := range all {
		all[i].Documents, all[i].Others = 0, 0
	}
	count(s.corpus[:len(s.names)], func(r *NounRow) { r.Documents++ })
	count(s.others, func(r *NounRow) { r.Others++ })
	for i := range all {
		all[i].IDF = idf(s.documents, max(1, all[i].Documents))
	}
}

// partOf returns the rows of a list behind the first skip, and how many to skip for the next part; 0: none.
func partOf[T any](all []T, skip, limit int) (part []T, next int) {
	if limit <= 0 {
		limit = usualRows
	}
	skip = min(max(0, skip), len(all))
	end := min(skip+min(limit, mostRows), len(all))
	if end < len(all) {
		next = end
	}
	return all[skip:end], next
}

// A DocumentQuery selects documents of the corpus.
type DocumentQuery struct {
	Words string `json:"words,omitempty"` // only those whose title or IRI contains these
	Lemma string `json:"lemma,omitempty"` // only those with this noun
	IRI   string `json:"iri,omitempty"`   // only those with a noun linked to this entity
	Least bool   `json:"least,omitempty"` // the least typical first; else the most typical
	Skip  int    `json:"skip,omitempty"`  // rows before the part
	Limit int    `json:"limit,omitempty"` // 0: 50; at most 1 000
}

// A DocumentRow is a document of the corpus.
type DocumentRow struct {
	Standing

	Nouns int `json:"nouns"`           // distinct ones
	Times int `json:"times,omitempty"` // of the noun or the entity of the query
}

// A DocumentPart is a part of the documents of the corpus.
type DocumentPart struct {
	Documents []DocumentRow `json:"documents"`
	Total     int           `json:"total"`
	Next      int           `json:"next,omitempty"` // DocumentQuery.Skip of the next part; 0: none
}

// ListedDocuments returns a part of the documents of the corpus, by likeness as if each had been left out; those with a noun by how
// often they have it.
func (s *Snapshot) ListedDocuments(q DocumentQuery) DocumentPart {
	var all []DocumentRow
	words, by := text.Key(strings.TrimSpace(q.Words)), q.Lemma != "" || q.IRI != ""
	for i, name := range s.names {
		row := DocumentRow{Standing: Standing{name[0], name[1], s.alone[i]}, Nouns: len(s.corpus[i])}
		for _, m := range s.corpus[i] {
			if k := s.keys[m.at]; by && (q.Lemma == "" || k.Lemma == q.Lemma) && (q.IRI == "" || k.IRI == q.IRI) {
				row.Times += int(m.times)
			}
		}
		if by && row.Times == 0 || words != "" && !strings.Contains(text.Key(row.ID+"\n"+row.Title), words) {
			continue
		}
		all = append(all, row)
	}
	order.Stably(all, func(a, b DocumentRow) int {
		compared := cmp.Compare(b.Likeness, a.Likeness)
		if q.Least {
			compared = -compared
		}
		return cmp.Or(cmp.Compare(b.Times, a.Times), compared, strings.Compare(a.ID, b.ID))
	})
	p := DocumentPart{Total: len(all), Documents: []DocumentRow{}}
	part, next := partOf(all, q.Skip, q.Limit)
	p.Documents, p.Next = append(p.Documents, part...), next
	return p
}

// Speaking is a noun of a document, with what it says for the topic or against it.
type Speaking struct {
	Lemma string  `json:"lemma"`
	IRI   string  `json:"iri,omitempty"`
	Times int     `json:"times"`
	IDF   float64 `json:"idf"`
	Adds  float64 `json:"adds"` // to the likeness of the document; negative: it speaks against it
}

// Speak returns the nouns of a document of the corpus with what each adds to its likeness, the most first. It is false if the corpus
// has no such document.
func (s *Snapshot) Speak(id string) (title string, all []Speaking, ok bool) {
	i := slices.IndexFunc(s.names, func(n [2]string) bool { return n[0] == id })
	if i < 0 {
		return "", nil, false
	}
	mentions := s.mentions(s.corpus[i])
	v := s.Judge(mentions)
	for at, m := range mentions {
		all = append(all, Speaking{m.Lemma, m.IRI, m.Times, max(0, v.Judged[at].IDF), v.Judged[at].Adds})
	}
	order.Stably(all, func(a, b Speaking) int { return cmp.Compare(b.Adds, a.Adds) })
	return s.names[i][1], all, true
}

// A Spread counts the documents of corpus and background by the score of a page that is as like the topic as they are, each left out
// itself, in n bins from 0 to 1.
type Spread struct {
	Corpus     []int64 `json:"corpus"`
	Background []int64 `json:"background"`
}

// Spread returns how likeness divides corpus and background.
func (s *Snapshot) Spread(n int) Spread {
	count := func(values []float64) []int64 {
		bins := make([]int64, n)
		for _, v := range values {
			bins[min(n-1, max(0, int(s.ScoreOf(v)*float64(n)+1e-9)))]++
		}
		return bins
	}
	return Spread{count(s.alone[:min(len(s.alone), len(s.names))]), count(s.apart)}
}

// ScoreOf maps a likeness to a score from 0 to 1: 0 to 0, the threshold of the calibration to one half, and twice that to two thirds.
func (s *Snapshot) ScoreOf(likeness float64) float64 {
	if likeness <= 0 {
		return 0
	}
	return likeness / (likeness + s.calibration.Threshold)
}
