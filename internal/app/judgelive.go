package app

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/robots"
	"orbweaver/internal/app/gate"
	"orbweaver/weburl"
)

// A visit is the live Web at a glance: hosts are asked as politely as by a crawl, one request after
// another.
type visit struct {
	answers engine.Fetcher
	gate    *gate.Gate
	obey    bool
	delay   time.Duration
	limit   int64 // bytes of a payload
	close   func() error

	mu   sync.Mutex
	last map[string]time.Time // by host: when it was asked
}

// Close ends the connections.
func (v *visit) Close() error { return v.close() }

// near knows nothing: the Web cannot be listed.
func (v *visit) near(string) []string { return nil }

// fetch asks once, when the host's turn has come.
func (v *visit) fetch(ctx context.Context, url, accept string) (*orbweaver.Response, []byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.ask(ctx, orbweaver.Request{URL: url, Accept: accept})
}

// ask is fetch, for who holds the lock.
func (v *visit) ask(ctx context.Context, r orbweaver.Request) (*orbweaver.Response, []byte, error) {
	host := weburl.Host(r.URL)
	if err := v.wait(ctx, host); err != nil {
		return nil, nil, err
	}
	defer func() { v.last[host] = time.Now() }()
	response, err := v.answers.Fetch(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	payload, err := io.ReadAll(io.LimitReader(response.Body, v.limit+1))
	if err == nil && int64(len(payload)) > v.limit {
		err = orbweaver.ErrTooLarge
	}
	if err != nil {
		return nil, nil, fmt.Errorf("fetch %s: %w", r.URL, err)
	}
	return response, payload, nil
}

// wait lets a host rest.
func (v *visit) wait(ctx context.Context, host string) error {
	rest := v.delay
	if rules, _ := v.gate.Rules(host); rules != nil {
		rest = max(rest, rules.Delay)
	}
	last, asked := v.last[host]
	if !asked {
		return nil
	}
	timer := time.NewTimer(time.Until(last.Add(rest)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// robots asks for a host's robots.txt when it was not asked for it before; not for a link's sake.
func (v *visit) robots(ctx context.Context, url string, link bool) (allowed, known bool, line string) {
	if !v.obey {
		return true, true, ""
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	host := weburl.Host(url)
	if _, asked := v.gate.Rules(host); !asked {
		if link {
			return true, false, ""
		}
		rules, a := v.rules(ctx, host)
		v.gate.Learn(host, rules, a)
	}
	allowed, line = v.gate.Allows(url)
	return allowed, true, line
}

// rules asks a host for its robots.txt.
func (v *visit) rules(ctx context.Context, host string) (*robots.Rules, robots.Answer) {
	url := host + "/robots.txt"
	for hops := 0; ; hops++ {
		response, payload, err := v.ask(ctx, orbweaver.Request{URL: url, Purpose: orbweaver.ForRobots})
		a := gate.AnswerFor(response, payload, hops, err)
		verdict := robots.Judge(a, v.gate.Agent)
		if verdict.Next == "" {
			return verdict.Rules, a
		}
		url = verdict.Next
	}
}
