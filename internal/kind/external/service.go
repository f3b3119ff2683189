package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// mediaType is that of batches and of responses.
const mediaType = "application/jsonl"

// maxResponse bounds a response, in bytes, compressed and decompressed.
const maxResponse = 32 << 20

// A service is a judge that is asked over HTTP.
type service struct {
	url    string
	client *client.Client
}

// newService returns a service. It may connect to permitted private addresses and to the one in the URL.
func newService(f *section, via wire.Wire, private crawlfile.Private) *service {
	opts := via.Options
	opts.UserAgent, opts.Timeout = wire.Agent, f.Timeout
	opts.Guard = guard.New(private.All, append(wire.NamedNetworks(f.URL), private.Networks...), wire.NamedPorts(f.URL)...)
	return &service{f.URL, client.New(opts)}
}

// How often a service that is overloaded, or restarts, is asked again, and the waits: what passes is no verdict.
const (
	triesOverloaded = 4
	firstWait       = time.Second // doubled after each, unless the service says how long
	longestWait     = time.Minute
)

// exchange implements transport: a POST of all lines.
func (s *service) exchange(ctx context.Context, lines [][]byte, take func([]byte) bool) error {
	body := append(bytes.Join(lines, []byte("\n")), '\n')
	var response *step.Response
	for tries := 1; ; tries++ {
		var err error
		response, err = s.client.Post(ctx, orbweaver.Request{URL: s.url, Accept: mediaType}, mediaType, body)
		if err != nil {
			return err
		}
		if !pipeline.Overloaded(response.Status) || tries == triesOverloaded {
			break
		}
		response.Body.Close()
		if err := s.pause(ctx, tries, response.Header.Get("Retry-After")); err != nil {
			return err
		}
	}
	payload, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if len(payload) > maxResponse {
		return fmt.Errorf("%s: response of more than %d bytes", s.url, maxResponse)
	}
	if payload, err = page.Decode(response.Header, payload, maxResponse); err != nil {
		return fmt.Errorf("%s: response: %w", s.url, err)
	}
	if response.Status/100 != 2 {
		return fmt.Errorf("%s: status %d: %s", s.url, response.Status, quoted(bytes.TrimSpace(payload)))
	}
	for b := bufio.NewReader(bytes.NewReader(payload)); ; {
		line, err := readLine(b)
		if errors.Is(err, errLong) {
			return fmt.Errorf("%s: response has %w", s.url, errLong)
		}
		if len(line) > 0 && take(line) || err != nil {
			return nil
		}
	}
}

// pause waits before another try, as long as the service says, in seconds, within bounds.
func (s *service) pause(ctx context.Context, tries int, said string) error {
	wait := firstWait << (tries - 1)
	if seconds, err := strconv.Atoi(said); err == nil && seconds >= 0 {
		wait = min(time.Duration(seconds)*time.Second, longestWait)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close closes the connections.
func (s *service) close() error { return s.client.Close() }
