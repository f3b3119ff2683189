package labelmodel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/database"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
)

// Training configures Train.
type Training struct {
	Stream   []string     // files and folders, in order
	Out      string       // folder of the model
	HalfLife float64      // in documents; 0: none, or that of the resumed model
	Terms    int          // terms per document; 0: 25, or those of the resumed model
	Rules    stream.Rules // thresholds; zero values: the usual ones, or those of the resumed model
	WordNet  string       // folder; empty: no synonyms
	Lang     string       // language of all documents; empty: detected for each
	Workers  int          // parallel readers; 0: one per processor
	Resume   bool         // continue with the existing model
}

// checkpoint is the number of documents between two writes of the model.
const checkpoint = 50_000

// place is the position in the stream that a model's folder records.
type place struct {
	Read  int64  `json:"read"`  // documents read, whatever their outcome
	Chain string `json:"chain"` // digest of these documents, in order
	Tally tally  `json:"tally"`
}

// training is the state of Train.
type training struct {
	*console.Console
	job      Training
	model    *stream.Model
	place    place
	chain    [32]byte
	seen     recent
	lock     io.Closer     // of the folder; nil: not acquired yet
	drift    *stream.Drift // nil: nothing learned yet in this run
	progress func(int64)
}

// Train learns a model from a stream and writes it. When ctx ends it writes what it learned so far and
// returns ErrInterrupted. Errors wrap ErrInput if the stream has no document, if an option is out of
// range, or, with Resume, if the model was learned from another stream; ErrForeign if the folder holds
// something else.
func Train(ctx context.Context, con *console.Console, job Training) error {
	own := *con
	own.Err = &guarded{w: con.Err}
	t := &training{Console: &own, job: job}
	began := time.Now()
	s, err := newSource(t.Console, job.Stream)
	if err == nil {
		err = t.begin()
	}
	if err == nil {
		err = t.run(ctx, s)
	}
	err = errors.Join(err, t.unlock())
	if interrupted := errors.Is(err, console.ErrInterrupted); err != nil && !interrupted {
		return theirs(err)
	}
	if t.Terminal {
		fmt.Fprint(t.Err, "\r\x1b[K")
	}
	console.Say(t.Err, "stream: %s", t.place.Tally.String(s.failed))
	if t.model.Labels.Items() > 0 {
		console.Say(t.Err, "learned in %v", time.Since(began).Round(10*time.Millisecond))
		printModel(t.Out, t.job.Out, t.model)
	}
	return err
}

// theirs classifies an error of a model as the user's, or as that of a foreign folder.
func theirs(err error) error {
	for _, input := range []error{stream.ErrNone, stream.ErrFormat, stream.ErrWordNet, stream.ErrDamaged, labels.ErrParameters} {
		if errors.Is(err, input) && !errors.Is(err, orbweaver.ErrInput) {
			return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
	}
	if errors.Is(err, stream.ErrForeign) {
		return fmt.Errorf("%w: choose another folder (%w)", err, orbweaver.ErrForeign)
	}
	return err
}

// begin creates the model, or reads the one to resume.
func (t *training) begin() (err error) {
	if err := stream.Check(t.job.Out); err != nil {
		return err
	}
	t.progress = t.counting()
	there := stream.Has(t.job.Out)
	switch {
	case there && !t.job.Resume:
		return fmt.Errorf("%s holds a model: continue it with --resume, or choose another folder (%w)", console.Relative(t.job.Out), orbweaver.ErrForeign)
	case !there:
		t.model, err = stream.New(stream.Options{Terms: t.job.Terms, HalfLife: t.job.HalfLife, Shared: true, WordNet: t.job.WordNet, Rules: t.job.Rules})
		return err
	}
	if err := t.own(); err != nil {
		return err
	}
	var note json.RawMessage
	if t.model, note, err = stream.Read(t.job.Out, t.job.WordNet); err != nil {
		return err
	}
	if err := json.Unmarshal(note, &t.place); err != nil {
		return fmt.Errorf("%s was not learned from a stream, so --resume cannot continue it (%w)", console.Relative(t.job.Out), orbweaver.ErrInput)
	}
	return t.same(t.model.Options)
}

// same verifies that the options agree with those of the resumed model.
func (t *training) same(o stream.Options) error {
	var problems []error
	other := func(is bool, flag string, was any) {
		if is {
			problems = append(problems, fmt.Errorf("%s: learned with %s %v: resume with the same value (%w)", console.Relative(t.job.Out), flag, was, orbweaver.ErrInput))
		}
	}
	other(t.job.Terms != 0 && t.job.Terms != o.Terms, "--terms", o.Terms)
	other(t.job.HalfLife != 0 && t.job.HalfLife != o.HalfLife, "--half-life", o.HalfLife)
	have, asked := o.Rules, t.job.Rules
	other(asked.Alpha != 0 && asked.Alpha != have.Alpha, "--alpha", have.Parameters().Alpha)
	other(asked.Beta != 0 && asked.Beta != have.Beta, "--beta", have.Parameters().Beta)
	other(asked.Broader != 0 && asked.Broader != have.Broader, "--tau", have.Parameters().Broader)
	other(asked.Delta != 0 && asked.Delta != have.Delta, "--delta", have.Delta)
	other(asked.Exact && !have.Exact, "--rules", "certain")
	other(t.job.WordNet != "" && o.Synonyms == "", "--wordnet", "nothing")
	return errors.Join(problems...)
}

// run learns from the stream.
func (t *training) run(ctx context.Context, s *source) error {
	known, want := t.place.Read, t.place.Chain
	r := &readers{lang: t.job.Lang, known: known}
	workers := t.job.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var failed error
	n := int64(0)
	for x := range r.all(ctx, workers, s.documents(ctx)) {
		if failed = x.err; failed != nil || ctx.Err() != nil {
			break
		}
		n++
		t.link(x)
		switch {
		case n < known:
			t.seen.add(x.sum)
		case n == known:
			t.seen.add(x.sum)
			if hex.EncodeToString(t.chain[:]) != want {
				failed = t.another(n)
			}
		default:
			failed = t.take(x, n)
		}
		if failed != nil {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		failed = console.ErrInterrupted
	case failed == nil && n < known:
		failed = t.another(n)
	}
	return t.end(s, n, known, failed)
}

// link adds a document to the digest of the stream.
func (t *training) link(x *reading) {
	t.chain = sha256.Sum256(append(t.chain[:], x.sum[:]...))
}

// another returns the error for a stream that does not begin with the documents learned so far.
func (t *training) another(n int64) error {
	return fmt.Errorf("%s was learned from another stream: its first %d documents differ from the first ones of this stream (%d compared); name the same files in the same order, new ones last (%w)",
		console.Relative(t.job.Out), t.place.Read, n, orbweaver.ErrInput)
}

// take learns from the n-th document.
func (t *training) take(x *reading, n int64) error {
	if t.drift == nil {
		if err := t.openDrift(); err != nil {
			return err
		}
	}
	c := &t.place.Tally
	switch {
	case x.Text == "":
		c.Empty++
		return nil
	case !t.seen.add(x.sum):
		c.Twice++
		return nil
	case x.long:
		c.Cut++
	}
	it, changes := t.model.Learn(x.ID, x.At, x.draft)
	if len(it.Terms) == 0 {
		c.Wordless++
		return nil
	}
	c.learned(x.Lang)
	t.progress(c.Documents)
	if err := t.drift.Add(changes); err != nil || c.Documents%checkpoint != 0 {
		return err
	}
	return t.write(n)
}

// own creates the folder and locks it, because two processes writing one model would corrupt it.
func (t *training) own() (err error) {
	if t.lock != nil {
		return nil
	}
	if err := os.MkdirAll(t.job.Out, 0o777); err != nil {
		return err
	}
	if t.lock, err = database.Lock(filepath.Join(t.job.Out, stream.LockFile)); err != nil {
		return fmt.Errorf("%s: another process is learning into it (%w): %w", console.Relative(t.job.Out), err, orbweaver.ErrBusy)
	}
	return nil
}

// unlock releases the folder, and removes it if it has no model.
func (t *training) unlock() error {
	if t.lock == nil {
		return nil
	}
	if stream.Has(t.job.Out) {
		return t.lock.Close()
	}
	return errors.Join(os.Remove(filepath.Join(t.job.Out, stream.LockFile)), t.lock.Close(), removeEmpty(t.job.Out))
}

// openDrift opens the log of changes for appending after those of the resumed model.
func (t *training) openDrift() (err error) {
	if err := t.own(); err != nil {
		return err
	}
	items := t.model.Labels.Items()
	if t.drift, err = stream.OpenDrift(t.job.Out, items); err == nil && items > 0 && t.drift.Last() == 0 {
		console.Say(t.Err, "warning: %s is missing: the log of changes starts now", filepath.Join(t.job.Out, stream.DriftFile))
	}
	return err
}

// write writes the model as of the n-th document of the stream.
func (t *training) write(n int64) error {
	if err := t.drift.Sync(); err != nil {
		return err
	}
	t.place.Read, t.place.Chain = n, hex.EncodeToString(t.chain[:])
	note, err := json.Marshal(t.place)
	if err != nil {
		return err
	}
	return t.model.Write(t.job.Out, note)
}

// end writes what was learned, whatever ended the run.
func (t *training) end(s *source, n, known int64, failed error) error {
	if t.drift != nil {
		if t.model.Labels.Items() > 0 {
			failed = errors.Join(failed, t.write(n))
		}
		failed = errors.Join(failed, t.drift.Close())
		if t.model.Labels.Items() == 0 {
			failed = errors.Join(failed, os.Remove(filepath.Join(t.job.Out, stream.DriftFile)))
		}
	}
	if failed == nil && t.model.Labels.Items() == 0 {
		return fmt.Errorf("%s: no document to learn from: %s (%w)", strings.Join(t.job.Stream, ", "), t.place.Tally.String(s.failed), orbweaver.ErrInput)
	}
	return failed
}

// removeEmpty removes a folder if it is empty.
func removeEmpty(dir string) error {
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return err
	}
	return os.Remove(dir)
}

// counting returns a function that prints the number of learned documents now and then.
func (t *training) counting() func(int64) {
	last := time.Now()
	return func(n int64) {
		every := console.Rewrite
		if t.Terminal {
			every = console.Redraw
		}
		if time.Since(last) < every {
			return
		}
		if last = time.Now(); t.Terminal {
			fmt.Fprintf(t.Err, "\r%d documents learned\x1b[K", n)
			return
		}
		console.Say(t.Err, "%d documents learned", n)
	}
}

// guarded is a writer that is safe for concurrent use.
type guarded struct {
	mu sync.Mutex
	w  io.Writer
}

func (g *guarded) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.w.Write(b)
}
