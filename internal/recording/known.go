package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/step"
)

// Alone says why a crawl that knows other archives is not shared.
const Alone = "archive.known: a crawl that does not store again what other archives have runs by one process, which alone reads them"

// toldEvery is how often the reading of other archives tells how far it is.
const toldEvery = 5 * time.Second

// Known reads what other archives have, for a session of a crawl; nil: its file names none. say is told how far it is, and what was left out.
func Known(ctx context.Context, c *crawlfile.Crawl, say func(format string, args ...any)) (*archive.Known, error) {
	if len(c.Archive.Known) == 0 || !Kept(c) {
		return nil, nil
	}
	for _, path := range c.Archive.Known {
		if same(path, c.Output) || same(path, crawlfolder.Archive(c.Output)) {
			return nil, fmt.Errorf("archive.known: %s is the folder of the crawl itself (%w)", console.Relative(path), orbweaver.ErrInput)
		}
	}
	began := time.Now()
	last := began
	known, err := archive.OpenKnown(ctx, c.Archive.Known, c.Output, func(path string, done, total int64) {
		if now := time.Now(); now.Sub(last) >= toldEvery {
			last = now
			say("reading what %s has: %s of %s", console.Relative(path), console.SizeOf(done), console.SizeOf(total))
		}
	})
	if err != nil {
		return nil, fmt.Errorf("archive.known: %w", err)
	}
	for _, w := range known.Warnings() {
		say("warning: archive.known: %s", w)
	}
	return known, nil
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	y, bad := os.Stat(b)
	return err == nil && bad == nil && os.SameFile(x, y)
}

// Know has the recorder not store again what other archives have. It closes k with the archive. A nil recorder and a nil k do nothing.
func (r *Recorder) Know(k *archive.Known) {
	if r != nil && k != nil {
		r.known = k
		r.Writer.Know(k)
	}
}

// SparedFacts are lines of a report on what was not stored again.
func SparedFacts(spared []step.Spared) []eval.Fact {
	var facts []eval.Fact
	for _, s := range spared {
		facts = append(facts, eval.Fact{Name: "not stored again", Value: SparedWords(s)})
	}
	return facts
}

// SparedWords says what was not stored again, on a line.
func SparedWords(s step.Spared) string {
	return fmt.Sprintf("%s, %s, which %s has", console.Several(int(s.Pages), "answer"), console.SizeOf(s.Bytes), filepath.ToSlash(s.Of))
}
