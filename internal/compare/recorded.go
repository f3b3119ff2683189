package compare

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// record writes the pages.jsonl of a run that another crawler made: its requests in order, each with what the archive
// answers. A request that scope or robots.txt forbid counts as a request and is no page.
func (c *comparison) record(ctx context.Context, run crawlfile.Run, folder string) (over finished, err error) {
	urls, err := readLog(run.Requests, int(c.file.Limits.Requests))
	if err != nil {
		return over, err
	}
	gate, err := c.scope()
	if err != nil {
		return over, err
	}
	file, err := os.Create(filepath.Join(folder, ledger.JournalFile))
	if err != nil {
		return over, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i, url := range urls {
		if ctx.Err() != nil {
			return over, console.ErrInterrupted
		}
		line := c.answer(ctx, gate, url)
		line.N = int64(i + 1)
		if err := enc.Encode(line); err != nil {
			return over, err
		}
	}
	over.ended = "the recorded requests end"
	if int64(len(urls)) == c.file.Limits.Requests {
		over.ended = fmt.Sprintf("%d requests", len(urls))
	}
	return over, out.Flush()
}

// readLog reads the requests of another crawler.
func readLog(path string, limit int) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("requests: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	return eval.ReadRequests(file, path, limit)
}

// answer returns the line of a request: what the archive answers, or why a crawl would not make it.
func (c *comparison) answer(ctx context.Context, gate *gate.Gate, url string) ledger.Line {
	line := ledger.Line{URL: url}
	if !gate.InScope(url) {
		line.Error = orbweaver.ErrScope
		return line
	}
	if ok, _ := gate.Allows(url); !ok {
		line.Error = orbweaver.ErrRobots
		return line
	}
	response, err := c.lens.Fetch.Fetch(ctx, orbweaver.Request{URL: url})
	if err != nil {
		line.Error = orbweaver.FailureOf(err)
		return line
	}
	response.Body.Close()
	line.Status, line.Redirect = response.Status, response.Redirect
	if line.Redirect == "" && (line.Status < 200 || line.Status >= 300) {
		line.Error = orbweaver.ErrStatus
	}
	return line
}

// schedule returns the schedule by which the hours of a run are computed, for one goroutine.
func (c *comparison) schedule() (*eval.Schedule, error) {
	gate, err := c.scope()
	if err != nil {
		return nil, err
	}
	f := c.file.Schedule
	s := &eval.Schedule{Delay: f.Delay, Answer: f.Answer, Connections: f.Connections, AtOnce: f.AtOnce}
	if c.file.Web.Robots == "archived" {
		s.Robots = func(host string) time.Duration {
			gate.Allows(host + "/") // reads the rules
			rules, _ := gate.Rules(weburl.Host(host + "/"))
			if rules == nil {
				return 0
			}
			return rules.Delay
		}
	}
	return s, nil
}

// pairing returns how the runs are compared with the baseline.
func (c *comparison) pairing() eval.Pairing {
	return eval.Pairing{Baseline: c.file.Baseline, Seed: uint64(c.file.Bootstrap.Seed), Samples: c.file.Bootstrap.Samples}
}
