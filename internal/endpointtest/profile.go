package endpointtest

import (
	"fmt"
	"net/http"
)

// Unsaid is the MediaType of answers without a Content-Type.
const Unsaid = "none"

// Profile is the behaviour of an endpoint on loopback.
type Profile struct {
	Row     Row
	Always  Fault // fault for every query; zero: it answers
	Refusal Fault // fault for a query that needs an unsupported feature

	Union    bool // supports UNION
	Distinct bool // supports DISTINCT, also in COUNT
	Modern   bool // supports SPARQL 1.1: COUNT, sub-queries, BIND, VALUES and so on

	MediaType string // declared type of its answers; empty: the correct one; Unsaid: none
	Cuts      bool   // truncates answers at Options.MaxRows rows, with status 200
	Tells     bool   // reports the truncation in X-SPARQL-MaxRows, and identifies itself as Virtuoso
	Slow      bool   // answers after Options.Delay
}

// ProfileOf returns the profile of a row. The line number decides what the survey did not measure:
//
//   - An endpoint that was down always fails as its exception says (faultOf); without an exception nothing
//     listens. If it had moved, or its answers had a type that the survey's client did not read, it
//     answers and counts as not measured.
//   - An endpoint that was up supports the features that worked. It refuses others as its exception says;
//     it hangs up if that says no connection, and answers 400 without an exception.
//   - An endpoint that was not measured supports UNION and DISTINCT, and nothing of SPARQL 1.1.
//   - Of the answering endpoints, those whose line is divisible by 5 truncate at Options.MaxRows and
//     report it; those on the next line truncate and do not. Endpoints that were up part of the time are
//     slow.
//
// The error quotes an unknown exception of the row.
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

// Answers reports whether the endpoint answers at all, possibly after a redirect.
func (p Profile) Answers() bool { return p.Always.Kind == "" || p.Always.Kind == Moved }

// Counts reports whether it can count a class's instances with COUNT(DISTINCT).
func (p Profile) Counts() bool { return p.Answers() && p.Modern && p.Distinct }

// Pages reports whether it can list instances page by page, with SELECT DISTINCT, ORDER BY, LIMIT and
// OFFSET. A row limit does not matter, because pages may be shorter.
func (p Profile) Pages() bool { return p.Answers() && p.Distinct }

// Links reports whether it can list related terms, which takes a query with UNION and DISTINCT.
func (p Profile) Links() bool { return p.Answers() && p.Union && p.Distinct }

// Lists reports whether it can answer a query with a single pattern.
func (p Profile) Lists() bool { return p.Answers() }
