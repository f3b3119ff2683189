// Package catalogs does the jobs of orbweaver catalog: it lists, describes and checks the datasets of
// catalogues, which are files or addresses of the Web.
//
// What is wrong with an entry of a catalogue is said in a line on Err, and the rest goes on. What is wrong
// with a list that the user wrote ends the job, as all mistakes in files of theirs do.
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
)

// Catalogs is where a job's words go, and how the Web is reached.
type Catalogs struct {
	Out, Err io.Writer
	In       io.Reader // standard input, for the file "-"; nil: empty
	Terminal bool      // Err is a terminal: progress is redrawn in place
	Client   client.Options
}

// Sources say what is read, and how. The zero value of each but Names stands for what is in brackets.
type Sources struct {
	Names   []string       // files, URLs, or "-"
	Private bool           // addresses of private networks may be reached (no)
	Within  []netip.Prefix // those of these networks may be in any case
	Agent   string         // ("orbweaver")
	Timeout time.Duration  // of one request (30 s for catalogues, 10 s for endpoints)
	Delay   time.Duration  // between two requests to one host, from the end of the one to the start of the other (none)
	Pages   int            // requests to one CKAN (10 000)
	With    []string       // "endpoint", "dump", "void": those that have all of these alone
	Match   string         // those alone in whose names, titles, descriptions or keywords all of these words are
}

// With are the words for Sources.With.
func With() []string { return []string{"endpoint", "dump", "void"} }

const (
	agent        = "orbweaver"
	documentTime = 30 * time.Second
	endpointTime = 10 * time.Second
	shown        = 20 // problems of one catalogue that are told
)

// connect makes a client that asks nothing private unless it may.
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

// Gather reads all sources and makes one dataset of those that are the same, more being datasets that are
// known besides. What is wrong with an entry is said on Err, and so is what cannot be read of several
// sources; the error for a list with mistakes, or when nothing could be read, wraps ErrInput.
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

// merge makes one dataset of those that are the same.
func (c *Catalogs) merge(all []catalog.Dataset) []catalog.Dataset {
	merged, conflicts := catalog.Merge(all...)
	for _, err := range conflicts {
		c.warn(err)
	}
	return merged
}

// load reads all sources and makes one dataset of those that are the same. Of a source that cannot be
// read that is said, and it is an error only where nothing else was read.
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

// errMistakes marks a list that its user has to mend.
var errMistakes = errors.New("mistakes")

// source reads one source.
func (c *Catalogs) source(ctx context.Context, web *documents, name string, s Sources) ([]catalog.Dataset, error) {
	if catalog.IsCKAN(name) && isAddress(name) {
		return c.pages(ctx, web, name, s)
	}
	read, err := c.read(ctx, web, name)
	if errors.Is(err, catalog.ErrPage) && isAddress(name) { // of a CKAN, maybe, as people know its address
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

// action is the address of the action API of a CKAN's site.
func action(site string) string {
	at, _, _ := strings.Cut(site, "?")
	at, _, _ = strings.Cut(at, "#")
	return strings.TrimRight(at, "/") + "/api/3/action/package_search"
}

// mistaken joins the problems of a list, a line each.
func mistaken(problems []error) error { return mistakes(problems) }

type mistakes []error

func (m mistakes) Error() string        { return errors.Join(m...).Error() }
func (m mistakes) Is(target error) bool { return target == errMistakes }

// besides makes paths of a list paths from here.
func besides(datasets []catalog.Dataset, folder string) {
	for i := range datasets {
		for j, dump := range datasets[i].Dumps {
			if !isAddress(dump.URL) && !filepath.IsAbs(dump.URL) {
				datasets[i].Dumps[j].URL = filepath.Join(folder, dump.URL)
			}
		}
	}
}

// problems tells those of a catalogue, not all where they are many.
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

// chosen are the datasets that are wanted.
func chosen(all []catalog.Dataset, s Sources) []catalog.Dataset {
	words := strings.Fields(strings.ToLower(s.Match))
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
	text := strings.ToLower(strings.Join(slices.Concat([]string{d.Name, d.Title, d.Description}, d.Aliases, d.Keywords), "\n"))
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// say writes a line.
func say(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// visible is a text on one line, of n characters at most, without what does things to a terminal.
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
