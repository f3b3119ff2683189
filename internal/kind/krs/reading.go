package krs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"orbweaver"
	"orbweaver/internal/offline/corpus"
	"orbweaver/kb/krs"
	"orbweaver/rdf/iri"
	"orbweaver/text"
	"orbweaver/text/link"
	"orbweaver/text/pipeline"
	"orbweaver/text/tag"
)

// Files of a KRS other than its database: the settings of noun extraction, so that pages are read like the documents.
const (
	settingsSection = "reading"   // section: settings
	gazetteerFile   = "gazetteer" // within the folder
	taggerFile      = "tagger"    // likewise; none: prose
)

// settings are the parameters of noun extraction, except files.
type settings struct {
	Language            string  `json:"language,omitempty"`
	Confidence          float64 `json:"confidence"`
	Linking             string  `json:"linking,omitempty"`   // byGazetteer, bySpotlight, byBoth; empty: by the gazetteer
	Spotlight           string  `json:"spotlight,omitempty"` // URL
	SpotlightConfidence float64 `json:"spotlightConfidence,omitempty"`
}

// Reading overrides settings of the corpus when reading pages. The zero Reading overrides nothing.
type Reading struct {
	Tagger, Gazetteer string  // files
	Confidence        float64 // 0: as it was
	Linking           string  // empty: as it was
	Spotlight         string  // URL; empty: as it was
}

// A reading finds the nouns of texts.
type reading struct {
	settings  settings
	pipeline  *pipeline.Pipeline
	gazetteer *link.Gazetteer   // nil: nouns are linked by Spotlight alone
	linker    *linker           // nil: Spotlight is not asked
	types     map[string]string // of entities; nil: not known
	names     map[string]string // types learned from annotated text; nil: none
	tagger    string            // file; empty: prose

	mu  sync.Mutex
	why map[string]int // what was missing in how many texts
}

// defaultConfidence is that of links.
const defaultConfidence = 0.5

// newReading returns the reading for a new KRS: the gazetteer is the user's, or made from titles.
func newReading(ctx context.Context, job Job, titled ...*corpus.Corpus) (*reading, error) {
	r := &reading{tagger: job.Tagger, settings: settings{
		Language: job.Language, Confidence: cmp.Or(job.Confidence, defaultConfidence),
		Linking: job.Linking, Spotlight: job.Spotlight, SpotlightConfidence: job.SpotlightConfidence,
	}}
	err := r.settings.settle()
	switch {
	case err != nil || r.settings.Linking == bySpotlight:
	case job.Gazetteer != "":
		r.gazetteer, err = loadGazetteer(job.Gazetteer)
		if err == nil {
			r.types, err = loadTypes(job.Gazetteer)
		}
	default:
		r.gazetteer, err = titles(ctx, job.Progress, titled...)
	}
	if err == nil && job.Names != "" {
		r.names, err = learnNames(job.Names)
	}
	if err != nil {
		return nil, err
	}
	return r, r.ready()
}

// openReading returns the reading of an existing KRS, with overrides.
func openReading(store *krs.Store, dir string, other Reading) (*reading, error) {
	content, err := store.Get(settingsSection)
	if err != nil {
		return nil, fmt.Errorf("%w: it was not built to its end: build it anew", err)
	}
	r := &reading{}
	if err := json.Unmarshal(content, &r.settings); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if err := r.settings.change(other); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if r.settings.Linking != bySpotlight {
		path := cmp.Or(other.Gazetteer, filepath.Join(dir, gazetteerFile))
		if r.gazetteer, err = loadGazetteer(path); err != nil {
			return nil, err
		}
		if r.types, err = loadTypes(path); err != nil {
			return nil, err
		}
	}
	if r.names, err = readNames(filepath.Join(dir, namesFile)); err != nil {
		return nil, err
	}
	r.tagger = other.Tagger
	if own := filepath.Join(dir, taggerFile); r.tagger == "" {
		if _, err := os.Stat(own); err == nil {
			r.tagger = own
		}
	}
	return r, r.ready()
}

// change applies overrides.
func (s *settings) change(other Reading) error {
	s.Confidence = cmp.Or(other.Confidence, s.Confidence)
	if s.Linking == byGazetteer && other.Spotlight != "" && other.Linking == "" {
		s.Linking = byBoth
	}
	s.Linking = cmp.Or(other.Linking, s.Linking)
	s.Spotlight = cmp.Or(other.Spotlight, s.Spotlight)
	return s.settle()
}

// settle fills in defaults and validates. The error wraps ErrInput.
func (s *settings) settle() error {
	usual := byGazetteer
	if s.Spotlight != "" {
		usual = byBoth
	}
	s.Linking = cmp.Or(s.Linking, usual)
	s.SpotlightConfidence = cmp.Or(s.SpotlightConfidence, defaultConfidence)
	switch {
	case !slices.Contains([]string{byGazetteer, bySpotlight, byBoth}, s.Linking):
		return fmt.Errorf("linking: %q is none of %s, %s and %s (%w)", s.Linking, byGazetteer, bySpotlight, byBoth, orbweaver.ErrInput)
	case s.Linking != byGazetteer && s.Spotlight == "":
		return fmt.Errorf("linking: %s: the URL of a server of Spotlight is missing (%w)", s.Linking, orbweaver.ErrInput)
	}
	return nil
}

// loadGazetteer reads the file of one. The error wraps ErrInput.
func loadGazetteer(path string) (*link.Gazetteer, error) {
	g, err := link.Load(path)
	if err != nil {
		return nil, fmt.Errorf("gazetteer %s: %w (%w)", path, err, orbweaver.ErrInput)
	}
	return g, nil
}

// ready makes the pipeline.
func (r *reading) ready() (err error) {
	r.why = map[string]int{}
	o := pipeline.Options{Gazetteer: r.gazetteer, Confidence: r.settings.Confidence, Language: r.settings.Language}
	if len(r.types) > 0 {
		o.Type = func(iri string) string { return r.types[iri] }
	}
	if r.tagger != "" {
		if o.Model, err = tag.LoadModel(r.tagger); err != nil {
			return fmt.Errorf("tagger %s: %w (%w)", r.tagger, err, orbweaver.ErrInput)
		}
	}
	if r.pipeline, err = pipeline.New(o); err != nil {
		return fmt.Errorf("tagger %s: %w (%w)", r.tagger, err, orbweaver.ErrInput)
	}
	return nil
}

// keep writes gazetteer and tagger to the folder of the KRS, and closes the Spotlight cache and moves it there.
func (r *reading) keep(dir string) error {
	err := r.keepGazetteer(dir)
	if r.names != nil {
		err = errors.Join(err, writeNames(filepath.Join(dir, namesFile), r.names))
	}
	if r.linker != nil {
		err = errors.Join(err, takeAnswers(dir))
	}
	if err != nil || r.tagger == "" {
		return err
	}
	return copyFile(filepath.Join(dir, taggerFile), r.tagger)
}

func (r *reading) keepGazetteer(dir string) error {
	if r.gazetteer == nil {
		return nil
	}
	return writeGazetteer(filepath.Join(dir, gazetteerFile), r.gazetteer, r.types)
}

// copyFile copies a file.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// read extracts the nouns of one text. A text in another language than the corpus is linked only by the gazetteer. The error
// is the context's, or one of the Spotlight cache.
func (r *reading) read(ctx context.Context, id, title, lang, body string) (krs.Document, error) {
	whole := title + "\n\n" + body
	d := r.pipeline.Read(whole, lang)
	if d.Degraded != "" {
		r.mu.Lock()
		r.why[d.Degraded]++
		r.mu.Unlock()
	}
	var types map[string]string
	if r.linker != nil && d.Degraded == "" {
		var err error
		if types, err = r.linker.link(ctx, d); err != nil {
			return krs.Document{}, fmt.Errorf("%s: %w", id, err)
		}
	}
	found := d.Nouns()
	nouns := make([]krs.Noun, len(found))
	for i, n := range found {
		nouns[i] = krs.Noun{
			Lemma: n.Lemma, Tag: n.Tag.String(), Type: n.Type, IRI: n.IRI, Phrase: n.Phrase,
			Words: whole[d.Start(n.First):d.End(n.Last)], Folded: n.Folded, Start: int32(d.Start(n.First)),
		}
	}
	typed(nouns, types)
	if r.names != nil {
		named(nouns, r.names, r.types)
	}
	return krs.Document{ID: id, Title: title, Nouns: nouns}, nil
}

// degraded reports missing features of the texts read.
func (r *reading) degraded() (all []string) {
	for _, why := range slices.Sorted(maps.Keys(r.why)) {
		all = append(all, fmt.Sprintf("%d documents: %s", r.why[why], why))
	}
	return append(all, r.linker.missed("documents")...)
}

// nouns reads documents concurrently and yields them in order. All its goroutines have ended when it returns, so that the
// caller may close everything.
func (r *reading) nouns(ctx context.Context, all iter.Seq2[corpus.Document, error]) iter.Seq2[krs.Document, error] {
	type answer struct {
		krs.Document
		err error
	}
	return func(yield func(krs.Document, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var readers sync.WaitGroup
		defer readers.Wait()
		defer cancel()
		orders := make(chan chan answer, 2*runtime.GOMAXPROCS(0))
		places := make(chan struct{}, runtime.GOMAXPROCS(0))
		readers.Go(func() {
			defer close(orders)
			for d, err := range all {
				one := make(chan answer, 1)
				select {
				case orders <- one:
				case <-ctx.Done():
					return
				}
				if err != nil {
					one <- answer{err: err}
					return
				}
				places <- struct{}{}
				readers.Go(func() {
					read, err := r.read(ctx, d.ID, d.Title, d.Lang, d.Text)
					one <- answer{read, err}
					<-places
				})
			}
		})
		for one := range orders {
			a := <-one
			if !yield(a.Document, a.err) || a.err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(krs.Document{}, err)
		}
	}
}

// titles is a gazetteer of the titles of documents. tell is that of a Job.
func titles(ctx context.Context, tell func(string, int64, int64), all ...*corpus.Corpus) (*link.Gazetteer, error) {
	b, n := link.Builder{Stop: isStopWord}, int64(0)
	for _, c := range all {
		for d, err := range c.Documents(ctx) {
			if err != nil {
				return nil, err
			}
			if err := b.Add(link.Label{Text: d.Title, IRI: documentIRI(d.ID), Kind: link.Preferred, Lang: d.Lang}); err != nil && !errors.Is(err, link.ErrLabel) {
				return nil, err
			}
			if n++; tell != nil {
				tell(StepTitles, n, 0)
			}
		}
	}
	return b.Build()
}

// sampled yields a random sample of n background documents, drawn with a seed; 0: all.
func sampled(ctx context.Context, c *corpus.Corpus, n int, seed uint64) iter.Seq2[corpus.Document, error] {
	if n <= 0 {
		return c.Documents(ctx)
	}
	return func(yield func(corpus.Document, error) bool) {
		random := rand.New(rand.NewPCG(seed, 1))
		var kept []corpus.Document
		seen := 0
		for d, err := range c.Documents(ctx) {
			if err != nil {
				yield(d, err)
				return
			}
			seen++
			if len(kept) < n {
				kept = append(kept, d)
			} else if at := random.IntN(seen); at < n {
				kept[at] = d
			}
		}
		for _, d := range kept {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// documentIRI names a document as a KRS does.
func documentIRI(id string) string {
	if iri.Check(id) == nil {
		return id
	}
	return "urn:krs:document:" + url.PathEscape(id)
}

// isStopWord tells English words that name nothing by themselves.
func isStopWord(word string) bool { return text.StopWord("en", []byte(text.Key(word))) }
