// Package doctor says what of this machine, and of what a crawl file names, would keep a crawl from working.
//
// Each check looks at one thing and asks a Machine, so that tests can provoke what is wrong. Without a crawl file nothing but
// loopback is asked; with one of the live Web, names of seeds are looked up, proxies are connected to, and one seed's host is asked
// for its robots.txt, whose Date is compared with the clock. Sinks are checked as before a crawl begins.
package doctor

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
)

// The addresses at which servers listen by default.
const (
	Studio = "127.0.0.1:7979"
	Serve  = "127.0.0.1:7878"
)

// Most is how long a check may take.
const Most = 30 * time.Second

// A State is how bad a finding is.
type State string

// The states of findings.
const (
	OK      State = "ok"
	Warning State = "warning" // a crawl runs, and may be slower or have less
	Problem State = "problem" // a crawl fails
)

// A Finding is what a check says.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty"` // how to mend it
}

// A Report is what all checks say.
type Report struct {
	State    State     `json:"state"` // the worst one
	Findings []Finding `json:"findings"`
}

// A Patient is what is looked at.
type Patient struct {
	Path string           // of the crawl file, for messages
	File *crawlfile.Crawl // nil: the machine alone, and the working directory
}

// A check looks at one thing.
type check struct {
	name string
	look func(context.Context, *Machine, Patient) []Finding
}

func checks() []check {
	return []check{
		{"clock", clock}, {"disk", disk}, {"files", files}, {"memory", memory}, {"dns", dns}, {"browser", browser}, {"ports", ports},
		{"proxy", proxies}, {"logins", logins}, {"sinks", sinks},
	}
}

// Look makes all checks at the same time, each in at most Most. A check that does not end is a problem: its goroutine is left behind.
func Look(ctx context.Context, m *Machine, p Patient) Report {
	ctx, cancel := context.WithTimeout(ctx, Most)
	defer cancel()
	said := map[string]chan []Finding{}
	for _, c := range checks() {
		answer := make(chan []Finding, 1)
		said[c.name] = answer
		go func() { answer <- c.look(ctx, m, p) }()
	}
	late := time.NewTimer(Most + time.Second) // a check that heeds ctx has said why by then
	defer late.Stop()
	over := false
	r := Report{State: OK}
	for _, c := range checks() {
		var found []Finding
		if !over {
			select {
			case found = <-said[c.name]:
			case <-late.C:
				over = true
			}
		}
		if over && found == nil {
			select {
			case found = <-said[c.name]:
			default:
				found = []Finding{{State: Problem, Says: fmt.Sprintf("no answer within %v", Most), Do: "look whether a network file system or a server hangs"}}
			}
		}
		for _, f := range found {
			if f.Check == "" {
				f.Check = c.name
			}
			r.Findings = append(r.Findings, f)
			r.State = worse(r.State, f.State)
		}
	}
	return r
}

// worse returns the worse of two states.
func worse(a, b State) State {
	order := []State{OK, Warning, Problem}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// Count returns how many findings are of a state.
func (r Report) Count(s State) (n int) {
	for _, f := range r.Findings {
		if f.State == s {
			n++
		}
	}
	return n
}

// Print writes a report, one line a finding.
func (r Report) Print(w io.Writer) {
	for _, f := range r.Findings {
		text := f.Says
		if f.Do != "" {
			text += ": " + f.Do
		}
		console.Say(w, "%-8s %-8s %s", f.State, f.Check, console.OneLine(text))
	}
}
