package blend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	focus "orbweaver/focus/blend"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// An instance is the focus of one crawl: the instances of the parts, each with a folder of its own within the crawl
// folder.
type instance struct {
	section *section
	parts   []kind.Instance
	envs    []*kind.Env // of the parts
	focus   orbweaver.Focus
}

// partsFolder is the folder, within the crawl folder, of the parts' folders.
const partsFolder = "parts"

// folderOf returns the folder of a part; that of no crawl is empty.
func folderOf(folder, part string) string {
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, partsFolder, part)
}

// update brings the environment of a part up to date.
func (in *instance) update(env *kind.Env, i int) {
	p, own := in.section.Parts[i], in.envs[i]
	*own = *env
	own.Folder = folderOf(env.Folder, p.Name)
	if env.File != nil {
		file := *env.File
		file.Focus, file.Output = p.Focus, folderOf(env.File.Output, p.Name)
		own.File = &file
	}
}

// each calls do for each part with its environment, brought up to date. It joins their errors.
func (in *instance) each(env *kind.Env, do func(p kind.Instance, own *kind.Env) error) error {
	var problems []error
	for i, p := range in.parts {
		in.update(env, i)
		if err := do(p, in.envs[i]); err != nil {
			problems = append(problems, fmt.Errorf("part %s: %w", in.section.Parts[i].Name, err))
		}
	}
	return errors.Join(problems...)
}

// build joins the parts once all are built.
func (in *instance) build() (err error) {
	var focuses []orbweaver.Focus
	for _, p := range in.parts {
		f := p.Focus()
		if f == nil {
			return nil
		}
		focuses = append(focuses, f)
	}
	if in.focus == nil {
		if in.focus, err = focus.New(in.section.options(focuses)); err != nil {
			in.focus, err = nil, kind.Below("focus.blend.", err)
		}
	}
	return err
}

// Focus is the blend.
func (in *instance) Focus() orbweaver.Focus { return in.focus }

// Look builds what needs the crawl's web or truth.
func (in *instance) Look(ctx context.Context, env *kind.Env) error {
	err := in.each(env, func(p kind.Instance, own *kind.Env) error { return p.Look(ctx, own) })
	if err != nil {
		return err
	}
	return in.build()
}

// Reach connects the services of the parts.
func (in *instance) Reach(via wire.Wire, private crawlfile.Private) error {
	for _, p := range in.parts {
		if err := p.Reach(via, private); err != nil {
			return err
		}
	}
	return nil
}

// Settle builds the other parts.
func (in *instance) Settle(ctx context.Context, env *kind.Env) error {
	err := in.each(env, func(p kind.Instance, own *kind.Env) error { return p.Settle(ctx, own) })
	if err != nil {
		return err
	}
	return in.build()
}

// Open makes the folders of the parts.
func (in *instance) Open(env *kind.Env) error {
	return in.each(env, func(p kind.Instance, own *kind.Env) error {
		if err := os.MkdirAll(own.File.Output, 0o777); err != nil {
			return err
		}
		return p.Open(own)
	})
}

// Web adds what the parts answer themselves.
func (in *instance) Web(web pipeline.Fetcher) pipeline.Fetcher {
	for _, p := range in.parts {
		web = p.Web(web)
	}
	return web
}

// Begin starts a session of each part.
func (in *instance) Begin(env *kind.Env, begun bool) error {
	return in.each(env, func(p kind.Instance, own *kind.Env) error { return p.Begin(own, begun) })
}

// Observe shows each part the outcome of the blend.
func (in *instance) Observe(o orbweaver.Outcome) {
	for _, p := range in.parts {
		p.Observe(o)
	}
}

// End ends the session of each part.
func (in *instance) End(ctx context.Context, env *kind.Env, l *ledger.Ledger, failed error) error {
	return in.each(env, func(p kind.Instance, own *kind.Env) error { return p.End(ctx, own, l, failed) })
}

// View joins what the parts found.
func (in *instance) View(env *kind.Env, l *ledger.Ledger, running bool) (kind.View, error) {
	var views []kind.View
	err := in.each(env, func(p kind.Instance, own *kind.Env) error {
		v, err := p.View(own, l, running)
		views = append(views, v)
		return err
	})
	if err != nil {
		return kind.View{}, err
	}
	return in.section.joined(views), nil
}

// joined joins the views of the parts.
func (s *section) joined(views []kind.View) (all kind.View) {
	keeps, prints := false, false
	for i, v := range views {
		for _, w := range v.Warnings {
			all.Warnings = append(all.Warnings, s.Parts[i].Name+": "+w)
		}
		all.Rounds = append(all.Rounds, v.Rounds...)
		all.Results += v.Results
		keeps, prints = keeps || v.Keep != nil, prints || v.Print != nil
	}
	all.Facts = func(facts *eval.CrawlFacts) {
		for _, v := range views {
			if v.Facts != nil {
				v.Facts(facts)
			}
		}
	}
	if keeps {
		all.Keep = func(folder string) (err error) {
			for i, v := range views {
				if v.Keep != nil {
					err = errors.Join(err, v.Keep(folderOf(folder, s.Parts[i].Name)))
				}
			}
			return err
		}
	}
	if prints {
		all.Print = func(w io.Writer, folder string) {
			for i, v := range views {
				if v.Print != nil {
					fmt.Fprintf(w, "%s\n", s.Parts[i].Name)
					v.Print(w, folderOf(folder, s.Parts[i].Name))
				}
			}
		}
	}
	return all
}

// Drawn are the seeds that parts drew.
func (in *instance) Drawn() (from string, urls []string) {
	var origins []string
	for _, p := range in.parts {
		if origin, own := p.Drawn(); len(own) > 0 {
			origins, urls = append(origins, origin), append(urls, own...)
		}
	}
	return strings.Join(origins, " and "), urls
}

// Query is that of the first part that has one.
func (in *instance) Query() string {
	for _, p := range in.parts {
		if q := p.Query(); q != "" {
			return q
		}
	}
	return ""
}

// AsBegun reports whether the input of every part is as it was.
func (in *instance) AsBegun(folder string) bool {
	for i, p := range in.parts {
		if !p.AsBegun(folderOf(folder, in.section.Parts[i].Name)) {
			return false
		}
	}
	return true
}

// AcceptFrom returns nil: what is accepted follows from the parts.
func (in *instance) AcceptFrom() *float64 { return nil }

// Topic is what the parts know about a page.
func (in *instance) Topic(ctx context.Context, p *orbweaver.Page) (kind.Topic, error) {
	all := topics{}
	for i, one := range in.parts {
		topic, err := one.Topic(ctx, p)
		if err != nil {
			return nil, err
		}
		if topic != nil {
			all[in.section.Parts[i].Name] = topic
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}

// Accept hands the acceptance of a suggestion to the part that made it.
func (in *instance) Accept(env *kind.Env, v kind.Verdict, s orbweaver.Suggestion) (d kind.Decided, err error) {
	i, id, err := in.concerned(v.ID)
	if err != nil {
		return d, err
	}
	in.update(env, i)
	whole := v.ID
	v.ID, s.ID = id, id
	d, err = in.parts[i].Accept(in.envs[i], v, s)
	d.Decision.ID = whole
	return d, err
}

// concerned returns the part that a suggestion's ID concerns, and the ID there.
func (in *instance) concerned(id string) (part int, own string, err error) {
	router, ok := in.focus.(interface{ Concerned(id string) (int, string) })
	if !ok {
		return -1, "", fmt.Errorf("the blend is not built yet (%w)", orbweaver.ErrInput)
	}
	if part, own = router.Concerned(id); part < 0 {
		return -1, "", fmt.Errorf("no part of the blend takes suggestions: only an ontology does (%w)", orbweaver.ErrInput)
	}
	return part, own, nil
}

// grower returns the part that a suggestion's ID concerns, whose knowledge decisions change.
func (in *instance) grower(id string) (g kind.Grower, part int, own string, err error) {
	if part, own, err = in.concerned(id); err != nil {
		return nil, part, own, err
	}
	g, ok := in.parts[part].(kind.Grower)
	if !ok {
		err = fmt.Errorf("part %s takes no suggestions (%w)", in.section.Parts[part].Name, orbweaver.ErrInput)
	}
	return g, part, own, err
}

// Accepting is the decision of the part that made a suggestion.
func (in *instance) Accepting(v kind.Verdict, s orbweaver.Suggestion) (d orbweaver.Decision, err error) {
	g, _, id, err := in.grower(v.ID)
	if err != nil {
		return d, err
	}
	whole := v.ID
	v.ID, s.ID = id, id
	d, err = g.Accepting(v, s)
	d.ID = whole
	return d, err
}

// Speaking asks the part that made a suggestion.
func (in *instance) Speaking(s orbweaver.Suggestion) (entity, other string, things [][]string) {
	g, _, id, err := in.grower(s.ID)
	if err != nil {
		return "", "", nil
	}
	s.ID = id
	return g.Speaking(s)
}

// Withdraw hands the withdrawal of an accepted suggestion to the part that made it.
func (in *instance) Withdraw(env *kind.Env, d orbweaver.Decision, held []orbweaver.Decision) (w kind.Decided, err error) {
	g, part, _, err := in.grower(d.ID)
	if err != nil {
		return w, err
	}
	in.update(env, part)
	var own []orbweaver.Decision
	for _, o := range held {
		if of, _, err := in.concerned(o.ID); err == nil && of == part {
			own = append(own, o)
		}
	}
	return g.Withdraw(in.envs[part], d, own)
}

// Close closes the parts.
func (in *instance) Close() error {
	var problems []error
	for _, p := range in.parts {
		problems = append(problems, p.Close())
	}
	return errors.Join(problems...)
}
