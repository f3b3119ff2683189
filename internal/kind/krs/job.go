package krs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/services/wire"
	"orbweaver/kb/krs"
	"orbweaver/rdf/syntax/nquads"
)

// Jobs are the jobs on schemas other than crawls.
type Jobs struct {
	console.Console

	Wire wire.Wire // to a server of Spotlight
}

// A Job configures the building of a knowledge representation schema.
type Job struct {
	Dir        string   // of the KRS
	Topic      string   // not needed to add to one
	Corpus     []string // files and folders: see corpus.Of
	Background []string // the same, of documents that are not of the topic; empty: none
	Sample     int      // documents of the background, drawn by Seed; 0: all
	Seed       uint64
	Gazetteer  string  // file; empty: the titles of corpus and background are what nouns are linked to
	Tagger     string  // file; empty: that of prose
	Names      string  // file of text annotated with types of names, in CoNLL's IOB format; empty: none
	Language   string  // of the corpus; empty: that of the tagger
	Confidence float64 // of links; 0: 0.5
	Add        bool    // to a KRS that is there
	Into       string  // with Add: a new folder for a copy, which the documents are added to; empty: they are added in place

	DropBelow *float64 // documents whose likeness, left out themselves, is lower are dropped; nil: none

	Linking             string  // "gazetteer", "spotlight", "both"; empty: both where Spotlight is named
	Spotlight           string  // URL of a server of DBpedia Spotlight; empty: none is asked
	SpotlightConfidence float64 // 0: 0.5

	Progress func(step string, done, all int64) // told how far a step is, in place of the console; all is 0 if not known; nil: nobody
}

// The steps of a build: documents are read once for their titles, unless a gazetteer is given, and then for their nouns.
const (
	StepTitles = "titles"
	StepNouns  = "nouns"
)

// Build learns a topic from documents, or adds documents to an existing KRS. The error wraps ErrInput if there are no
// documents.
func (j *Jobs) Build(ctx context.Context, job Job) error {
	var store *krs.Store
	var err error
	if job.Add {
		store, err = j.add(ctx, job)
	} else {
		store, err = j.create(ctx, job)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return console.ErrInterrupted
	case err != nil:
		return userError(err)
	}
	defer store.Close()
	return j.tell(store, job.Dir)
}

// userError marks errors of a KRS that are the user's to fix.
func userError(err error) error {
	if errors.Is(err, krs.ErrNone) {
		return fmt.Errorf("%w: orbweaver krs build makes one (%w)", err, orbweaver.ErrInput)
	}
	for _, theirs := range []error{krs.ErrExists, krs.ErrTopic, krs.ErrFormat, krs.ErrEmpty, krs.ErrNoNouns, krs.ErrID} {
		if errors.Is(err, theirs) && !errors.Is(err, orbweaver.ErrInput) {
			return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
	}
	return err
}

// create builds one.
func (j *Jobs) create(ctx context.Context, job Job) (*krs.Store, error) {
	found, err := corpus.Of(&j.Console, job.Corpus)
	if err != nil {
		return nil, err
	}
	var background *corpus.Corpus
	if len(job.Background) > 0 {
		if background, err = corpus.Of(&j.Console, job.Background); err != nil {
			return nil, err
		}
	}
	titled := []*corpus.Corpus{found}
	if background != nil {
		titled = append(titled, background)
	}
	reading, err := newReading(ctx, job, titled...)
	if err != nil {
		return nil, err
	}
	total := int64(found.Tally.Documents) // 0 if they were not read for titles
	if background != nil && total > 0 {
		total += sampleOf(int64(background.Tally.Documents), job.Sample)
	}
	if err := reading.askAside(ctx, j.Wire, job.Dir); err != nil {
		return nil, err
	}
	settings, err := json.Marshal(reading.settings)
	if err != nil {
		return nil, err
	}
	plan := krs.Plan{
		Topic: job.Topic, Documents: reading.nouns(ctx, found.Documents(ctx)),
		Sections: map[string][]byte{settingsSection: settings},
		Progress: j.progress(job, total, "documents read"),
	}
	if background != nil {
		plan.Background = reading.nouns(ctx, sampled(ctx, background, job.Sample, job.Seed))
	}
	store, err := krsdb.Build(ctx, job.Dir, plan)
	if err != nil {
		return nil, errors.Join(err, reading.linker.Close())
	}
	err = reading.linker.Close()
	if err == nil {
		err = reading.keep(job.Dir)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	j.tellCorpus(found, reading)
	return store, j.choose(ctx, store, job.DropBelow)
}

// choose drops documents, and says which; if it fails, the KRS is closed.
func (j *Jobs) choose(ctx context.Context, store *krs.Store, below *float64) error {
	if below == nil {
		return nil
	}
	dropped, err := drop(ctx, store, *below)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	j.tellDropped(dropped, *below)
	return nil
}

// add adds documents to a KRS, with its settings.
func (j *Jobs) add(ctx context.Context, job Job) (*krs.Store, error) {
	found, err := corpus.Of(&j.Console, job.Corpus)
	if err != nil {
		return nil, err
	}
	dir := job.Dir
	if job.Into != "" {
		if err := copied(ctx, dir, job.Into); err != nil {
			return nil, err
		}
		dir = job.Into
	}
	store, err := krsdb.Open(dir, job.Topic)
	if err != nil {
		return nil, err
	}
	reading, err := openReading(store, dir, Reading{})
	if err == nil {
		err = reading.ask(j.Wire, dir)
	}
	if err == nil {
		tell, n := j.progress(job, 0, "documents added"), int64(0)
		for d, failed := range reading.nouns(ctx, found.Documents(ctx)) {
			if err = cmp.Or(failed, ctx.Err()); err == nil {
				err = store.Add(d)
			}
			if err != nil {
				break
			}
			n++
			tell(n)
		}
		err = errors.Join(err, reading.linker.Close())
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	j.tellCorpus(found, reading)
	return store, j.choose(ctx, store, job.DropBelow)
}

// copied makes a copy of a KRS in a new folder. Meanwhile no other process can open it.
func copied(ctx context.Context, from, to string) error {
	store, err := openKRS(ctx, from)
	if err != nil {
		return err
	}
	if err = os.Mkdir(to, 0o777); err == nil {
		err = store.Copy(filepath.Join(to, "db"))
	}
	var entries []os.DirEntry
	if err == nil {
		entries, err = os.ReadDir(from)
	}
	for _, e := range entries {
		a, b := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case err != nil, e.Name() == "db", e.Name() == "sorting":
		case e.IsDir():
			err = os.CopyFS(b, os.DirFS(a))
		default:
			err = copyFile(b, a)
		}
	}
	return errors.Join(err, store.Close())
}

// sampleOf is the size of a sample of n documents; size 0: all.
func sampleOf(n int64, size int) int64 {
	if size > 0 {
		return min(n, int64(size))
	}
	return n
}

// progress returns a function that tells how many of all documents were read for their nouns: to whom the job names, or on the console.
func (j *Jobs) progress(job Job, all int64, what string) func(int64) {
	if job.Progress == nil {
		return j.counting(what)
	}
	job.Progress(StepNouns, 0, all)
	return func(n int64) { job.Progress(StepNouns, n, all) }
}

// counting returns a function that prints progress at intervals.
func (j *Jobs) counting(what string) func(int64) {
	last := time.Now()
	return func(n int64) {
		every := console.Rewrite
		if j.Terminal {
			every = console.Redraw
		}
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		if j.Terminal {
			fmt.Fprintf(j.Err, "\r%d %s\x1b[K", n, what)
			return
		}
		console.Say(j.Err, "%d %s", n, what)
	}
}

// tellCorpus prints the tally of the files of a corpus.
func (j *Jobs) tellCorpus(c *corpus.Corpus, r *reading) {
	if j.Terminal {
		fmt.Fprint(j.Err, "\r\x1b[K")
	}
	console.Say(j.Err, "corpus: %s", c.Tally)
	for _, why := range r.degraded() {
		console.Say(j.Err, "warning: %s", why)
	}
}

// tell prints the statistics of a KRS.
func (j *Jobs) tell(store *krs.Store, dir string) error {
	snapshot, err := store.Snapshot(krs.Options{})
	if err != nil {
		return err
	}
	j.print(snapshot.Statistics(shownNouns), dir)
	return nil
}

// shownNouns is how many of the heaviest nouns are shown.
const shownNouns = 20

// Show prints the statistics of a KRS: documents and nouns as in the paper's Table 3, mean, deviation and range of IDF as in
// its Table 8, the rule of acceptance, the least typical documents, and the heaviest nouns.
func (j *Jobs) Show(dir string, heaviest, documents int, asJSON bool) error {
	store, err := krsdb.Open(dir, "")
	if err != nil {
		return userError(err)
	}
	defer store.Close()
	snapshot, err := store.Snapshot(krs.Options{})
	if err != nil {
		return userError(err)
	}
	st, low := snapshot.Statistics(heaviest), snapshot.Standings()
	low = low[:min(len(low), documents)]
	if asJSON {
		return console.WriteJSON(j.Out, struct {
			krs.Statistics
			Low []krs.Standing `json:"least_typical,omitempty"`
		}{st, low})
	}
	j.print(st, dir)
	if len(low) > 0 {
		console.Say(j.Out, "\nThe documents that are least like the others, by likeness:")
		j.tellStandings(low)
	}
	return nil
}

// print prints figures for people.
func (j *Jobs) print(st krs.Statistics, dir string) {
	console.Say(j.Out, "%s: %s", console.Relative(dir), st.Topic)
	console.Say(j.Out, "  documents        %d", st.Documents)
	console.Say(j.Out, "  nouns            %d", st.Nouns)
	console.Say(j.Out, "  linked nouns     %d (%.1f %%)", st.Linked, console.Percent(st.Linked, st.Nouns))
	console.Say(j.Out, "  distinct nouns   %d", st.Distinct)
	console.Say(j.Out, "  IDF of linked    mean %.2f, deviation %.2f; range %.2f to %.2f (rule: paper)", st.Mean, st.Deviation, st.Low, st.High)
	c := st.Calibration
	if st.Background > 0 {
		console.Say(j.Out, "  likeness         %.3f or more is accepted (rule: calibrated), by a background of %d documents:", c.Threshold, st.Background)
		console.Say(j.Out, "                   %.1f %% of the corpus has it, and so is %.1f %% of what has it", 100*c.Recall, 100*c.Precision)
	} else {
		console.Say(j.Out, "  coverage         %.3f or more is accepted (rule: calibrated), as nine of ten documents have it", c.Threshold)
		console.Say(j.Out, "                   without a background: documents of other topics, named by --background, tell nouns of this one from common ones")
	}
	if len(st.Heaviest) == 0 {
		return
	}
	console.Say(j.Out, "\nThe heaviest nouns:")
	console.Say(j.Out, "%9s %10s %6s %6s  noun", "documents", "background", "IDF", "share")
	for _, h := range st.Heaviest {
		name := h.Lemma
		if h.IRI != "" {
			name += "  " + h.IRI
		}
		console.Say(j.Out, "%9d %10d %6.2f %6.2f  %s", h.Documents, h.Others, h.IDF, h.Share, console.Visible(name, 120))
	}
}

// Export writes a KRS to Out as N-Quads, IDF values and all.
func (j *Jobs) Export(ctx context.Context, dir string) error {
	store, err := krsdb.Open(dir, "")
	if err != nil {
		return userError(err)
	}
	defer store.Close()
	view, err := store.View()
	if err != nil {
		return err
	}
	defer view.Close()
	out, n := nquads.NewWriter(j.Out), 0
	for q, err := range view.Export() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return console.ErrInterrupted
		}
		if err == nil {
			err = out.Write(q)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// Read returns the KRS in a folder as it is now. It waits for those that have it open for a moment. The error wraps orbweaver.ErrBusy if
// another process keeps it, and orbweaver.ErrInput if this version cannot read it.
func Read(ctx context.Context, dir string) (*krs.Snapshot, error) {
	store, err := openKRS(ctx, dir)
	if err != nil {
		return nil, userError(err)
	}
	snapshot, err := store.Snapshot(krs.Options{})
	return snapshot, userError(errors.Join(err, store.Close()))
}
