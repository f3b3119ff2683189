package external

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
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

// exchange implements transport: a POST of all lines.
func (s *service) exchange(ctx context.Context, lines [][]byte, take func([]byte) bool) error {
	body := append(bytes.Join(lines, []byte("\n")), '\n')
	response, err := s.client.Post(ctx, orbweaver.Request{URL: s.url, Accept: mediaType}, mediaType, body)
	if err != nil {
		return err
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

// close closes the connections.
func (s *service) close() error { return s.client.Close() }
