// Package blend joins several focuses into one. Each part judges every page and ranks every link as it would alone, with
// findings, notes, keys and a state of its own; an expression over the parts says which pages are accepted.
//
// Scores of different focuses mean different things. What is combined are therefore chances (package chance): of a page,
// that it is what the part is for; of a link, what following links of that score was worth to the part, by the pages and
// further links that it led to (reach). Pages combine by Gödel's t-norm (and: minimum, or: maximum), so that a page scores one half at least
// exactly when it is accepted; links by the product t-norm (and: a·b, or: a + b - ab), as if the
// parts were independent; not x is 1 - x. With combine: weighted both are the mean of the parts' log odds, by weight. A
// guide ranks links as any other part, and is never true of a page. A part without an opinion of a page is left out of
// the expression there.
//
// This package is not part of the stable API.
package blend

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/focus/chance"
)

// A Part is a focus of a blend.
type Part struct {
	Name   string  // letters, digits, _ and -, at most 40, first a letter
	Weight float64 // above 0
	Guide  bool    // it ranks links, and accepts no page
	Unsure bool    // it is asked only where the other parts leave the verdict open: see Asker
	Focus  orbweaver.Focus
}

// An Asker is a focus that can do without judging a page, as its judgements cost time or money.
type Asker interface {
	// JudgeIf is Judge if ask is true. If not, it returns a judgement without an opinion.
	JudgeIf(ctx context.Context, page *orbweaver.Page, ask bool) (orbweaver.Judgement, error)
}

// An Abstainer is a focus that may have no opinion of a page.
type Abstainer interface {
	// Abstains reports whether a judgement of this focus says nothing about the page.
	Abstains(orbweaver.Judgement) bool
}

// Options configure a blend.
type Options struct {
	Parts   []Part
	Combine string // All, Any, Weighted, or an expression of names, not, and, or, and parentheses
}

// A part is a Part with its optional interfaces and what is known of its scores.
type part struct {
	Part
	prefix string // of its rules and keys
	rules  map[string]string
	faces
	pages chance.Pages
	links links // by what followed links led to
	now   links // as of the latest ranking of all waiting requests
}

// links are what is known of links by a part's scores of them: the chance that they lead to a page that the part accepts,
// and what it is worth to follow them.
type links struct {
	chance chance.Links
	reach  reach
}

// A Focus is a blend. Prepare is safe for concurrent use; all other methods are not.
type Focus struct {
	parts  []*part
	rule   rule
	judged judged
	taught int64 // outcomes that followed links led to
	next   int64 // of these, when all waiting requests are ranked again
}

// A rounds is a blend of which a part works in rounds.
type rounds struct {
	*Focus
	of *part
}

// replayed is a blend whose part that works in rounds can replay them.
type replayed struct {
	*rounds
	replayer
}

// A Problem is what is wrong with a key of the options, such as parts[2].name; parts are counted from 1.
type Problem struct{ Key, Msg string }

// Check returns all problems of options that do not concern the focuses themselves.
func Check(opts Options) []Problem {
	_, problems := check(opts)
	return problems
}

// check returns the rule of options, and their problems.
func check(opts Options) (r rule, problems []Problem) {
	problem := func(key, format string, args ...any) {
		problems = append(problems, Problem{key, fmt.Sprintf(format, args...)})
	}
	if n := len(opts.Parts); n < 2 || n > maxParts {
		problem("parts", "a blend has 2 to %d parts, not %d", maxParts, n)
	}
	for i, p := range opts.Parts {
		key := fmt.Sprintf("parts[%d].", i+1)
		switch {
		case !isName(p.Name):
			problem(key+"name", "%q: a name has letters, digits, _ and -, at most 40, first a letter, and is no word of combine", p.Name)
		case slices.ContainsFunc(opts.Parts[:i], func(other Part) bool { return other.Name == p.Name }):
			problem(key+"name", "there is another part %s", p.Name)
		}
		if !(p.Weight > 0 && p.Weight < 1e6) {
			problem(key+"weight", "%v is not above 0 and below a million", p.Weight)
		}
	}
	if len(problems) > 0 {
		return r, problems
	}
	r, err := parse(opts.Combine, opts.Parts)
	switch {
	case err != nil:
		problem("combine", "%v", err)
	case !r.accepts():
		problem("combine", "accepts no page, whatever the judges say: a guide accepts none")
	}
	return r, problems
}

// isName reports whether a text may name a part.
func isName(s string) bool {
	return utf8.RuneCountInString(s) <= 40 && name.MatchString(s) && !slices.Contains([]string{All, Any, Weighted, "and", "or", "not"}, s)
}

// name is the form of the names of parts, but for their length.
var name = regexp.MustCompile(`^[\pL][\pL\pN_-]*$`)

// New returns a blend; a Rounder if one of its parts is. It reports every problem; each wraps orbweaver.ErrInput.
func New(opts Options) (orbweaver.Focus, error) {
	r, problems := check(opts)
	f := &Focus{next: firstRanking, rule: r}
	var rounder *part
	for i, p := range opts.Parts {
		own := &part{Part: p, prefix: p.Name + "/", rules: map[string]string{}, faces: facesOf(p.Focus)}
		key := fmt.Sprintf("parts[%d]", i+1)
		if own.rounder != nil && rounder != nil {
			problems = append(problems, Problem{key, fmt.Sprintf("%s and %s both work in rounds, and a crawl has one sequence of them: keep one", rounder.Name, p.Name)})
		}
		if own.rounder != nil {
			rounder = own
		}
		if p.Unsure && own.asker == nil {
			problems = append(problems, Problem{key + ".ask", "near-threshold: this focus judges every page at no cost: only external can be asked less often"})
		}
		if teller, ok := p.Focus.(interface{ AskWhenTold() }); ok && p.Unsure {
			teller.AskWhenTold() // and not while pages are read ahead
		}
		f.parts = append(f.parts, own)
	}
	if len(problems) > 0 {
		all := make([]error, len(problems))
		for i, p := range problems {
			all[i] = fmt.Errorf("%s: %s (%w)", p.Key, p.Msg, orbweaver.ErrInput)
		}
		return nil, errors.Join(all...)
	}
	if rounder != nil && rounder.replayer != nil {
		return &replayed{&rounds{f, rounder}, rounder.replayer}, nil
	}
	if rounder != nil {
		return &rounds{f, rounder}, nil
	}
	return f, nil
}

// half is the score from which a page is accepted.
const half = 0.5

// Parts ranges over the focuses that are joined.
func (f *Focus) Parts() iter.Seq[orbweaver.Focus] {
	return func(yield func(orbweaver.Focus) bool) {
		for _, p := range f.parts {
			if !yield(p.Focus) {
				return
			}
		}
	}
}
