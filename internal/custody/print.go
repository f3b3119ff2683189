package custody

import (
	"io"

	"orbweaver/internal/console"
)

// Print prints what a check of a crawl folder found.
func (r *Report) Print(w io.Writer) {
	short := console.Relative(r.Folder)
	console.Say(w, "%s: %d requests, %d waiting, %d records of %d answers", short, r.Requests, r.Waiting, r.Records, r.Answers)
	for _, note := range r.Notes {
		console.Say(w, "  note: %s", note)
	}
	r.printFaults(w)
	if len(r.Faults) == 0 {
		console.Say(w, "  whole: all digests and references are right")
	} else {
		console.Say(w, "Next:\n  orbweaver repair %s   mends what other files tell", short)
	}
}

// printFaults prints a line for each fault.
func (r *Report) printFaults(w io.Writer) {
	for _, f := range r.Faults {
		console.Say(w, "  %s: %s", f.File, f.What)
	}
}

// Print prints what a repair did.
func (r *Repaired) Print(w io.Writer) {
	short := console.Relative(r.Before.Folder)
	if len(r.Before.Faults) == 0 {
		console.Say(w, "%s: whole, nothing to repair", short)
		return
	}
	console.Say(w, "%s: %s", short, console.Several(len(r.Before.Faults), "fault"))
	r.Before.printFaults(w)
	for _, did := range r.Done {
		console.Say(w, "  repaired: %s", did)
	}
	for _, why := range r.Refused {
		console.Say(w, "  not repaired: %s", why)
	}
	if len(r.After.Faults) == 0 {
		console.Say(w, "  whole again")
	}
}
