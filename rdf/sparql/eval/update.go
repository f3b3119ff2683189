package eval

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// Errors that reject an operation of an update.
var (
	ErrNoGraph     = errors.New("no such graph")
	ErrGraphExists = errors.New("the graph exists already")
	ErrNoLoader    = errors.New("LOAD is not configured")
)

// A Store is the target of an update. The caller ensures atomicity: after an error it must undo the changes.
type Store interface {
	// View returns the store with all changes so far; the caller releases it. Its terms stay valid after
	// quads are added and removed; nothing else is read from it then.
	View() (r quads.Reader, release func() error, err error)
	// Add adds a quad. A blank node label from a View denotes that node; any other label denotes a new node,
	// the same one for equal labels.
	Add(q rdf.Quad) error
	// Remove removes a quad if present.
	Remove(q rdf.Quad) error
	// Clear removes all quads of a graph; the zero term is the default graph.
	Clear(graph rdf.Term) error
}

// A Loader reads a document for LOAD. Documents never share blank node labels.
type Loader interface {
	Load(ctx context.Context, iri string) iter.Seq2[rdf.Triple, error]
}

// UpdateOptions configure an update. MaxSteps applies to all operations together and MaxBytes to each;
// MaxRows limits the solutions of each WHERE, the quads it removes and the quads it adds.
type UpdateOptions struct {
	Options
	Loader Loader // nil: LOAD is an error
}

// Update executes the operations of an update in order. The store has no empty graphs: a graph to clear, drop
// or create need not exist, and CREATE has no effect. An error names the failed operation and its position.
// An operation that exceeds a limit other than time has changed nothing.
func Update(ctx context.Context, s Store, u *algebra.Update, opts UpdateOptions) error {
	up := &updater{ctx: ctx, store: s, opts: opts}
	if up.opts.NewBlank == nil {
		up.opts.NewBlank = newLabels()
	}
	for i, op := range u.Operations {
		if err := up.operation(op); err != nil {
			pos := op.At()
			return fmt.Errorf("operation %d (line %d): %w", i+1, pos.Line, err)
		}
	}
	return nil
}

// newLabels returns a generator of unused labels.
func newLabels() func() string {
	var seed [12]byte
	rand.Read(seed[:])
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("u%x-%d", seed, n)
	}
}

// An updater executes one update.
type updater struct {
	ctx   context.Context
	store Store
	opts  UpdateOptions
	steps int64 // of the operations so far
}

func (u *updater) operation(op algebra.Operation) error {
	if err := u.late(); err != nil {
		return err
	}
	switch op := op.(type) {
	case *algebra.InsertData:
		return u.insert(op.Quads)
	case *algebra.DeleteData:
		return u.each(len(op.Quads), func(i int) error { return u.store.Remove(op.Quads[i]) })
	case *algebra.Modify:
		return u.modify(op)
	case *algebra.Clear:
		return u.clear(op.Target)
	case *algebra.Drop:
		return u.clear(op.Target)
	case *algebra.Create:
		return silent(op.Silent, u.create(rdf.NewIRI(op.Graph)))
	case *algebra.Load:
		return silent(op.Silent, u.load(op))
	case *algebra.Transfer:
		return silent(op.Silent, u.transfer(op))
	}
	return nil
}

// late returns the error of an ended context.
func (u *updater) late() error {
	err := u.ctx.Err()
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w", ErrTime, err)
	}
	return err
}

// each calls do for the numbers below n until the context ends.
func (u *updater) each(n int, do func(i int) error) error {
	for i := range n {
		if i%checkEvery == 0 {
			if err := u.late(); err != nil {
				return err
			}
		}
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}

// silent ignores a missing graph if the update is SILENT.
func silent(is bool, err error) error {
	var refused *refusal
	if is && errors.As(err, &refused) {
		return nil
	}
	return err
}

// A refusal is an error that SILENT suppresses. Other errors come from the store or the context.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// insert adds quads with fresh blank nodes.
func (u *updater) insert(list []rdf.Quad) error {
	blanks := map[string]rdf.Term{}
	fresh := func(t rdf.Term) rdf.Term {
		if t.Kind != rdf.Blank {
			return t
		}
		if blanks[t.Value].IsZero() {
			blanks[t.Value] = rdf.NewBlank(u.opts.NewBlank())
		}
		return blanks[t.Value]
	}
	return u.each(len(list), func(i int) error {
		q := list[i]
		q.S, q.O, q.G = fresh(q.S), q.O.Map(fresh), fresh(q.G)
		return u.store.Add(q)
	})
}

// view calls a function with the current store.
func (u *updater) view(f func(quads.Reader) error) error {
	r, release, err := u.store.View()
	if err != nil {
		return err
	}
	return errors.Join(f(r), release())
}

// modify computes the removals and additions of all solutions, then applies them.
func (u *updater) modify(op *algebra.Modify) error {
	return u.view(func(r quads.Reader) error {
		x, root, err := start(u.ctx, r, op.Pattern, op.Vars, setting{base: op.Base, dataset: op.Dataset, with: op.With}, u.opts.Options)
		if err != nil {
			return err
		}
		x.steps = u.steps
		removing, adding := newChanges(x, op.Delete), newChanges(x, op.Insert)
		root.open()
		for n := int64(1); x.step() && root.next(); n++ {
			x.atMost("solutions", n)
			removing.add()
			adding.add()
		}
		u.steps = x.steps
		if err := x.close(); err != nil {
			return err
		}
		if err := removing.apply(u, u.store.Remove); err != nil {
			return err
		}
		return adding.apply(u, u.store.Add)
	})
}

// atMost fails an evaluation if n exceeds the limit of rows.
func (x *execution) atMost(what string, n int64) {
	if x.opts.MaxRows > 0 && n > x.opts.MaxRows {
		x.fail(fmt.Errorf("%w: more than %d %s", ErrRows, x.opts.MaxRows, what))
	}
}

// change calls a function for quads of a closed evaluation. It decodes one quad at a time, since all terms
// together could exceed the memory limit.
func (u *updater) change(x *execution, n int, at func(i int) []quads.ID, do func(rdf.Quad) error) error {
	err := u.each(n, func(i int) error {
		ids := at(i)
		q := rdf.Quad{S: x.term(ids[0]), P: x.term(ids[1]), O: x.term(ids[2]), G: x.term(ids[3])}
		if x.err != nil {
			return x.err
		}
		return do(q)
	})
	return errors.Join(err, x.close()) // of the decoding cursor
}

// changes are the distinct quads of a template.
type changes struct {
	template
	seen rowTable
}

func newChanges(x *execution, list []algebra.Quad) *changes {
	c := &changes{template: template{x: x}, seen: rowTable{x: x, width: 4, key: all(4)}}
	for _, q := range list {
		c.template.add(q)
	}
	return c
}

// add adds the quads of the solution in the registers.
func (c *changes) add() {
	for q := range c.quads() {
		row := [...]quads.ID{q.S, q.P, q.O, q.G}
		if c.seen.put(row[:]) {
			c.x.atMost("quads", int64(c.seen.rows))
		}
	}
}

// apply calls a function for each quad.
func (c *changes) apply(u *updater, do func(rdf.Quad) error) error {
	return u.change(c.x, c.seen.rows, func(i int) []quads.ID { return c.seen.row(int32(i)) }, do)
}

// named returns the named graphs that are not empty.
func (u *updater) named() (out []rdf.Term, err error) {
	err = u.view(func(r quads.Reader) error {
		for id, ok, err := r.NextGraph(quads.Default); ok || err != nil; id, ok, err = r.NextGraph(id) {
			if err != nil {
				return err
			}
			t, err := r.Term(id)
			if err != nil {
				return err
			}
			if len(out)%checkEvery == 0 && u.late() != nil {
				return u.late()
			}
			out = append(out, t)
		}
		return nil
	})
	return out, err
}

func (u *updater) clear(target algebra.Target) error {
	var graphs []rdf.Term
	if target.Kind == algebra.NamedGraphs || target.Kind == algebra.AllGraphs {
		var err error
		if graphs, err = u.named(); err != nil {
			return err
		}
	}
	switch target.Kind {
	case algebra.DefaultGraph, algebra.AllGraphs:
		graphs = append(graphs, rdf.Term{})
	case algebra.OneGraph:
		graphs = append(graphs, graphOf(target))
	}
	return u.each(len(graphs), func(i int) error { return u.store.Clear(graphs[i]) })
}

// has reports whether a graph exists.
func (u *updater) has(graph rdf.Term) (found bool, err error) {
	if graph.IsZero() {
		return true, nil
	}
	err = u.view(func(r quads.Reader) error {
		id, ok, err := r.Lookup(graph)
		if err != nil || !ok {
			return err
		}
		next, ok, err := r.NextGraph(id - 1)
		found = ok && next == id
		return err
	})
	return found, err
}

func (u *updater) create(graph rdf.Term) error {
	found, err := u.has(graph)
	if err == nil && found {
		return &refusal{fmt.Errorf("create <%s>: %w", graph.Value, ErrGraphExists)}
	}
	return err
}

// quadBytes is the size of a decoded quad without its strings.
const quadBytes = 256

func (u *updater) load(op *algebra.Load) error {
	if u.opts.Loader == nil {
		return &refusal{fmt.Errorf("load <%s>: %w", op.Source, ErrNoLoader)}
	}
	graph := graphOf(op.Into)
	var list []rdf.Quad // a document that ends in an error adds nothing
	bytes := int64(0)
	for t, err := range u.opts.Loader.Load(u.ctx, op.Source) {
		if err != nil {
			return &refusal{fmt.Errorf("load <%s>: %w", op.Source, err)}
		}
		if bytes += quadBytes + int64(len(t.S.Value)+len(t.P.Value)+len(t.O.Value)); u.opts.MaxBytes > 0 && bytes > u.opts.MaxBytes {
			return fmt.Errorf("load <%s>: %w: more than %d bytes", op.Source, ErrMemory, u.opts.MaxBytes)
		}
		list = append(list, rdf.Quad{S: t.S, P: t.P, O: t.O, G: graph})
	}
	return u.insert(list)
}

// transfer does ADD, MOVE and COPY. A transfer from a graph to itself does nothing.
func (u *updater) transfer(op *algebra.Transfer) error {
	from, to := graphOf(op.From), graphOf(op.To)
	found, err := u.has(from)
	switch {
	case err != nil:
		return err
	case !found:
		return &refusal{fmt.Errorf("graph <%s>: %w", from.Value, ErrNoGraph)}
	case from == to:
		return nil
	}
	if err = u.copy(from, to, op.Kind != algebra.Add); err == nil && op.Kind == algebra.Move {
		err = u.store.Clear(from)
	}
	return err
}

// copy adds the quads of a graph to another, which may be cleared first.
func (u *updater) copy(from, to rdf.Term, clear bool) error {
	return u.view(func(r quads.Reader) error {
		x := newExecution(u.ctx, r, "", u.opts.Options)
		x.steps = u.steps
		list := x.quadsOf(x.id(from), x.id(to))
		u.steps = x.steps
		if err := x.close(); err != nil {
			return err
		}
		if clear {
			if err := u.store.Clear(to); err != nil {
				return err
			}
		}
		return u.change(x, len(list)/4, func(i int) []quads.ID { return list[4*i:] }, u.store.Add)
	})
}

// graphOf returns a graph's term, the zero term for the default graph.
func graphOf(t algebra.Target) rdf.Term {
	if t.Kind == algebra.DefaultGraph {
		return rdf.Term{}
	}
	return rdf.NewIRI(t.IRI)
}

// quadsOf returns the quads of a graph, moved to another graph, as four IDs each.
func (x *execution) quadsOf(from, to quads.ID) (out []quads.ID) {
	c := x.cursor()
	c.Seek(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: from})
	for c.Next() && x.step() {
		q := c.Quad()
		x.keep(4 * 8)
		out = append(out, q.S, q.P, q.O, to)
	}
	if err := c.Err(); err != nil {
		x.fail(err)
	}
	return out
}
