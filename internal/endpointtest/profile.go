package endpointtest

import (
	"fmt"
	"net/http"
)

// Unsaid is the MediaType of answers without a Content-Type.
const Unsaid = "none"

// A Profile is how an endpoint on loopback behaves.
type Profile struct {
	Row     Row
	Always  Fault // whatever it is asked; of a kind unless it answers
	Refusal Fault // what it makes of a query that it is not able to answer

	Union    bool // it takes UNION
	Distinct bool // it takes DISTINCT, of COUNT too
	Modern   bool // it takes what came with SPARQL 1.1: COUNT, sub-queries, BIND, VALUES and so on

	MediaType string // that its answers are called; empty: what they are; Unsaid: nothing
	Cuts      bool   // it stops at Options.MaxRows rows, with status 200
	Tells     bool   // it says so, in X-SPARQL-MaxRows, and calls itself Virtuoso
	Slow      bool   // it answers after Options.Delay
}

// ProfileOf returns the profile of a row. What the survey does not say is by the row's line:
//
//   - One that was down, or up no more, fails always as its exception says (faultOf); without one
//     nothing listens. Where it had moved, or its answers had a type that the survey's client did not
//     read, it answers, and was not measured.
//   - One that was up is able to do what was measured. What it is not able to do it refuses as its exception
//     says, in place of no connection by hanging up, and without one by 400.
//   - One that was not measured is able to do UNION and DISTINCT, and nothing of SPARQL 1.1.
//   - Of those that answer, lines that 5 divides stop at Options.MaxRows and say so, and the next ones
//     stop there and do not. Those that were up, but not all the time, are slow.
//
// The error says what the row's exception is if nobody knows it.
func ProfileOf(row Row) (Profile, error) {
	fault, err := faultOf(row.Line, row.Exception)
	if err != nil {
		return Profile{}, fmt.Errorf("line %d, %s: %w", row.Line, row.Endpoint, err)
	}
	p := Profile{Row: row, Refusal: Fault{Kind: Status, Status: http.StatusBadRequest, Text: malformed}}
	if row.Up {
		p.measured(fault)
	} else {
		p.failing(fault)
	}
	if p.Answers() {
		p.Cuts, p.Tells = row.Line%5 < 2, row.Line%5 == 0
		p.Slow = row.Up && row.Uptime < 1
	}
	return p, nil
}

// measured makes a profile of what was measured, and how the rest failed.
func (p *Profile) measured(fault Fault) {
	able := func(a Ability, unknown bool) bool { return a == Able || a == NotMeasured && unknown }
	p.Union, p.Distinct, p.Modern = able(p.Row.Union, true), able(p.Row.Distinct, true), able(p.Row.Count, false)
	switch fault.Kind {
	case "":
	case Down:
		p.Refusal = Fault{Kind: HangUp}
	default:
		p.Refusal = fault
	}
}

// failing makes a profile of a failure.
func (p *Profile) failing(fault Fault) {
	switch fault.Kind {
	case "":
		p.Always = Fault{Kind: Down}
		return
	case Media:
		p.MediaType = fault.Text
	default:
		p.Always = fault
	}
	p.Union, p.Distinct = p.Answers(), p.Answers()
}

// Answers reports whether it answers at all, if need be where it has moved to.
func (p Profile) Answers() bool { return p.Always.Kind == "" || p.Always.Kind == Moved }

// Counts reports whether it can tell the number of a class's instances by COUNT(DISTINCT).
func (p Profile) Counts() bool { return p.Answers() && p.Modern && p.Distinct }

// Pages reports whether it can tell instances page by page, by SELECT DISTINCT with ORDER BY, LIMIT and OFFSET.
// Those that stop at a number of rows count, as pages may be shorter.
func (p Profile) Pages() bool { return p.Answers() && p.Distinct }

// Links reports whether it can tell terms that are related, by a query with UNION and DISTINCT.
func (p Profile) Links() bool { return p.Answers() && p.Union && p.Distinct }

// Lists reports whether it can tell anything, by a pattern alone.
func (p Profile) Lists() bool { return p.Answers() }
