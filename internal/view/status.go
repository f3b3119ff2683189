package view

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/recording"
	"orbweaver/internal/requisites"
	"orbweaver/internal/step"
	"orbweaver/server"
)

const shownFailures = 20 // kinds

// runs reports whether a process or a cluster runs a crawl.
func runs(s server.Status) bool { return s.PID != 0 || s.Nodes > 0 }

// stateOf returns the state of a crawl: running, paused, ended, or interrupted and resumable.
func stateOf(s server.Status) string {
	switch {
	case runs(s) && s.Paused:
		return "paused"
	case runs(s):
		return "running"
	case s.Progress.Ended != "":
		return "ended"
	}
	return "interrupted"
}

// StatusJSON writes the status of a crawl as one JSON object.
func StatusJSON(w io.Writer, s server.Status) error {
	text, err := json.MarshalIndent(struct {
		State string `json:"state"`
		server.Status
	}{stateOf(s), s}, "", "  ")
	if err == nil {
		console.Say(w, "%s", text)
	}
	return err
}

// Status prints the status of a crawl.
func Status(w io.Writer, s server.Status) {
	p, state := s.Progress, stateOf(s)
	switch {
	case s.Nodes > 0:
		state += fmt.Sprintf(", by %s of a cluster, since %s", console.Several(s.Nodes, "node"), s.Started.Local().Format(time.DateTime))
	case s.PID != 0:
		state += fmt.Sprintf(", by process %d, since %s", s.PID, s.Started.Local().Format(time.DateTime))
	case p.Ended != "":
		state += ": " + p.Ended
	default:
		state += "; `orbweaver crawl` with its file resumes it"
	}
	if s.Schedule && !runs(s) {
		state += "; `orbweaver watch` with its file goes on with its schedule"
	}
	console.Say(w, "%s: %s", s.Name, state)
	if s.Folder != "" {
		console.Say(w, "  folder      %s", console.Relative(s.Folder))
	}
	console.Say(w, "  requests    %d", p.Requests)
	console.Say(w, "  pages       %d", p.Pages)
	console.Say(w, "  accepted    %d (%.1f %%)", p.Accepted, console.Percent(p.Accepted, p.Pages))
	console.Say(w, "  bytes       %s", console.SizeOf(p.Bytes))
	if text := requisites.Text(p.Requisites); text != "" {
		console.Say(w, "  requisites  %s", text)
	}
	if text := p.LoginCosts.Text(); text != "" {
		console.Say(w, "  logins      %s", text)
	}
	console.Say(w, "  time spent  %s", p.Active.Round(100*time.Millisecond))
	if s.Left != nil {
		console.Say(w, "  left        %s", s.Left.Text())
	}
	printWatch(w, s.Watch)
	printSinks(w, s.Sinks)
	if !runs(s) {
		console.Say(w, "  waiting     %d", s.Waiting)
		console.Say(w, "  hosts       %d", s.Hosts)
	} else {
		if s.Rate > 0 {
			console.Say(w, "  speed       %.1f pages/s", s.Rate)
		}
		if s.Memory > 0 {
			console.Say(w, "  memory      %s", console.SizeOf(s.Memory))
		}
		console.Say(w, "  waiting     %d, and %d in flight", s.Waiting, s.InFlight)
		console.Say(w, "  hosts       %d: %d ready, %d resting, %d down", s.Hosts, s.Ready, s.Resting, s.Down)
	}
	assembly.TellOutage(w, s.Outage)
	printLogins(w, s.Logins)
	failed := s.Failed()
	console.Say(w, "  failures    %s", failed.Text(shownFailures))
	assembly.TellRefused(w, s.Refused)
	if s.Floods > 0 {
		console.Say(w, "  floods      %d HTTP/2 connections closed: their servers sent frames that no request asked for", s.Floods)
	}
	for _, spared := range s.Spared {
		console.Say(w, "  not again   %s", recording.SparedWords(spared))
	}
	printHosts(w, s.Busiest)
}

// printHosts prints the figures of hosts.
func printHosts(w io.Writer, hosts []step.Account) {
	if len(hosts) == 0 {
		return
	}
	console.Say(w, "\nHosts with the most requests:")
	console.Say(w, "%8s %8s %13s %9s %9s  host", "asked", "pages", "shortest gap", "delay", "failures")
	for _, h := range hosts {
		var failures int64
		for _, n := range h.Failures { // addition is commutative: map order does not matter
			failures += n
		}
		gap := "-"
		if h.Gap > 0 {
			gap = h.Gap.Round(time.Millisecond).String()
		}
		down := ""
		if h.Down != "" {
			down = ", down: " + string(h.Down)
		}
		console.Say(w, "%8d %8d %13s %9s %9d  %s%s", h.Asked, h.Pages, gap, h.Delay.Round(time.Millisecond), failures, h.Host, down)
	}
}

// Added prints the result for each URL added as a seed, and returns the number of refused ones.
func Added(w io.Writer, all []server.Added) (refused int) {
	for _, a := range all {
		console.Say(w, "%s: %s", a.URL, a.Result)
		if a.Refused() {
			refused++
		}
	}
	return refused
}

// printWatch prints the state of a watch.
func printWatch(w io.Writer, s *server.Watch) {
	if s == nil {
		return
	}
	console.Say(w, "  watched     %s, %d gone; %.1f %% up to date, %.1f %% by worth, as estimated; mean age %s", console.Several(s.Pages, "page"), s.Gone,
		100*s.Fresh, 100*s.Weighted, Days(s.Age))
	limit := ""
	if s.Requests > 0 {
		limit = fmt.Sprintf(" of %d", s.Requests)
	}
	console.Say(w, "  visits      %d%s in the last 24 hours; the next one is due %s", s.Spent, limit, s.Next.Local().Format(time.DateTime))
}

// Days writes a number of days as a time that people read.
func Days(d float64) string {
	switch t := time.Duration(d * 24 * float64(time.Hour)); {
	case t >= 48*time.Hour:
		return fmt.Sprintf("%.1f days", d)
	case t >= time.Hour:
		return t.Round(time.Minute).String()
	default:
		return t.Round(time.Second).String()
	}
}

// printLogins prints the logins that a crawl tries in vain.
func printLogins(w io.Writer, lost []step.Login) {
	for _, s := range lost {
		next := "it waits for orbweaver resume"
		if !s.Stuck {
			next = "next try at " + s.Next.Local().Format(time.TimeOnly)
		}
		console.Say(w, "  login       lost since %s: %s (%d tries; %s)", s.Since.Local().Format(time.DateTime), s.Name, s.Tries, next)
		console.Say(w, "              %s", s.Why)
		console.Say(w, "              waiting: %s", strings.Join(s.Hosts, ", "))
	}
}
