package spotlight

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// Namespace is that of resources which an answer names without one, unless Options say otherwise.
const Namespace = "http://dbpedia.org/resource/"

const (
	usualCalls    = 50
	usualFailures = 5
	usualRest     = 5 * time.Minute
	maxText       = 32 << 20 // bytes of all answers about one text
)

// A Poster posts a body of a media type to r.URL over HTTP, once, asking for r.Accept. The answer comes
// whatever its status, and reading its body obeys the context; errors, of the body too, wrap an
// orbweaver.Failure, or the context's.
type Poster interface {
	Post(ctx context.Context, r orbweaver.Request, mediaType string, body []byte) (*step.Response, error)
}

// Parameters say what a server is to answer with.
type Parameters struct {
	Confidence float64  // 0 to 1: how sure it has to be; its own default is 0.5
	Support    int      // links to a resource in Wikipedia, at least
	Types      []string // as it names them, "DBpedia:Place"; none: all
	Policy     string   // of Types: "whitelist", "blacklist"; empty: whitelist
}

// Options are what a Client goes by.
type Options struct {
	Base string // URL of the interface, "https://api.dbpedia-spotlight.org/en"; with "/annotate" as well
	Parameters
	Namespace string        // see Namespace; empty: that
	Poster    Poster        // nil: offline; a missing answer is ErrNotKept
	Kept      Kept          // nil: nothing is kept
	Calls     int           // blocks of a text that are asked about, kept ones included; 0: 50
	Failures  int           // in a row, after which the server is left alone; 0: 5
	Rest      time.Duration // how long it is; 0: 5 min
}

// A Client asks one server. Any number of goroutines may use it if they may use its Poster and Kept.
type Client struct {
	opt  Options
	slot chan struct{} // holds one thing while the server is asked
	rest rest
}

// New returns a client. The error wraps ErrInput and lists every invalid option.
func New(o Options) (*Client, error) {
	base, err := baseOf(o.Base)
	problems := []error{err}
	complain := func(wrong bool, format string, args ...any) {
		if wrong {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	complain(!(o.Confidence >= 0 && o.Confidence <= 1), "confidence %v is not between 0 and 1", o.Confidence)
	complain(o.Support < 0, "support %d is negative", o.Support)
	complain(!slices.Contains([]string{"", "whitelist", "blacklist"}, o.Policy), "policy %q is neither whitelist nor blacklist", o.Policy)
	complain(slices.ContainsFunc(o.Types, func(t string) bool { return t == "" || strings.ContainsAny(t, ", \t\n") }), "types %q: one is empty, or several", o.Types)
	complain(o.Calls < 0 || o.Failures < 0 || o.Rest < 0, "calls, failures and rest cannot be negative")
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("spotlight: %w: %w", orbweaver.ErrInput, err)
	}
	o.Base = base
	o.Namespace = cmp.Or(o.Namespace, Namespace)
	o.Calls, o.Failures, o.Rest = cmp.Or(o.Calls, usualCalls), cmp.Or(o.Failures, usualFailures), cmp.Or(o.Rest, usualRest)
	return &Client{opt: o, slot: make(chan struct{}, 1), rest: rest{most: o.Failures, length: o.Rest}}, nil
}

// baseOf returns the URL that the names of services are appended to.
func baseOf(raw string) (string, error) {
	canonical, err := weburl.Canonical(raw)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(canonical)
	if err != nil {
		return "", err
	}
	if u.RawQuery != "" || u.ForceQuery || u.User != nil {
		return "", fmt.Errorf("URL %q: parameters, names and passwords have no place in it", u.Redacted())
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(canonical, "/"), "/annotate"), "/"), nil
}

// A Tally is what became of the blocks of a text.
type Tally struct {
	Asked   int // the server was asked
	Kept    int // the answer was known
	Failed  int // there is none, or it could not be kept
	Beyond  int // not asked about, for there were more than Options.Calls before
	Skipped int // resources and surfaces that make no sense, or do not stand where the answer says; left out
}

// A Resource is a place in a text that speaks of a thing, and the thing.
type Resource struct {
	Start, End int      // bytes of the text
	URI        string   // absolute
	Surface    string   // the text from Start to End
	Types      []string // as the server names them, "DBpedia:Place"; nil: none are known
	Support    int      // links to the thing in Wikipedia
	Similarity float64  // 0 to 1
	Second     float64  // 0 to 1: similarity of the second candidate as a share of this one's
}

// Annotate returns what a text speaks of, in the order of Start, End and URI. The error is that of the
// first block without an answer, an *Error, or of an answer that could not be kept, one of Kept; the
// resources of all answers are returned with it. When the context is over, its error comes at once.
func (c *Client) Annotate(ctx context.Context, text string) ([]Resource, Tally, error) {
	var all []Resource
	t, err := c.each(ctx, "annotate", text, func(p place, answer []byte) (skipped int, err error) {
		found, skipped, err := readAnnotation(answer, p)
		all = append(all, found...)
		return skipped, err
	})
	order.Stably(all, func(a, b Resource) int {
		return cmp.Or(a.Start-b.Start, a.End-b.End, strings.Compare(a.URI, b.URI))
	})
	same := func(a, b Resource) bool { return a.Start == b.Start && a.End == b.End && a.URI == b.URI }
	return slices.CompactFunc(all, same), t, err
}

// A Spot is a place in a text that may speak of one of several things.
type Spot struct {
	Start, End int         // bytes of the text
	Surface    string      // the text from Start to End
	Candidates []Candidate // best first, as the server has them; at least one
}

// A Candidate is a thing that a Spot may speak of.
type Candidate struct {
	URI        string // absolute
	Label      string
	Types      []string // as in Resource
	Support    int
	Similarity float64 // 0 to 1: the final score
	Second     float64 // 0 to 1: similarity of the next one as a share of this one's
	Prior      float64 // 0 to 1: its share of all links
	Context    float64 // 0 to 1: how well the words around fit
}

// Candidates returns all that the places of a text may speak of, in the order of Start and End. Errors
// are those of Annotate. The server drops candidates below the confidence.
func (c *Client) Candidates(ctx context.Context, text string) ([]Spot, Tally, error) {
	var all []Spot
	t, err := c.each(ctx, "candidates", text, func(p place, answer []byte) (skipped int, err error) {
		found, skipped, err := readCandidates(answer, p)
		all = append(all, found...)
		return skipped, err
	})
	order.Stably(all, func(a, b Spot) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	return all, t, err
}

// each has a service asked about each block of a text and its answers read.
func (c *Client) each(ctx context.Context, service, text string, read func(p place, answer []byte) (skipped int, err error)) (t Tally, first error) {
	n, room := 0, maxText
	for b := range blocks(text) {
		if n++; n > c.opt.Calls {
			t.Beyond++
			continue
		}
		p := newPlace(text, b, c.opt.Namespace)
		err := c.settle(ctx, c.newCall(service, p.sent), &t, func(answer []byte) error {
			if room -= len(answer); room < 0 {
				return &unread{ErrAboveLimit, "too long an answer after those before", nil}
			}
			skipped, err := read(p, answer)
			t.Skipped += skipped
			return err
		})
		if ctx.Err() != nil {
			return t, fmt.Errorf("spotlight %s: %w", c.opt.Base, ctx.Err())
		}
		if err != nil {
			t.Failed++
			first = cmp.Or(first, err)
		}
	}
	return t, first
}

// form returns the form that a text is posted in. It is the same for the same text and parameters.
func (p Parameters) form(text string) string {
	form := url.Values{
		"text":       {text},
		"confidence": {strconv.FormatFloat(math.Abs(p.Confidence), 'f', -1, 64)}, // no "-0"
		"support":    {strconv.Itoa(p.Support)},
	}
	if len(p.Types) > 0 {
		form.Set("types", strings.Join(p.Types, ","))
	}
	if p.Policy != "" {
		form.Set("policy", p.Policy)
	}
	return form.Encode()
}
