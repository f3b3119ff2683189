package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/kb/ontology"
	"orbweaver/server"
)

// A Bench is where suggestions are made and decided: a crawl between two of its steps, or at rest.
type Bench struct {
	c       *assembly.Crawl
	session *engine.Crawl
}

// Suggestions prints what the focus of a crawl, running or not, would have a person decide.
func Suggestions(ctx context.Context, a *job.Job, dir string, asJSON bool) error {
	var list []orbweaver.Suggestion
	err := atBench(ctx, a, dir,
		func(c *server.Client) error { return c.Ask(ctx, http.MethodGet, "/suggestions", nil, &list) },
		func(b *Bench) (err error) {
			list, err = b.Suggestions(ctx)
			return err
		})
	if err != nil {
		return err
	}
	if asJSON {
		encoder := json.NewEncoder(a.Out)
		encoder.SetEscapeHTML(false) // IRIs are to be read
		encoder.SetIndent("", "  ")
		return encoder.Encode(list)
	}
	listSuggestions(a, dir, list)
	return nil
}

// Decide accepts or refuses a suggestion of a crawl, running or not, and prints what follows.
func Decide(ctx context.Context, a *job.Job, dir string, v kind.Verdict) error {
	var d kind.Decided
	err := atBench(ctx, a, dir,
		func(c *server.Client) error { return c.Ask(ctx, http.MethodPost, "/decide", v, &d) },
		func(b *Bench) (err error) {
			d, err = b.decide(ctx, v)
			return err
		})
	if err != nil {
		return err
	}
	if !v.Accepted {
		console.Say(a.Out, "%s is refused; it will not be suggested again.", v.ID)
		return nil
	}
	console.Say(a.Out, "%s is accepted, after %d requests. Statements that %s lacked: %d", v.ID, d.Decision.After, console.Relative(d.File), d.Written)
	for _, q := range d.Decision.Added {
		console.Say(a.Out, "  %s", assembly.Statement(q))
	}
	if strings.HasSuffix(d.File, ".additions.ttl") {
		console.Say(a.Out, "Name %s in the crawl file, after the ontology it adds to, for crawls to come.", console.Relative(d.File))
	}
	return nil
}

// atBench asks the crawl that runs in a folder, or does it where none runs.
func atBench(ctx context.Context, a *job.Job, dir string, ask func(*server.Client) error, do func(*Bench) error) error {
	c, err := reach(dir)
	if err == nil {
		defer c.Close()
		err = ask(c)
	}
	if !errors.Is(err, server.ErrNoCrawl) { // also one that ended while it was asked
		return err
	}
	return AtRest(ctx, a, dir, do)
}

// AtRest opens a crawl that does not run, brings its focus to where it stopped, and does something.
func AtRest(ctx context.Context, a *job.Job, dir string, do func(*Bench) error) (err error) {
	c, err := assembly.Prepare(ctx, assembly.FromFile(a, filepath.Join(dir, crawlfolder.RunFile)), a.Wire)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if err := c.Open(); err != nil {
		return Owned(ctx, c.File.Output, err)
	}
	defer func() { err = errors.Join(err, c.Ledger.Close()) }()
	s, err := c.Assemble()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	session := engine.New(s.Cfg, c.Ledger.Progress())
	if err := session.Recall(ctx); err != nil {
		return err
	}
	return do(&Bench{c, session})
}

// Suggestions are those of the focus.
func (b *Bench) Suggestions(ctx context.Context) ([]orbweaver.Suggestion, error) {
	suggester, ok := kind.Suggester(b.c.Focus.Focus())
	if !ok {
		return nil, fmt.Errorf("%s: a focus of this kind (%s) suggests nothing: only an ontology grows (%w)", b.c.File.Name(), b.c.File.Focus.Key(), orbweaver.ErrInput)
	}
	return suggester.Suggestions(ctx)
}

// decide takes a verdict: what it adds is written to the user's file, then the crawl takes it up. Killed
// in between, the crawl has not decided, and can be told again.
func (b *Bench) decide(ctx context.Context, v kind.Verdict) (d kind.Decided, err error) {
	s, err := b.suggested(ctx, v.ID)
	if err != nil {
		return d, err
	}
	d.Decision = orbweaver.Decision{ID: v.ID, Accepted: v.Accepted}
	if v.Accepted {
		if d, err = b.c.Focus.Accept(b.c.Env, v, s); err != nil {
			return d, err
		}
	}
	d.Decision.After = b.session.Progress().Requests
	if err := b.session.Decide(ctx, d.Decision); err != nil {
		return d, err
	}
	return d, b.c.WriteDecisions()
}

// suggested finds a suggestion by its id.
func (b *Bench) suggested(ctx context.Context, id string) (s orbweaver.Suggestion, err error) {
	list, err := b.Suggestions(ctx)
	if err != nil {
		return s, err
	}
	for _, s := range list {
		if s.ID == id {
			return s, nil
		}
	}
	for d, err := range b.c.Ledger.Decisions() {
		if err != nil {
			return s, err
		}
		if d.ID == id {
			// who asks again may have had no answer, the crawl having been killed before it wrote the file
			return s, errors.Join(fmt.Errorf("%s was decided already, after %d requests: it is %s (%w)", id, d.After, outcomeOf(d), orbweaver.ErrInput), b.c.WriteDecisions())
		}
	}
	return s, fmt.Errorf("%s is none of the %d suggestions of %s: see orbweaver suggestions %s (%w)", id, len(list), b.c.File.Name(), console.Relative(b.c.File.Output), orbweaver.ErrInput)
}

// outcomeOf is what was decided, in a few words.
func outcomeOf(d orbweaver.Decision) string {
	if !d.Accepted {
		return "refused"
	}
	return fmt.Sprintf("accepted as %s, %q", d.As, d.Text)
}

// listSuggestions prints suggestions for people.
func listSuggestions(a *job.Job, dir string, list []orbweaver.Suggestion) {
	if len(list) == 0 {
		console.Say(a.Out, "Nothing to suggest: no word or pair stands often enough on pages about the topic, and more often than on others.")
		return
	}
	console.Say(a.Out, "More often on pages about the topic than on others, near what the ontology knows, and not in it:")
	console.Say(a.Out, "\n  %-10s %-5s %6s %7s %7s  %-28s %s", "id", "kind", "pages", "topic", "others", "word, or pair", "near")
	for _, s := range list {
		count := fmt.Sprint(s.Count)
		if s.Error > 0 {
			count = fmt.Sprintf("%d-%d", s.Count-s.Error, s.Count)
		}
		near := ontology.LocalName(s.Entity)
		if s.Other != "" {
			near += " and " + ontology.LocalName(s.Other)
		}
		console.Say(a.Out, "  %-10s %-5s %6s %5.1f %% %5.1f %%  %-28s %s", s.ID, s.Kind, count, 100*s.On, 100*s.Off, s.Text, near)
	}
	console.Say(a.Out, "\nNext:")
	for _, line := range next(console.Relative(dir), list[0]) {
		console.Say(a.Out, "  %s", line)
	}
}

// next are the commands that decide a suggestion.
func next(dir string, s orbweaver.Suggestion) []string {
	id, entity := dir+" "+s.ID, ontology.LocalName(s.Entity)
	reject := "orbweaver reject " + id
	if s.Kind == orbweaver.SuggestPair {
		return []string{fmt.Sprintf("orbweaver accept %s --as property %s %s --text WORDS", id, entity, ontology.LocalName(s.Other)), reject}
	}
	return []string{
		fmt.Sprintf("orbweaver accept %s --as entry %s      one more word for it", id, entity),
		fmt.Sprintf("orbweaver accept %s --as subclass %s   or instance; or property DOMAIN RANGE", id, entity),
		reject,
	}
}

// SuggestionRoutes answer for a running crawl.
func SuggestionRoutes(t *assembly.Control) []server.Route {
	b := &Bench{t.C, t.Session}
	within := func(w http.ResponseWriter, r *http.Request, do func(context.Context) (any, error)) {
		var value any
		var err error
		if problem := t.Call(r.Context(), func() { value, err = do(r.Context()) }); problem != nil {
			err = problem
		}
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Answer(w, value)
	}
	return []server.Route{
		{Pattern: "GET /suggestions", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			within(w, r, func(ctx context.Context) (any, error) { return b.Suggestions(ctx) })
		})},
		{Pattern: "POST /decide", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var v kind.Verdict
			if err := server.Decode(r, &v); err != nil {
				server.Fail(w, err)
				return
			}
			within(w, r, func(ctx context.Context) (any, error) { return b.decide(ctx, v) })
		})},
	}
}
