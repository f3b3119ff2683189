package inspect

import (
	"context"
	"errors"
	"net/http"

	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/job"
	"orbweaver/internal/linked"
	"orbweaver/internal/ongoing"
	"orbweaver/internal/reread"
	"orbweaver/server"
)

// A Handle inspects and steers the crawl of a folder. Its methods work the same whether this process runs the crawl,
// another process does, or none.
type Handle struct {
	Job  *job.Job
	Dir  string
	Here func() *assembly.Control // returns the crawl if this process runs it, otherwise nil; may be nil

	linked linked.Look // what was counted of the crawl at rest
	left   ongoing.Look
}

// A spot is the crawl that answers a call: a running one, or the folder of one at rest.
type spot struct {
	*Knowledge
	bench  *Bench       // gives access to the focus; nil unless the call needs it
	linked *linked.Look // what was counted of the crawl before
	left   *ongoing.Look
}

// A call is an operation on a crawl. The control socket serves it at POST /call/NAME, with the argument and the result
// as JSON.
type call[In, Out any] struct {
	name  string
	focus bool // do needs the focus, which is restored first if the crawl is at rest
	judge bool // do judges pages and asks the focus, but changes nothing and proposes no requests: less is restored
	do    func(context.Context, *spot, In) (Out, error)
}

// ask makes the call in this process, over the control socket, or on the folder of a crawl at rest.
func (c call[In, Out]) ask(ctx context.Context, h *Handle, in In) (out Out, err error) {
	if out, err = c.running(ctx, h, in); !errors.Is(err, server.ErrNoCrawl) { // ErrNoCrawl also if the crawl ended during the call
		return out, err
	}
	return c.rest(ctx, h, in)
}

// running makes the call in this process or over the control socket. The error wraps server.ErrNoCrawl if no process
// runs the crawl.
func (c call[In, Out]) running(ctx context.Context, h *Handle, in In) (out Out, err error) {
	if h.Here != nil {
		if t := h.Here(); t != nil {
			if out, err = c.do(ctx, placeOf(t), in); !errors.Is(err, server.ErrNoCrawl) {
				return out, err
			}
		}
	}
	client, err := reach(h.Dir)
	if err == nil {
		defer client.Close()
		err = client.Ask(ctx, http.MethodPost, "/call/"+c.name, in, &out)
	}
	return out, err
}

// rest makes the call on the folder of a crawl that no process runs.
func (c call[In, Out]) rest(ctx context.Context, h *Handle, in In) (out Out, err error) {
	if c.focus {
		recall := (*engine.Crawl).Recall
		if c.judge {
			recall = (*engine.Crawl).RecallToJudge
		}
		err = atRest(ctx, h.Job, h.Dir, recall, func(b *Bench) (err error) {
			k := &Knowledge{file: b.c.File, ledger: b.c.Ledger, scope: b.c.Gate.Scope, Web: &reread.Web{File: b.c.File, Archive: b.c.Web}}
			k.Web.Outcome = k.outcome
			defer func() { err = errors.Join(err, k.Web.Close()) }()
			out, err = c.do(ctx, &spot{Knowledge: k, bench: b, linked: &h.linked, left: &h.left}, in)
			return err
		})
		return out, err
	}
	k, err := OpenKnowledge(h.Job.Schema(), h.Dir)
	if err != nil {
		return out, err
	}
	out, err = c.do(ctx, &spot{Knowledge: k, linked: &h.linked, left: &h.left}, in)
	return out, errors.Join(err, k.Close())
}

// route serves the call for a crawl that this process runs.
func (c call[In, Out]) route(t *assembly.Control) server.Route {
	return server.Route{Pattern: "POST /call/" + c.name, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in In
		err := server.Decode(r, &in)
		var out Out
		if err == nil {
			out, err = c.do(r.Context(), placeOf(t), in)
		}
		if err != nil {
			server.Fail(w, err)
			return
		}
		server.Answer(w, out)
	})}
}

// placeOf returns the spot of a crawl that this process runs.
func placeOf(t *assembly.Control) *spot {
	return &spot{knowledgeOf(t), &Bench{t.C, t.Session}, &t.Linked, nil}
}

// CallRoutes returns the routes of all calls for a crawl that this process runs.
func CallRoutes(t *assembly.Control) []server.Route {
	return []server.Route{
		explainCall.route(t), pagesCall.route(t), hostsCall.route(t), failuresCall.route(t), waitingCall.route(t),
		evidenceCall.route(t), excludeCall.route(t), limitsCall.route(t), suggestionsCall.route(t), proposalsCall.route(t), effectCall.route(t), learnedCall.route(t), borrowCall.route(t), decideCall.route(t), verdictCall.route(t),
		mapCall.route(t), facetsCall.route(t), dataCall.route(t), recordCall.route(t), reclassifiedCall.route(t), rejudgeCall.route(t), unsureCall.route(t), teachingCall.route(t), givenCall.route(t), labelsCall.route(t),
		labelFiguresCall.route(t), labelTreeCall.route(t), labelRulesCall.route(t), labelTimelineCall.route(t), labelChangesCall.route(t), scoresCall.route(t), linkedCall.route(t), questionCall.route(t), answerCall.route(t), visitsCall.route(t), loginsCall.route(t), stoppingCall.route(t),
	}
}
