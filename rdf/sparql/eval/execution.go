package eval

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strconv"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/plan"
	"orbweaver/rdf/sparql/value"
)

// checkEvery is the number of steps between checks of the context.
const checkEvery = 1024

// Sizes of the cache of decoded terms: initially, and after as many were decoded, since most queries decode
// few.
const (
	cachedFirst = 32
	cached      = 1024
)

// An execution is one evaluation: registers, limits, and computed terms.
type execution struct {
	ctx    context.Context
	reader quads.Reader
	opts   Options
	plan   *plan.Plan
	reg    []quads.ID
	err    error
	steps  int64
	bytes  int64
	graphs graphs
	seed   uint64 // of hashes

	cursors []quads.Cursor
	decoder quads.Cursor  // of terms; nil until the first
	terms   []value.Value // by ID of the execution
	ids     map[rdf.Term]quads.ID
	cache   []decoded
	missed  int // cache misses
	env     value.Env
	blanks  map[string]string // labels of BNODE(s) in the current solution
	labels  int
	asked   int // requests to services
	stats   map[plan.Node]*measure
}

type decoded struct {
	id    quads.ID
	value value.Value
}

func newExecution(ctx context.Context, r quads.Reader, base string, opts Options) *execution {
	x := &execution{
		ctx: ctx, reader: r, opts: opts,
		ids: map[rdf.Term]quads.ID{}, cache: make([]decoded, cachedFirst), blanks: map[string]string{},
		stats: map[plan.Node]*measure{}, seed: mathrand.Uint64(),
	}
	x.env = value.Env{Now: opts.Now, Base: base, NewBlank: x.blankLabel, Random: opts.Random, NewUUID: opts.NewUUID}
	if x.env.Now.IsZero() {
		x.env.Now = time.Now()
	}
	if x.env.Random == nil {
		x.env.Random = mathrand.Float64
	}
	if x.env.NewUUID == nil {
		x.env.NewUUID = newUUID
	}
	return x
}

// newUUID returns a random UUID (version 4 of RFC 9562).
func newUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// fail ends the evaluation.
func (x *execution) fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

// step counts an examined quad or row; false if the evaluation must end.
func (x *execution) step() bool {
	x.steps++
	if x.steps%checkEvery == 0 {
		x.check()
	}
	return x.err == nil
}

// check lets others have their turn, and checks the limits of time and steps.
func (x *execution) check() {
	if x.opts.Turn != nil {
		if err := x.opts.Turn.Pause(x.steps, x.bytes); err != nil {
			x.fail(err)
		}
	}
	if err := x.ctx.Err(); errors.Is(err, context.DeadlineExceeded) {
		x.fail(fmt.Errorf("%w: %w", ErrTime, err))
	} else if err != nil {
		x.fail(err)
	}
	if x.opts.MaxSteps > 0 && x.steps > x.opts.MaxSteps {
		x.fail(fmt.Errorf("%w: more than %d quads and rows", ErrSteps, x.opts.MaxSteps))
	}
}

// keep counts bytes kept in memory, or released if negative.
func (x *execution) keep(bytes int) {
	x.bytes += int64(bytes)
	if x.opts.MaxBytes > 0 && x.bytes > x.opts.MaxBytes {
		x.fail(fmt.Errorf("%w: more than %d bytes", ErrMemory, x.opts.MaxBytes))
	}
}

// cursor returns a cursor of the store that is closed with the execution.
func (x *execution) cursor() quads.Cursor {
	c := x.reader.Cursor()
	x.cursors = append(x.cursors, c)
	return c
}

func (x *execution) close() error {
	for _, c := range x.cursors {
		if err := c.Close(); err != nil {
			x.fail(err)
		}
	}
	x.cursors, x.decoder = nil, nil
	return x.err
}

// blankLabel returns the label of a new blank node or, for BNODE(s), the solution's label for s.
func (x *execution) blankLabel(name string) string {
	if label, ok := x.blanks[name]; ok && name != "" {
		return label
	}
	label := x.newLabel()
	if name != "" {
		x.blanks[name] = label
	}
	x.own(rdf.NewBlank(label))
	return label
}

func (x *execution) newLabel() string {
	if x.opts.NewBlank != nil {
		return x.opts.NewBlank()
	}
	x.labels++
	return "e" + strconv.Itoa(x.labels)
}

// own gives a term an ID of the execution.
func (x *execution) own(t rdf.Term) quads.ID {
	id := quads.ID(quads.KindLocal)<<60 | quads.ID(len(x.terms))
	x.terms = append(x.terms, value.Of(t))
	x.ids[t] = id
	x.keep(256 + 2*(len(t.Value)+len(t.Datatype)+len(t.Lang)))
	return id
}

// id returns the ID of a term. The store's ID takes precedence: a term has one ID.
func (x *execution) id(t rdf.Term) quads.ID {
	if t.IsZero() {
		return 0
	}
	if id, ok := quads.Inline(t); ok {
		return id
	}
	t = quads.Canonical(t)
	if id, ok := x.ids[t]; ok {
		return id
	}
	id, ok, err := x.reader.Lookup(t)
	if err != nil {
		x.fail(err)
	}
	if ok {
		return id
	}
	return x.own(t)
}

// value returns the value of an ID.
func (x *execution) value(id quads.ID) value.Value {
	switch {
	case id == 0:
		return value.Value{}
	case id.Kind() == quads.KindLocal:
		return x.terms[id&(1<<60-1)]
	case id.Kind() == quads.KindInteger:
		n, _ := id.Integer() // neither formatted nor parsed
		return value.Integer(n)
	}
	c := x.remembered(id)
	if c.id != id {
		if x.missed++; x.missed == cachedFirst {
			x.cache = make([]decoded, cached)
			c = x.remembered(id)
		}
		if x.decoder == nil {
			x.decoder = x.cursor()
		}
		t, err := x.decoder.Term(id)
		if err != nil {
			x.fail(err)
			return value.Value{}
		}
		c.id, c.value = id, value.Of(t)
	}
	return c.value
}

// remembered returns the cache slot of an ID.
func (x *execution) remembered(id quads.ID) *decoded {
	return &x.cache[uint64(id)*0x9e3779b97f4a7c15>>54&uint64(len(x.cache)-1)]
}

// term returns the term of an ID.
func (x *execution) term(id quads.ID) rdf.Term { return x.value(id).Term() }
