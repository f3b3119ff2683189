package labelmodel

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
)

// DriftOptions selects the changes that Drift prints.
type DriftOptions struct {
	Since string      // first item number or date to print; empty: from the start
	Kind  labels.Kind // empty: all kinds but terms
	JSON  bool        // print the lines of the log unchanged
}

// maxChange bounds a line of the log, in bytes.
const maxChange = 64 << 10

// Drift prints the changes of a model, in order: terms added or forgotten, and labels, rules and hierarchy
// edges added or removed. The error wraps ErrInput if there is no log.
func Drift(ctx context.Context, con *console.Console, dir, wordNet string, opts DriftOptions) error {
	wanted, err := opts.filter()
	if err != nil {
		return err
	}
	m, at, err := Open(dir, wordNet)
	if err != nil {
		return err
	}
	path := filepath.Join(at, stream.DriftFile)
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s: the model has no log of changes, no %s beside it (%w)", console.Relative(at), stream.DriftFile, orbweaver.ErrInput)
	}
	defer f.Close()
	out := bufio.NewWriterSize(con.Out, 64<<10)
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 0, maxChange), maxChange)
	for n := 1; in.Scan(); n++ {
		var c labels.Change
		if ctx.Err() != nil {
			return console.ErrInterrupted
		}
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return errors.Join(fmt.Errorf("%s:%d: %w (%w)", path, n, err, orbweaver.ErrInput), out.Flush())
		}
		switch {
		case c.Item > m.Labels.Items() || !wanted(c): // written after the last commit
		case opts.JSON:
			_, _ = out.Write(append(in.Bytes(), '\n'))
		default:
			printChange(out, m, c)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrInput)
	}
	return out.Flush()
}

// filter returns the predicate that selects the wanted changes.
func (o DriftOptions) filter() (func(labels.Change) bool, error) {
	var from int64
	var since time.Time
	if o.Since != "" {
		n, err := strconv.ParseInt(o.Since, 10, 64)
		at, isDate := dateOf(o.Since)
		switch {
		case err == nil:
			from = n
		case isDate:
			since = at
		default:
			return nil, fmt.Errorf("--since %s: neither the number of an item nor a date, as in 1987-06-01 (%w)", o.Since, orbweaver.ErrInput)
		}
	}
	return func(c labels.Change) bool {
		ofKind := c.Kind == o.Kind || o.Kind == "" && c.Kind != labels.OfTerm
		return ofKind && c.Item >= from && !c.At.Before(since)
	}, nil
}

// printChange prints a change for people.
func printChange(w io.Writer, m *stream.Model, c labels.Change) {
	when := fmt.Sprintf("%8d", c.Item)
	if !c.At.IsZero() {
		when += c.At.Format("  2006-01-02")
	}
	console.Say(w, "%s  %-7s  %s", when, c.Kind, tellChange(m, c))
}

// tellChange says a change in words.
func tellChange(m *stream.Model, c labels.Change) string {
	subject, object := console.Visible(m.Show(c.Subject), 60), console.Visible(m.Show(c.Object), 60)
	came := "comes"
	if c.New == "" {
		came = "goes"
	}
	switch c.Kind {
	case labels.OfLabel:
		return fmt.Sprintf("%s %s, with %d rules", subject, came, c.Rules)
	case labels.OfRule:
		if c.Old != "" && c.New != "" {
			came = "was " + c.Old
		}
		return fmt.Sprintf("%s → %s (%s, %.2f) %s", object, subject, cmp.Or(c.New, c.Old), c.P, came)
	case labels.OfBroader:
		return fmt.Sprintf("%s < %s (%.2f) %s", subject, object, c.P, came)
	case labels.OfConcept:
		return console.Visible(m.ShowConcept(c), 200)
	case labels.OfAlarm:
		return console.Visible(m.ShowAlarm(c), 500)
	}
	return subject + " " + came
}
