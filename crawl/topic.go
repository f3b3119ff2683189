package crawl

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/kind"
	krskind "orbweaver/internal/kind/krs"
	"orbweaver/internal/krsdb"
	"orbweaver/kb/krs"
	"orbweaver/ledger"
)

// What a topic learned from documents is asked, and what it answers.
type (
	TopicFigures  = krs.Statistics
	NounQuery     = krs.NounQuery
	NounPart      = krs.NounPart
	NounRow       = krs.NounRow
	DocumentQuery = krs.DocumentQuery
	DocumentPart  = krs.DocumentPart
	DocumentNoun  = krs.Speaking
	TopicSpread   = krs.Spread
	Scores        = ledger.Scores // pages of a crawl by their score
)

// NounSorts returns the values of NounQuery.Sort.
func NounSorts() []string { return krs.NounSorts() }

// IsTopic reports whether a folder has a KRS, a topic learned from documents: what focus: krs reads.
func IsTopic(folder string) bool { return krsdb.Is(folder) }

// A Topic is a KRS, a topic learned from documents, as it lies in a folder. It stays in memory with the Topic until the folder
// changes. It is safe for concurrent use.
type Topic struct {
	folder string

	mu       sync.Mutex
	snapshot *krs.Snapshot
	of       time.Time // change of the folder as of which snapshot is
}

// OpenTopic returns the KRS in a folder. The error wraps orbweaver.ErrInput if there is none.
func OpenTopic(folder string) (*Topic, error) {
	folder, err := filepath.Abs(folder)
	if err == nil && !krsdb.Is(folder) {
		err = fmt.Errorf("%s: no topic was learned there (%w)", filepath.Base(folder), orbweaver.ErrInput)
	}
	return &Topic{folder: folder}, err
}

// Topic returns the KRS by which the crawl judges, as it lies in its folder: pages that the crawl learned are not in it. The error
// wraps orbweaver.ErrInput if the crawl judges by none.
func (c *Crawl) Topic() (*Topic, error) {
	file, err := c.load()
	if err != nil {
		return nil, err
	}
	for _, part := range kind.Each(file.Focus) {
		if folder, ok := kind.KRS(part); ok {
			return OpenTopic(folder)
		}
	}
	return nil, fmt.Errorf("the %s focus judges by no topic learned from documents (%w)", file.Focus.Key(), orbweaver.ErrInput)
}

// Scores counts the pages of the crawl by their score in n bins of equal width from 0 to 1, at most 1 000.
func (c *Crawl) Scores(ctx context.Context, n int) (Scores, error) { return c.at.Scores(ctx, n) }

// Folder is the folder of the KRS, an absolute path.
func (t *Topic) Folder() string { return t.folder }

// Figures returns counts of the topic, with its heaviest nouns, at most heaviest. Errors of a Topic wrap orbweaver.ErrBusy if another
// process has the KRS open, and orbweaver.ErrInput if this version cannot read it.
func (t *Topic) Figures(ctx context.Context, heaviest int) (f TopicFigures, err error) {
	err = t.look(ctx, func(s *krs.Snapshot) error {
		f = s.Statistics(heaviest)
		return nil
	})
	return f, err
}

// Nouns returns a part of the nouns of the corpus, or of the entities that they are linked to.
func (t *Topic) Nouns(ctx context.Context, q NounQuery) (p NounPart, err error) {
	err = t.look(ctx, func(s *krs.Snapshot) (err error) {
		if p, err = s.Listed(q); err != nil {
			err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		}
		return err
	})
	return p, err
}

// Documents returns a part of the documents of the corpus, by how like the others they are.
func (t *Topic) Documents(ctx context.Context, q DocumentQuery) (p DocumentPart, err error) {
	err = t.look(ctx, func(s *krs.Snapshot) error {
		p = s.ListedDocuments(q)
		return nil
	})
	return p, err
}

// Document returns the title of a document of the corpus, and its nouns with what each says for the topic or against it, the most
// first. The error wraps orbweaver.ErrUnknown if the corpus has no such document.
func (t *Topic) Document(ctx context.Context, id string) (title string, nouns []DocumentNoun, err error) {
	err = t.look(ctx, func(s *krs.Snapshot) error {
		var ok bool
		if title, nouns, ok = s.Speak(id); !ok {
			return fmt.Errorf("%.200q: the topic has no such document: %w", id, orbweaver.ErrUnknown)
		}
		return nil
	})
	return title, nouns, err
}

// Spread counts corpus and background by the score of a page that is as like the topic, in n bins from 0 to 1; at most 1 000.
func (t *Topic) Spread(ctx context.Context, n int) (p TopicSpread, err error) {
	err = t.look(ctx, func(s *krs.Snapshot) error {
		p = s.Spread(min(max(1, n), 1000))
		return nil
	})
	return p, err
}

// look calls f with the KRS, which is read if it is not in memory or has changed.
func (t *Topic) look(ctx context.Context, f func(*krs.Snapshot) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	changed := lastChange(filepath.Join(t.folder, "db"))
	if t.snapshot == nil || !changed.Equal(t.of) {
		s, err := krskind.Read(ctx, t.folder)
		if err != nil {
			return err
		}
		t.snapshot, t.of = s, lastChange(filepath.Join(t.folder, "db")) // opening it writes
	}
	return f(t.snapshot)
}

// lastChange is when a file of a folder last changed; zero if there is none.
func lastChange(folder string) (at time.Time) {
	entries, _ := os.ReadDir(folder) // what is not there has no time
	for _, e := range entries {
		var info fs.FileInfo
		if i, err := e.Info(); err == nil {
			info = i
		}
		if info != nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}
