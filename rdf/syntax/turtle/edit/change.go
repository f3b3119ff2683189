package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// A Change removes and adds statements.
type Change struct{ Remove, Add []rdf.Triple }

// Apply returns a content of Turtle or N-Triples with a change. All that the change does not concern stays byte for byte, and no comment is
// lost. Statements to remove that are not there, and to add that are, change nothing.
//
// A statement to add takes the place of one to remove with the same subject and predicate. Else it is written at the end of the subject's
// last description or, if the content has none, at the end, as Append does. Blank nodes to remove have the labels of Read; those to add
// have labels of their own, or those of Read.
//
// The error is a *syntax.Error for a malformed content. It wraps ErrBlank if a blank node loses the statement that it is written in and
// keeps statements of its own, or if a new statement refers to one without a label, and ErrUnsure if the new content would not read back
// as meant.
func Apply(name string, content []byte, c Change) ([]byte, error) {
	d := document{format: formatOf(name, content), name: name, base: fileURL(name), content: content}
	s, err := readShape(d)
	if err != nil {
		return nil, err
	}
	e := &editor{shape: s, remove: map[rdf.Triple]bool{}, adds: map[rdf.Term][]rdf.Triple{}}
	if !e.take(c) {
		return content, nil
	}
	if err := e.edit(); err != nil {
		return nil, fmt.Errorf("edit %s: %w", name, err)
	}
	next := e.result()
	now := document{format: d.format, name: name, base: d.base, content: next}
	if err := now.read(); err != nil {
		return nil, fmt.Errorf("edit %s: %w: %w", name, ErrUnsure, err)
	}
	if !same(e.meant(), now.triples) {
		return nil, fmt.Errorf("edit %s: %w", name, ErrUnsure)
	}
	return next, nil
}

// formatOf is Turtle, or N-Triples, which is Turtle too.
func formatOf(name string, content []byte) syntax.Format {
	if f := syntax.Detect(name, "", content[:min(len(content), sniffed)]); f == syntax.NTriples {
		return f
	}
	return syntax.Turtle
}

// An editor makes the edits of one change.
type editor struct {
	*shape
	remove map[rdf.Triple]bool
	order  []rdf.Term                // subjects of new statements, as they come
	adds   map[rdf.Term][]rdf.Triple // new statements by subject; those that are written leave it
	labels map[string]string         // of new blank nodes, as written
	uses   map[rdf.Term]int          // of new blank nodes as objects
	cuts   []cut
	wanted map[rdf.Term][]rdf.Triple // all new statements by subject

	nodes   map[string]bool // labels of the content's blank nodes
	written map[string]bool // those that stand in the content
	scopes  map[int]*turtle.Scope
}

// A cut replaces a part of the content.
type cut struct {
	start, end int
	text       string
}

// take sorts a change, and reports whether anything is left to do.
func (e *editor) take(c Change) bool {
	added := map[rdf.Triple]bool{}
	for _, t := range c.Add {
		added[t] = true
	}
	for _, t := range c.Remove {
		if e.triples[t] && !added[t] {
			e.remove[t] = true
		}
	}
	var fresh []rdf.Triple
	for _, t := range c.Add {
		if added[t] && !e.triples[t] {
			delete(added, t)
			fresh = append(fresh, t)
		}
	}
	if len(e.remove)+len(fresh) == 0 {
		return false
	}
	e.uses = map[rdf.Term]int{}
	for _, t := range e.uproot(fresh) {
		if len(e.adds[t.S]) == 0 {
			e.order = append(e.order, t.S)
		}
		e.adds[t.S] = append(e.adds[t.S], t)
		if t.O.Kind == rdf.Blank {
			e.uses[t.O]++
		}
	}
	return true
}

// meant is the statements that the new content is to have.
func (e *editor) meant() map[rdf.Triple]bool {
	all := make(map[rdf.Triple]bool, len(e.triples))
	for t := range e.triples {
		if !e.remove[t] {
			all[t] = true
		}
	}
	for _, s := range e.order {
		for _, t := range e.wanted[s] {
			all[t] = true
		}
	}
	return all
}

// edit plans all cuts.
func (e *editor) edit() error {
	e.wanted = map[rdf.Term][]rdf.Triple{}
	for s, all := range e.adds {
		e.wanted[s] = slices.Clone(all)
	}
	if err := e.name(); err != nil {
		return err
	}
	if err := e.mark(); err != nil {
		return err
	}
	if err := e.replace(); err != nil {
		return err
	}
	last := map[rdf.Term]*clause{}
	if e.format != syntax.NTriples {
		for _, c := range e.clauses {
			if !c.subject.IsZero() {
				last[c.subject] = c
			}
		}
	}
	for _, c := range e.clauses {
		if !c.nested {
			if err := e.clause(c, last); err != nil {
				return err
			}
		}
	}
	return e.rest()
}

// mark marks the objects that go.
func (e *editor) mark() error {
	covered := map[rdf.Triple]bool{}
	for t := range e.remove {
		for _, at := range e.places[t] {
			o := &at.clause.preds[at.pred].objects[at.obj]
			o.gone = true
			for _, in := range e.all[o.from:o.to] {
				if !e.remove[in] {
					return fmt.Errorf("%w: what %s leads to has statements that stay", ErrBlank, e.all[o.triple].P.Value)
				}
				covered[in] = true
			}
			covered[t] = true
		}
	}
	for t := range e.remove {
		if !covered[t] {
			return fmt.Errorf("%w: a part of a collection cannot go by itself", ErrUnsure)
		}
	}
	return nil
}

// replace writes new statements in the place of those that go with the same subject and predicate.
func (e *editor) replace() error {
	for _, c := range e.clauses {
		w, err := e.writer(c)
		for i := range c.preds {
			for k := range c.preds[i].objects {
				o := &c.preds[i].objects[k]
				if !o.gone {
					continue
				}
				t := e.all[o.triple]
				n := slices.IndexFunc(e.adds[t.S], func(a rdf.Triple) bool { return a.P == t.P })
				if n < 0 {
					continue
				}
				if err != nil {
					return err
				}
				if o.instead, err = e.text(w, e.adds[t.S][n].O); err != nil {
					return err
				}
				e.adds[t.S] = slices.Delete(e.adds[t.S], n, n+1)
				o.gone = false
			}
		}
	}
	return nil
}

// writer returns a writer in the scope of a clause.
func (e *editor) writer(c *clause) (*writer, error) {
	end := lineEnd(e.content)
	if e.format == syntax.NTriples {
		return &writer{end: end, scope: &turtle.Scope{}}, nil
	}
	scope, err := e.scopeAt(c)
	return &writer{end: end, scope: scope}, err
}

// scopeAt returns the prefixes and the base in effect at a clause.
func (e *editor) scopeAt(c *clause) (*turtle.Scope, error) {
	if c.directives == e.clauses[len(e.clauses)-1].directives && e.trailing == 0 {
		return &e.scope, nil
	}
	if scope, ok := e.scopes[c.directives]; ok {
		return scope, nil
	}
	scope := &turtle.Scope{}
	opts := syntax.Options{Name: e.document.name, Base: e.base, MaxToken: max(len(e.content), syntax.DefaultMaxToken)}
	for _, err := range turtle.ReadScoped(bytes.NewReader(e.content[:c.top.start]), opts, scope) {
		if err != nil {
			return nil, err
		}
	}
	if e.scopes == nil {
		e.scopes = map[int]*turtle.Scope{}
	}
	e.scopes[c.directives] = scope
	return scope, nil
}

// result is the content with all cuts.
func (e *editor) result() []byte {
	order.Stably(e.cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	var b bytes.Buffer
	at := 0
	for _, c := range e.cuts {
		if c.start > at {
			b.Write(e.content[at:c.start])
		}
		b.WriteString(c.text)
		at = max(at, c.end)
	}
	b.Write(e.content[at:])
	return b.Bytes()
}

func (e *editor) cut(start, end int, text string) { e.cuts = append(e.cuts, cut{start, end, text}) }

// clause plans what changes within a clause.
func (e *editor) clause(c *clause, last map[rdf.Term]*clause) error {
	var adds []rdf.Triple
	if last[c.subject] == c {
		adds = e.adds[c.subject]
		delete(e.adds, c.subject)
	}
	for _, in := range c.inner {
		if err := e.clause(in, last); err != nil {
			return err
		}
	}
	stays := -1 // the last predicate that stays
	touched := len(adds) > 0
	for i := range c.preds {
		for k := range c.preds[i].objects {
			o := &c.preds[i].objects[k]
			switch {
			case o.gone:
				touched = true
				continue
			case o.instead != "":
				e.cut(o.start, o.end, o.instead+e.kept(o.start, o.end))
			default:
				for _, in := range o.inner {
					if err := e.clause(in, last); err != nil {
						return err
					}
				}
			}
			stays = i
		}
	}
	switch {
	case !touched:
		return nil
	case stays < 0 && len(adds) == 0:
		e.vanish(c)
		return nil
	}
	w, err := e.writer(c)
	if err != nil {
		return err
	}
	if stays < 0 {
		return e.afresh(c, w, adds)
	}
	left, err := e.lists(c, w, adds)
	if err != nil {
		return err
	}
	e.drop(c)
	return e.extend(c, w, stays, left)
}

// lists adds objects to predicates that stay, and returns the statements of other predicates.
func (e *editor) lists(c *clause, w *writer, adds []rdf.Triple) (left []rdf.Triple, err error) {
	for _, t := range adds {
		i := len(c.preds) - 1
		for ; i >= 0; i-- {
			p := c.preds[i]
			if e.all[p.objects[0].triple].P == t.P && slices.ContainsFunc(p.objects, func(o object) bool { return !o.gone }) {
				break
			}
		}
		if i < 0 {
			left = append(left, t)
			continue
		}
		text, err := e.text(w, t.O)
		if err != nil {
			return nil, err
		}
		p := c.preds[i]
		at := 0
		for _, o := range p.objects {
			if !o.gone {
				at = o.end
			}
		}
		between := ", "
		if n := len(p.objects); n > 1 {
			between = e.between(p.objects[n-2].end, p.objects[n-1].start, between)
		}
		e.cut(at, at, between+text)
	}
	return left, nil
}

// between is how two parts are written apart; usual if that has a comment.
func (e *editor) between(from, to int, usual string) string {
	text := string(e.content[from:to])
	if strings.ContainsAny(text, "#") {
		return usual
	}
	return text
}

// drop cuts the predicates and objects of a clause of which some stay.
func (e *editor) drop(c *clause) {
	before := -1 // the last predicate before that stays
	for i, p := range c.preds {
		kept := slices.ContainsFunc(p.objects, func(o object) bool { return !o.gone })
		switch {
		case kept:
			e.dropObjects(p)
			before = i
		case before >= 0:
			e.clear(c.preds[i-1].last(), p.last())
		default:
			e.clear(p.start, c.preds[i+1].start)
		}
	}
}

// dropObjects cuts objects of a predicate of which some stay.
func (e *editor) dropObjects(p pred) {
	kept := false
	for k, o := range p.objects {
		switch {
		case !o.gone:
			kept = true
		case kept:
			e.clear(p.objects[k-1].end, o.end)
		default:
			e.clear(o.start, p.objects[k+1].start)
		}
	}
}

// kept are the comments of a part whose text is replaced.
func (e *editor) kept(start, end int) (text string) {
	for _, comment := range comments(e.content[start:end]) {
		text += " " + comment + lineEnd(e.content) + e.indent(start)
	}
	return text
}

// clear cuts a part of a clause but for its comments.
func (e *editor) clear(start, end int) {
	text := ""
	for i, c := range comments(e.content[start:end]) {
		if i > 0 || start > 0 && !blankByte(e.content[start-1]) {
			text += " "
		}
		text += c + lineEnd(e.content) + e.indent(start)
	}
	e.cut(start, end, text)
}

func blankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// indent is the white space that the line of an offset begins with.
func (e *editor) indent(at int) string {
	line := e.content[bytes.LastIndexByte(e.content[:at], '\n')+1:]
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return string(line[:n])
}

// extend adds predicates behind the last that stays.
func (e *editor) extend(c *clause, w *writer, stays int, adds []rdf.Triple) error {
	if len(adds) == 0 {
		return nil
	}
	at := 0
	for _, o := range c.preds[stays].objects {
		if !o.gone {
			at = o.end
		}
	}
	between := " ;" + w.end + e.indent(c.start) + "    "
	if c.nested {
		between = " ; "
	}
	if n := len(c.preds); n > 1 {
		between = e.between(c.preds[n-2].last(), c.preds[n-1].start, between)
	}
	text, err := e.predicates(w, adds, between)
	if err != nil {
		return err
	}
	e.cut(at, at, between+text)
	return nil
}

// predicates writes predicates and objects of one subject.
func (e *editor) predicates(w *writer, adds []rdf.Triple, between string) (string, error) {
	text, was := "", rdf.Term{}
	for _, t := range adds {
		object, err := e.text(w, t.O)
		if err != nil {
			return "", err
		}
		switch {
		case t.P == was:
			text += ", " + object
			continue
		case text != "":
			text += between
		}
		text += w.verb(t.P) + " " + object
		was = t.P
	}
	return text, nil
}

// afresh writes all predicates of a clause anew.
func (e *editor) afresh(c *clause, w *writer, adds []rdf.Triple) error {
	between := " ;" + w.end + e.indent(c.start) + "    "
	if c.nested {
		between = " ; "
	}
	text, err := e.predicates(w, adds, between)
	if err != nil {
		return err
	}
	start, end := c.preds[0].start, c.preds[len(c.preds)-1].last()
	for _, comment := range comments(e.content[start:end]) {
		text += " " + comment + w.end + e.indent(c.start) + "   "
	}
	e.cut(start, end, text)
	return nil
}

// vanish cuts a clause of which nothing stays.
func (e *editor) vanish(c *clause) {
	switch {
	case c.nested:
		e.clear(c.open, c.end-1)
		return
	case len(c.inner) > 0: // the subject says something by itself
		e.clear(c.open, c.preds[len(c.preds)-1].last())
		return
	}
	start, end := c.start, c.end
	kept := comments(e.content[start:end])
	lineStart := bytes.LastIndexByte(e.content[:start], '\n') + 1
	alone := len(bytes.TrimSpace(bytes.TrimPrefix(e.content[lineStart:start], []byte("\xef\xbb\xbf")))) == 0
	rest := e.content[end:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n+1]
	}
	behind := bytes.TrimSpace(rest)
	eol := lineEnd(e.content)
	text := ""
	for _, comment := range kept {
		text += comment + eol
	}
	switch {
	case alone && len(behind) == 0:
		end += len(rest)
		if text == "" {
			end += e.emptyAfter(lineStart, end)
		}
	case alone && behind[0] == '#':
		end += bytes.IndexByte(rest, '#')
	case text != "":
		text = eol + text
	}
	e.cut(start, end, text)
}

// emptyAfter is the length of the empty line behind a part that stands between empty lines, or at an end of the content.
func (e *editor) emptyAfter(lineStart, end int) int {
	before := e.content[:lineStart]
	empty := len(before) == 0 || bytes.HasSuffix(before, []byte("\n\n")) || bytes.HasSuffix(before, []byte("\n\r\n"))
	after := e.content[end:]
	switch {
	case empty && bytes.HasPrefix(after, []byte("\n")):
		return 1
	case empty && bytes.HasPrefix(after, []byte("\r\n")):
		return 2
	}
	return 0
}
