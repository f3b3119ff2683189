package simulation

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"

	"orbweaver/internal/console"
)

// headSimulated prints the header of the result table.
func headSimulated(con *console.Console) {
	console.Say(con.Out, "%-32s %-19s %s", "", "at the end", "after a tenth")
	console.Say(con.Out, "%9s %-13s %8s %8s %7s %6s %7s %6s %8s %7s %6s", "web", "focus", "requests", "pages",
		"harvest", "recall", "harvest", "recall", "hours", "pages/s", "busy")
}

// printSimulated prints a row of the result table.
func printSimulated(con *console.Console, r simulated) {
	console.Say(con.Out, "%9d %-13s %8d %8d %6.1f%% %5.1f%% %6.1f%% %5.1f%% %8.3f %7.1f %6.1f", r.size, r.focus, r.requests, r.end.pages,
		100*r.end.harvest(), 100*r.recall(r.end), 100*r.tenth.harvest(), 100*r.recall(r.tenth),
		r.virtual.Hours(), r.rate(), r.busy)
	if r.workers > 1 {
		console.Say(con.Out, "%9s %-13s %d proposals in %d messages, %d of them sent again or twice; %d lessons taken; %d kills", "",
			fmt.Sprintf("%d workers", r.workers), r.parcels, r.messages, r.again, r.lessons, r.kills)
	}
	if r.twice > 0 {
		console.Say(con.Err, "%d pages were requested more than once", r.twice)
	}
	if r.early > 0 {
		console.Say(con.Err, "warning: %d requests violated the delay of their host", r.early)
	}
}

// printCosts prints the table of costs.
func printCosts(con *console.Console, all []simulated) {
	console.Say(con.Out, "")
	console.Say(con.Out, "%9s %-13s %9s %14s %12s %12s", "web", "focus", "wall", "CPU s/1000 p.", "peak memory", "ledger/page")
	for _, r := range all {
		console.Say(con.Out, "%9d %-13s %9s %14.3f %9.0f MB %10.0f B", r.size, r.focus, r.cost.wall.Round(10*time.Millisecond),
			r.cpuPerThousand(), float64(r.cost.memory)/1e6, r.ledgerPerPage())
	}
}

// cpuPerThousand returns the CPU seconds per thousand pages.
func (r *simulated) cpuPerThousand() float64 {
	return part(1000*r.cost.cpu.Seconds(), float64(r.end.pages))
}

// ledgerPerPage returns the bytes on disk per page.
func (r *simulated) ledgerPerPage() float64 {
	return part(float64(r.cost.ledger), float64(r.end.pages))
}

// csvOfSimulated returns both tables as one CSV. Shares are 0..1.
func csvOfSimulated(all []simulated) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"web_pages", "focus", "findable", "requests", "pages", "relevant", "harvest_rate", "recall",
		"tenth_pages", "tenth_harvest_rate", "tenth_recall", "virtual_seconds", "pages_per_second", "hosts", "busy_hosts", "early_requests",
		"wall_seconds", "cpu_seconds", "peak_bytes", "ledger_bytes", "workers", "proposals", "messages", "messages_again"})
	count := func(n int64) string { return strconv.FormatInt(n, 10) }
	real := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for _, r := range all {
		_ = w.Write([]string{count(r.size), r.focus, count(r.findable), count(r.requests), count(r.end.pages), count(r.end.relevant),
			real(r.end.harvest()), real(r.recall(r.end)), count(r.tenth.pages), real(r.tenth.harvest()), real(r.recall(r.tenth)),
			real(r.virtual.Seconds()), real(r.rate()), count(int64(r.hosts)), real(r.busy), count(int64(r.early)),
			real(r.cost.wall.Seconds()), real(r.cost.cpu.Seconds()), count(r.cost.memory), count(r.cost.ledger),
			count(int64(r.workers)), count(r.parcels), count(r.messages), count(r.again)})
	}
	w.Flush() // writing to memory cannot fail
	return b.Bytes()
}
