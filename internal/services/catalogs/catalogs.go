// Package catalogs implements orbweaver catalog: it lists, describes and checks the datasets of
// catalogues, which are files or Web addresses.
//
// A problem in an entry of a catalogue is reported on Err and does not end the job. A mistake in a list
// that the user wrote ends the job, like any mistake in a user's file.
package catalogs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/kb/catalog"
	"orbweaver/text"
)

// Catalogs holds the output of the jobs and their transport.
type Catalogs struct {
	Out, Err io.Writer
	In       io.Reader // standard input, for the file "-"; nil: empty
	Terminal bool      // Err is a terminal: progress is redrawn in place
	Client   client.Options
}

// Sources says what to read and how. A zero field, except Names, selects the default in parentheses.
type Sources struct {
	Names   []string       // files, URLs, or "-"
	Private bool           // private addresses may be reached (no)
	Within  []netip.Prefix // private networks that may always be reached
	Agent   string         // ("orbweaver")
	Timeout time.Duration  // per request (30 s for catalogues, 10 s for endpoints)
	Delay   time.Duration  // between the end of a request and the start of the next to its host (none)
	Pages   int            // requests per CKAN site (10 000)
	With    []string       // keep only datasets that have all of these: "endpoint", "dump", "void"
	Match   string         // keep only datasets with all of these words in name, title, description or keywords
}

// With returns the valid values of Sources.With.
func With() []string { return []string{"endpoint", "dump", "void"} }

const (
	agent        = "orbweaver"
	documentTime = 30 * time.Second
	endpointTime = 10 * time.Second
	shown        = 20 // problems of one catalogue that are reported
)

// connect creates a client that refuses private addresses unless allowed.
func (c *Catalogs) connect(s Sources, usual time.Duration) *client.Client {
	o := c.Client
	o.Guard, o.Timeout = guard.New(s.Private, s.Within), s.Timeout
	if o.Timeout <= 0 {
		o.Timeout = usual
	}
	if o.UserAgent = s.Agent; o.UserAgent == "" {
		o.UserAgent = agent
	}
	return client.New(o)
}

// Gather reads all sources, adds the known datasets more, and merges equal datasets. It reports on Err
// problems of entries and, of several sources, those that cannot be read. The error wraps ErrInput if a
// list has mistakes or nothing could be read.
func (c *Catalogs) Gather(ctx context.Context, s Sources, more ...catalog.Dataset) ([]catalog.Dataset, error) {
	if len(s.Names) == 0 {
		return c.merge(more), nil
	}
	all, err := c.load(ctx, s)
	if err != nil {
		return nil, err
	}
	return c.merge(append(all, more...)), nil
}

// merge merges equal datasets.
func (c *Catalogs) merge(all []catalog.Dataset) []catalog.Dataset {
	merged, conflicts := catalog.Merge(all...)
	for _, err := range conflicts {
		c.warn(err)
	}
	return merged
}

// load reads all sources and merges equal datasets. It reports sources that cannot be read; they are an
// error only if no source was read.
func (c *Catalogs) load(ctx context.Context, s Sources) ([]catalog.Dataset, error) {
	web := &documents{client: c.connect(s, documentTime), delay: s.Delay}
	defer web.client.Close()
	var all []catalog.Dataset
	var failed, mistakes []error
	for _, name := range s.Names {
		found, err := c.source(ctx, web, name, s)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, errMistakes):
			mistakes = append(mistakes, err)
		case err != nil:
			failed = append(failed, err)
		}
		all = append(all, found...)
	}
	if len(mistakes) > 0 || len(failed) == len(s.Names) {
		return nil, fmt.Errorf("%w (%w)", errors.Join(append(mistakes, failed...)...), orbweaver.ErrInput)
	}
	for _, err := range failed {
		c.warn(err)
	}
	return chosen(c.merge(all), s), nil
}

// errMistakes marks a list that its user must correct.
var errMistakes = errors.New("mistakes")

// source reads one source.
func (c *Catalogs) source(ctx context.Context, web *documents, name string, s Sources) ([]catalog.Dataset, error) {
	if catalog.IsCKAN(name) && isAddress(name) {
		return c.pages(ctx, web, name, s)
	}
	read, err := c.read(ctx, web, name)
	if errors.Is(err, catalog.ErrPage) && isAddress(name) { // possibly the site of a CKAN, named by its page
		if found, failed := c.pages(ctx, web, action(name), s); failed == nil && len(found) > 0 {
			return found, nil
		}
	}
	if err != nil {
		return nil, err
	}
	if read.Page.Refused != nil {
		return nil, read.Page.Refused
	}
	if read.Kind == catalog.List && len(read.Problems) > 0 {
		return nil, mistaken(read.Problems)
	}
	if read.Kind == catalog.List && !isAddress(name) && name != "-" {
		besides(read.Datasets, filepath.Dir(name))
	}
	c.problems(read)
	return read.Datasets, nil
}

// action returns the address of a CKAN site's action API.
func action(site string) string {
	at, _, _ := strings.Cut(site, "?")
	at, _, _ = strings.Cut(at, "#")
	return strings.TrimRight(at, "/") + "/api/3/action/package_search"
}

// mistaken joins the problems of a list, one per line.
func mistaken(problems []error) error { return mistakes(problems) }

type mistakes []error

func (m mistakes) Error() string        { return errors.Join(m...).Error() }
func (m mistakes) Is(target error) bool { return target == errMistakes }

// besides resolves a list's relative paths against the list's folder.
func besides(datasets []catalog.Dataset, folder string) {
	for i := range datasets {
		for j, dump := range datasets[i].Dumps {
			if !isAddress(dump.URL) && !filepath.IsAbs(dump.URL) {
				datasets[i].Dumps[j].URL = filepath.Join(folder, dump.URL)
			}
		}
	}
}

// problems reports the first problems of a catalogue, and the number of others.
func (c *Catalogs) problems(read catalog.Catalogue) {
	for i, problem := range read.Problems {
		if i == shown {
			say(c.Err, "warning: and %d more", len(read.Problems)-shown+read.Dropped)
			return
		}
		c.warn(problem)
	}
}

func (c *Catalogs) warn(err error) {
	for line := range strings.Lines(err.Error()) {
		say(c.Err, "warning: %s", visible(line, 400))
	}
}

// chosen returns the datasets that the sources' filters select.
func chosen(all []catalog.Dataset, s Sources) []catalog.Dataset {
	words := strings.Fields(text.Key(s.Match))
	return slices.DeleteFunc(all, func(d catalog.Dataset) bool { return !has(d, s.With) || !speaksOf(d, words) })
}

func has(d catalog.Dataset, with []string) bool {
	for _, what := range with {
		if what == "endpoint" && len(d.Endpoints) == 0 || what == "dump" && len(d.Dumps) == 0 || what == "void" && len(d.Void) == 0 {
			return false
		}
	}
	return true
}

func speaksOf(d catalog.Dataset, words []string) bool {
	said := text.Key(strings.Join(slices.Concat([]string{d.Name, d.Title, d.Description}, d.Aliases, d.Keywords), "\n"))
	for _, word := range words {
		if !strings.Contains(said, word) {
			return false
		}
	}
	return true
}

// say writes a line.
func say(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// visible returns a text on one line, of at most n characters and without terminal controls.
func visible(s string, n int) string {
	var b strings.Builder
	for i, word := range strings.FieldsFunc(s, unicode.IsSpace) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError {
				return unicode.ReplacementChar
			}
			return r
		}, word))
	}
	if r := []rune(b.String()); len(r) > n {
		return string(r[:max(n, 1)-1]) + "…"
	}
	return b.String()
}
