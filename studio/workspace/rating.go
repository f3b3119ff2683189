package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/order"
)

const (
	ratingsFolder = "ratings" // of the workspace: a folder for each crawl, with one for each rating
	maxRatings    = 50        // of a crawl
	sampleTime    = 10 * time.Minute
)

// rated serializes what writes the sheets of ratings: each change reads a sheet, and writes it anew.
type rated struct{ mu sync.Mutex }

// A RatingStanding is what a list shows of a rating.
type RatingStanding struct {
	Name   string                `json:"name"`
	Folder string                `json:"folder"` // relative to the workspace: what orbweaver rate score reads
	Pages  int                   `json:"pages"`  // of the sample
	At     time.Time             `json:"at"`     // when the sample was drawn
	Raters []crawl.RaterStanding `json:"raters"`
	Error  string                `json:"error,omitempty"` // why it cannot be read
}

// ratingsOf is the folder of the ratings of a crawl. The error wraps ErrUnknown if there is no such crawl.
func (w *Workspace) ratingsOf(ctx context.Context, id string) (string, error) {
	if _, err := w.Crawl(ctx, id); err != nil {
		return "", err
	}
	return w.below(ratingsFolder, id)
}

// below is the path of a folder of the workspace that need not be there. The error is as of inside.
func (w *Workspace) below(parts ...string) (string, error) {
	dir := filepath.Join(parts...)
	if !filepath.IsLocal(dir) || dir != strings.Join(parts, string(filepath.Separator)) {
		return "", fmt.Errorf("%s: the path leads out of the workspace (%w)", dir, orbweaver.ErrInput)
	}
	for at := dir; at != "."; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(w.dir, at)); err == nil {
			if _, err := w.inside(at); err != nil {
				return "", err
			}
			break
		}
	}
	return filepath.Join(w.dir, dir), nil
}

// Ratings lists the ratings of a crawl, the latest first.
func (w *Workspace) Ratings(ctx context.Context, id string) ([]RatingStanding, error) {
	all := []RatingStanding{}
	dir, err := w.ratingsOf(ctx, id)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("ratings: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() && crawl.CheckRatingName("rating", e.Name()) == nil && len(all) < maxRatings {
			all = append(all, w.ratingStanding(filepath.Join(dir, e.Name())))
		}
	}
	order.By(all, func(a, b RatingStanding) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Name, b.Name)) })
	return all, nil
}

// ratingStanding says how far a rating is.
func (w *Workspace) ratingStanding(dir string) RatingStanding {
	s := RatingStanding{Name: filepath.Base(dir), Folder: w.relative(dir), Raters: []crawl.RaterStanding{}, At: changed(filepath.Join(dir, "sheet.csv")).UTC()}
	r, err := crawl.OpenRating(dir)
	if err == nil {
		s.Pages = r.Len()
		var raters []crawl.RaterStanding
		if raters, err = r.Raters(); err == nil {
			s.Raters = raters
		}
	}
	if err != nil {
		s.Error = err.Error()
	}
	return s
}

// RatingStanding says how far a rating is. The error wraps ErrUnknown if there is none.
func (w *Workspace) RatingStanding(ctx context.Context, id, name string) (RatingStanding, error) {
	dir, err := w.ratingDir(ctx, id, name)
	if err == nil {
		_, err = crawl.OpenRating(dir)
	}
	if err != nil {
		return RatingStanding{}, err
	}
	return w.ratingStanding(dir), nil
}

// ratingDir is the folder of a rating, which need not be there. The error wraps ErrUnknown if there is no such crawl, and orbweaver.ErrInput if
// nothing can have the name.
func (w *Workspace) ratingDir(ctx context.Context, id, name string) (string, error) {
	if err := crawl.CheckRatingName("rating", name); err != nil {
		return "", err
	}
	if _, err := w.Crawl(ctx, id); err != nil {
		return "", err
	}
	return w.below(ratingsFolder, id, name)
}

// Rating opens a rating of a crawl for reading. The error wraps ErrUnknown if there is none.
func (w *Workspace) Rating(ctx context.Context, id, name string) (*crawl.Rating, error) {
	dir, err := w.ratingDir(ctx, id, name)
	if err != nil {
		return nil, err
	}
	return crawl.OpenRating(dir)
}

// ChangeRating calls f with a rating, in which it may write: one call at a time.
func (w *Workspace) ChangeRating(ctx context.Context, id, name string, f func(*crawl.Rating) error) error {
	w.rated.mu.Lock()
	defer w.rated.mu.Unlock()
	r, err := w.Rating(ctx, id, name)
	if err != nil {
		return err
	}
	return f(r)
}

// NewRating draws a sample of a crawl for raters. The error wraps orbweaver.ErrForeign if the crawl has a rating of this name, and is otherwise as of
// crawl.Crawl.Rate.
func (w *Workspace) NewRating(ctx context.Context, id, name string, s crawl.RatingSample) (RatingStanding, error) {
	dir, err := w.ratingDir(ctx, id, name)
	if err != nil {
		return RatingStanding{}, err
	}
	if err := w.roomFor(ctx, id, name, dir); err != nil {
		return RatingStanding{}, err
	}
	scratch, err := os.MkdirTemp(filepath.Join(w.dir, ownFolder), tryPrefix)
	if err != nil {
		return RatingStanding{}, fmt.Errorf("workspace: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, sampleTime)
	defer cancel()
	err = w.Use(ctx, id, func(c *crawl.Crawl) error {
		_, err := c.Rate(ctx, scratch, s)
		return err
	})
	if err == nil {
		err = w.place(scratch, dir)
	}
	if err != nil {
		return RatingStanding{}, errors.Join(err, os.RemoveAll(scratch))
	}
	return w.ratingStanding(dir), nil
}

// roomFor verifies that a crawl may have a rating more, of this name.
func (w *Workspace) roomFor(ctx context.Context, id, name, dir string) error {
	all, err := w.Ratings(ctx, id)
	switch {
	case err != nil:
		return err
	case exists(dir):
		return fmt.Errorf("rating %s: there is one of this name (%w)", name, orbweaver.ErrForeign)
	case len(all) >= maxRatings:
		return fmt.Errorf("crawl %s has %d ratings: delete one first (%w)", id, len(all), orbweaver.ErrInput)
	}
	return nil
}

// place moves a drawn sample to its place, as one step.
func (w *Workspace) place(from, to string) error {
	w.rated.mu.Lock()
	defer w.rated.mu.Unlock()
	if exists(to) {
		return fmt.Errorf("rating %s: there is one of this name (%w)", filepath.Base(to), orbweaver.ErrForeign)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return fmt.Errorf("ratings: %w", err)
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("ratings: %w", err)
	}
	return nil
}

// ErrNoText says that the text of a page cannot be shown: no archive has it, or it cannot be read.
const ErrNoText = orbweaver.ErrAbsent

// maxText bounds the text of a page that is shown to raters, in bytes.
const maxText = 200_000

// TextOf returns the title and the main text of a page as it was archived; of a long one the beginning. The error wraps ErrNoText if there is none,
// and ErrUnknown if there is no such crawl.
func (w *Workspace) TextOf(ctx context.Context, id, url string) (title, text string, err error) {
	err = w.Use(ctx, id, func(c *crawl.Crawl) (err error) {
		archive, err := c.Archived()
		if err != nil {
			return fmt.Errorf("%w (%w)", err, ErrNoText)
		}
		defer func() { err = errors.Join(err, archive.Close()) }()
		if title, text, err = archive.Text(ctx, url); err != nil && ctx.Err() == nil && !errors.Is(err, ErrNoText) {
			err = fmt.Errorf("%w (%w)", err, ErrNoText)
		}
		return err
	})
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	return title, text, err
}

// Answer writes a rater's answer, and returns how far the rater is. Errors are those of crawl.Rating.
func (w *Workspace) Answer(ctx context.Context, id, name string, a crawl.RatingAnswer) (s crawl.RaterStanding, err error) {
	err = w.ChangeRating(ctx, id, name, func(r *crawl.Rating) (err error) {
		s, err = r.Answer(a, time.Now())
		return err
	})
	return s, err
}

// Back takes the last answer of a rater back, and returns its page; nil: there is none.
func (w *Workspace) Back(ctx context.Context, id, name, rater string) (page *crawl.RatedPage, s crawl.RaterStanding, err error) {
	err = w.ChangeRating(ctx, id, name, func(r *crawl.Rating) (err error) {
		page, s, err = r.Back(rater)
		return err
	})
	return page, s, err
}

// TakeSheet takes in a sheet that a rater has filled elsewhere. Errors are those of crawl.Rating.
func (w *Workspace) TakeSheet(ctx context.Context, id, name, rater string, sheet io.Reader, replace bool) (s crawl.RaterStanding, err error) {
	err = w.ChangeRating(ctx, id, name, func(r *crawl.Rating) (err error) {
		s, err = r.Take(rater, sheet, replace, time.Now())
		return err
	})
	return s, err
}

// Settle writes what raters agreed on where they differed. Errors are those of crawl.Rating.
func (w *Workspace) Settle(ctx context.Context, id, name string, a crawl.RatingAnswer) error {
	return w.ChangeRating(ctx, id, name, func(r *crawl.Rating) error { return r.Settle(a, time.Now()) })
}

// TeachRating gives the crawl the agreed answers of a rating as verdicts, or withdraws them: see crawl.Crawl.Teach.
func (w *Workspace) TeachRating(ctx context.Context, id, name string, withdraw bool) (n int, err error) {
	r, err := w.Rating(ctx, id, name)
	if err != nil {
		return 0, err
	}
	err = w.Use(ctx, id, func(c *crawl.Crawl) error {
		n, err = c.Teach(ctx, r, withdraw)
		return err
	})
	return n, err
}

// DeleteRating moves a rating into the trash.
func (w *Workspace) DeleteRating(ctx context.Context, id, name string) (Thrown, error) {
	dir, err := w.ratingDir(ctx, id, name)
	if err != nil {
		return Thrown{}, err
	}
	w.rated.mu.Lock()
	defer w.rated.mu.Unlock()
	if !exists(dir) {
		return Thrown{}, fmt.Errorf("rating %s: crawl %s has none of this name: %w", name, id, ErrUnknown)
	}
	now := time.Now().UTC()
	t := Thrown{ID: thrownID(now, id+"-"+name), Crawl: id, Rating: name, At: now, Bytes: sizeOf(dir), Folder: w.relative(dir)}
	return t, w.throw(t)
}
