package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// proposalsView is a part of the queue of suggestions of a crawl.
type proposalsView struct {
	Frame
	State, Kind   string
	States, Kinds []facetLink
	Rows          []proposalRow
	Entities      []string // names to choose from
	Others        []string // crawls that may have learned what this one lacks
	By            string   // who decides
	Query         string   // of the list
	Next          string
	None          string // why there is no queue
}

// A proposalRow is a suggestion of the list.
type proposalRow struct {
	crawl.Proposal
	At        int    // position on the page
	What      string // its kind, in words
	Likely    string // what it becomes, if nothing else is chosen
	Source    string // crawl that it is from; empty: this one
	Quotes    []quote
	Support   []Row
	Outcome   string // what was decided, in words
	Open      bool   // it can be accepted, rejected and, unless that is so, postponed
	Postponed bool
	Pair      bool // two entities, without words of their own
	Unnamed   bool // accepted as suggested it needs no words
	Little    bool
}

// A quote is a sentence of a page with its words marked.
type quote struct {
	Title, Path string
	Marked      []Segment
}

// kindNames are the kinds of suggestions in words.
var kindNames = map[string]string{
	orbweaver.SuggestWord: "words", orbweaver.SuggestPair: "a pair without a relation", orbweaver.SuggestLittle: "counts for little", orbweaver.SuggestBroader: "broader elsewhere", orbweaver.SuggestEntity: "an entity elsewhere",
}

// asNames are what a suggestion can become, in order.
var asNames = []Field{
	{orbweaver.AsEntry, "one more name of"}, {orbweaver.AsSubclass, "a class below"}, {orbweaver.AsInstance, "an instance of"}, {orbweaver.AsProperty, "a relation from"}, {orbweaver.AsBroader, "a place of"},
}

// Becomes are what a suggestion can become.
func (proposalsView) Becomes() []Field { return asNames }

// proposals lists what waits for a person's decision, and what was decided.
func (h *Handler) proposals(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := proposalsView{Frame: h.frame(r, "Proposals of "+r.PathValue("crawl")), State: q.Get("state"), Kind: q.Get("kind"), By: whoOf(r), Query: r.URL.RawQuery}
	if !q.Has("state") {
		v.State = crawl.ProposalOpen
	}
	var list crawl.ProposalList
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		list, err = c.Proposals(ctx, crawl.ProposalQuery{State: v.State, Kind: v.Kind, After: q.Get("after"), Limit: pageSize})
		return err
	})
	switch {
	case errors.Is(err, workspace.ErrUnknown):
		return err
	case errors.Is(err, orbweaver.ErrInput):
		v.None = err.Error()
	case err != nil:
		return err
	}
	v.filters(q, list)
	v.rows(list.Proposals)
	if list.Next != "" {
		next := without(q)
		next.Set("after", list.Next)
		v.Next = v.Here + "?" + next.Encode()
	}
	if v.MayWrite {
		all, err := h.Workspace.Crawls(r.Context())
		if err != nil {
			return err
		}
		for _, c := range all {
			if c.ID != v.Crawl && c.Status != nil {
				v.Others = append(v.Others, c.ID)
			}
		}
	}
	return h.show(w, http.StatusOK, "proposals", v)
}

// filters sets the states and the kinds to choose from, with their numbers.
func (v *proposalsView) filters(q url.Values, list crawl.ProposalList) {
	link := func(key, value, name string, n int, chosen bool) facetLink {
		to := without(q, "after", key)
		to.Set(key, value)
		return facetLink{Value: name, Path: v.Here + "?" + to.Encode(), Pages: int64(n), Chosen: chosen}
	}
	for _, s := range []string{crawl.ProposalOpen, crawl.ProposalLater, crawl.ProposalAccepted, crawl.ProposalRejected} {
		v.States = append(v.States, link("state", s, s, list.States[s], v.State == s))
	}
	all := 0
	for _, n := range list.Kinds {
		all += n
	}
	v.Kinds = append(v.Kinds, link("kind", "", "all kinds", all, v.Kind == ""))
	for _, k := range []string{orbweaver.SuggestWord, orbweaver.SuggestEntity, orbweaver.SuggestPair, orbweaver.SuggestBroader, orbweaver.SuggestLittle} {
		if n := list.Kinds[k]; n > 0 || v.Kind == k {
			v.Kinds = append(v.Kinds, link("kind", k, kindNames[k], n, v.Kind == k))
		}
	}
}

// rows sets the rows, and the names of entities in them.
func (v *proposalsView) rows(all []crawl.Proposal) {
	for i, p := range all {
		row := proposalRow{
			Proposal: p, At: i, What: cmp.Or(kindNames[p.Kind], p.Kind), Likely: cmp.Or(p.As, orbweaver.AsEntry), Support: rowsOf(v.Crawl, p.Pages),
			Open: p.State == crawl.ProposalOpen || p.State == crawl.ProposalLater, Postponed: p.State == crawl.ProposalLater,
			Pair: p.Kind == orbweaver.SuggestPair || p.Kind == orbweaver.SuggestBroader, Unnamed: p.Kind == orbweaver.SuggestBroader, Little: p.Kind == orbweaver.SuggestLittle,
		}
		if p.Kind == orbweaver.SuggestPair {
			row.Likely = orbweaver.AsProperty
		}
		if p.From != "" {
			row.Source = filepath.Base(p.From)
		}
		for _, s := range p.Sentences {
			var spans []orbweaver.Span
			for _, at := range s.Spans {
				spans = append(spans, orbweaver.Span{Field: orbweaver.InText, Start: at[0], End: at[1], Rule: "suggested", Name: p.Text})
			}
			row.Quotes = append(row.Quotes, quote{cmp.Or(s.Title, s.URL), pagePath(v.Crawl, s.URL), segments(s.Text, orbweaver.InText, spans)})
		}
		if d := p.Decision; d != nil && p.State != crawl.ProposalOpen {
			row.Outcome = outcomeWords(p, *d)
		}
		for _, name := range []string{p.Name, p.OtherName} {
			if name != "" && !slices.Contains(v.Entities, name) {
				v.Entities = append(v.Entities, name)
			}
		}
		v.Rows = append(v.Rows, row)
	}
	slices.Sort(v.Entities)
}

// outcomeWords says what was decided.
func outcomeWords(p crawl.Proposal, d orbweaver.Decision) string {
	if p.State != crawl.ProposalAccepted {
		return p.State
	}
	i := slices.IndexFunc(asNames, func(f Field) bool { return f.Name == d.As })
	if i < 0 {
		return p.State
	}
	if d.As == orbweaver.AsBroader {
		return fmt.Sprintf("accepted: %s is below %s", local(d.Entity), local(d.Range))
	}
	said := fmt.Sprintf("accepted: %q is %s %s", d.Text, asNames[i].Value, local(d.Entity))
	if d.Range != "" {
		said += " to " + local(d.Range)
	}
	return said
}

// local is the last part of an IRI.
func local(iri string) string {
	trimmed := strings.TrimRight(iri, "#/")
	return trimmed[strings.LastIndexAny(trimmed, "#/")+1:]
}

// decideProposal decides about a suggestion, or undoes what was decided.
func (h *Handler) decideProposal(r *http.Request) (string, Flash, error) {
	form := r.PostForm
	to := crawlPath(r.PathValue("crawl")) + "/proposals"
	if q, err := url.ParseQuery(form.Get("list")); err == nil {
		to += "?" + without(q).Encode()
	}
	if at := form.Get("at"); at != "" && !strings.ContainsAny(at, "?&#/") {
		to += "#p-" + cut(at, 5)
	}
	choice := choiceOf(form)
	choice.By = whoOf(r)
	var done crawl.Decided
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		done, err = c.Decide(ctx, choice)
		return err
	})
	if err != nil {
		return to, Flash{}, err
	}
	said := Flash{Undo: r.URL.Path, Fields: []Field{{"id", choice.ID}, {"do", "undo"}, {"list", form.Get("list")}, {"at", form.Get("at")}}}
	what := cmp.Or(done.Decision.Text, form.Get("words"), choice.ID)
	switch {
	case choice.Accepted:
		said.Text = fmt.Sprintf("%q is accepted: %d statements are in %s. Pages judged from now on are judged by it.", what, done.Written, filepath.Base(done.File))
	case choice.Later:
		said.Text = fmt.Sprintf("%q waits under later.", what)
	case choice.Withdrawn && done.File != "":
		said = Flash{Text: fmt.Sprintf("%q is open again: %d statements have left %s.", what, done.Removed, filepath.Base(done.File))}
	case choice.Withdrawn:
		said = Flash{Text: fmt.Sprintf("%q is open again.", what)}
	default:
		said.Text = fmt.Sprintf("%q is rejected: it is not suggested again.", what)
	}
	return to, said, nil
}

// choiceOf reads what a person chose. An entity that is named as suggested is the one that was.
func choiceOf(form url.Values) crawl.Choice {
	c := crawl.Choice{ID: form.Get("id")}
	switch form.Get("do") {
	case "accept":
		c.Accepted, c.As, c.Text = true, form.Get("as"), strings.TrimSpace(form.Get("text"))
		c.Entity = strings.TrimSpace(form.Get("entity"))
		if c.Entity == form.Get("named") && form.Get("near") != "" {
			c.Entity = form.Get("near")
		}
		if c.As == orbweaver.AsProperty || c.As == orbweaver.AsBroader {
			if c.Range = strings.TrimSpace(form.Get("range")); form.Get("other") != "" && c.Range == form.Get("ranged") {
				c.Range = form.Get("other")
			}
		}
	case "later":
		c.Later = true
	case "undo":
		c.Withdrawn = true
	}
	return c
}

// borrow takes suggestions from another crawl into the queue.
func (h *Handler) borrow(r *http.Request) (string, Flash, error) {
	to, from := crawlPath(r.PathValue("crawl"))+"/proposals", r.PostForm.Get("from")
	n, err := h.Workspace.Borrow(r.Context(), r.PathValue("crawl"), from)
	return to, Flash{Text: fmt.Sprintf("%s has %d suggestions for this crawl: they are behind its own.", from, n)}, err
}

// whoCookie has the name of the person at a browser, as they typed it.
const whoCookie = "who"

// maxWho is the length of that name, in bytes.
const maxWho = 100

// whoOf is the person at a browser.
func whoOf(r *http.Request) string {
	if c, err := r.Cookie(whoCookie); err == nil {
		if name, err := url.QueryUnescape(c.Value); err == nil && shown(name) == name && len(name) <= maxWho && strings.TrimSpace(name) != "" && !strings.ContainsAny(name, "\n\t") {
			return name
		}
	}
	return "the studio"
}

// keepWho keeps the name of the person at a browser, for decisions.
func (h *Handler) keepWho(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	name := strings.Join(strings.Fields(shown(r.PostForm.Get("who"))), " ")
	to := crawlPath(r.PathValue("crawl")) + "/proposals"
	if len(name) > maxWho {
		leave(w, r, to, Flash{Text: fmt.Sprintf("A name has at most %d bytes.", maxWho), Bad: true})
		return nil
	}
	http.SetCookie(w, &http.Cookie{
		Name: whoCookie, Value: url.QueryEscape(name), Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	})
	leave(w, r, to, Flash{Text: "Decisions are recorded under " + cmp.Or(name, "the studio") + "."})
	return nil
}

// effectView says what accepting a suggestion would change.
type effectView struct {
	Frame
	Words, As, Entity string
	Effect            crawl.Effect
	In, Out           []movedRow
	Problem           string
	Accept            []Field // what the form had, to accept it so
}

// A movedRow is a page that an effect brings in or takes out.
type movedRow struct {
	Row
	Was float64
}

// proposalEffect shows what accepting a suggestion would change.
func (h *Handler) proposalEffect(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	form := r.PostForm
	form.Set("do", "accept")
	choice := choiceOf(form)
	v := effectView{Frame: h.frame(r, "What accepting it would change"), Words: cmp.Or(choice.Text, form.Get("words")), Entity: form.Get("entity"), As: choice.As}
	if i := slices.IndexFunc(asNames, func(f Field) bool { return f.Name == choice.As }); i >= 0 {
		v.As = asNames[i].Value
	}
	for _, key := range []string{"id", "do", "as", "text", "entity", "named", "near", "range", "ranged", "other", "words", "list", "at"} {
		v.Accept = append(v.Accept, Field{key, form.Get(key)})
	}
	err := h.use(r, func(ctx context.Context, c *crawl.Crawl) (err error) {
		v.Effect, err = c.ProposalEffect(ctx, choice)
		return err
	})
	switch {
	case errors.Is(err, workspace.ErrUnknown):
		return err
	case errors.Is(err, orbweaver.ErrInput):
		v.Problem = err.Error()
	case err != nil:
		return err
	}
	v.In, v.Out = movedRows(v.Crawl, v.Effect.In), movedRows(v.Crawl, v.Effect.Out)
	return h.show(w, http.StatusOK, "effect", v)
}

func movedRows(id string, all []crawl.EffectPage) (rows []movedRow) {
	for _, p := range all {
		rows = append(rows, movedRow{rowsOf(id, []crawl.Page{p.Line})[0], p.Was})
	}
	return rows
}
