package bus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Why the bus does not do what it is asked to.
var (
	ErrCredentials = errors.New("credentials refused")               // of the server by the client too: its certificate
	ErrUnfit       = errors.New("server unfit")                      // too old, without JetStream, too small, too few
	ErrOtherCrawl  = errors.New("crawl of another configuration")    // the servers know a crawl of this name with other partitions
	ErrName        = errors.New("no name")                           // of a crawl, a worker, a question, a quota, a parcel
	ErrTooLarge    = errors.New("too large")                         // a body beyond MaxBody, an answer beyond MaxAnswer
	ErrFull        = errors.New("servers full")                      // of parcels, until they are trimmed
	ErrLost        = errors.New("parcels or entries lost")           // what was sent must be sent again
	ErrOwned       = errors.New("partition owned by another worker") // or by one whose lease may not be over
	ErrSession     = errors.New("session over")                      // declared dead by another worker, left, or lost
	ErrTaken       = errors.New("worker in session")                 // under this name, or its lease may not be over
	ErrNobody      = errors.New("nobody answers")                    // no such worker, or no such question
)

// errConflict says that an entry is not as it was when it was read.
var errConflict = errors.New("entry changed")

// Codes of errors of JetStream for which its client has no names.
const (
	codeAccountFull    = 10002 // resource limits exceeded for account
	codeNoPeers        = 10005 // no suitable peers for placement: some are still to come
	codeInsufficient   = 10023 // insufficient resources
	codeInsufficientOf = 10047 // insufficient storage resources available
	codeTooFewServers  = 10074 // replicas > 1 not supported in non-clustered mode
	codeStoreFailed    = 10077 // the stream is full, or the disk fails: the text says which
)

// Times of one attempt, and between two. Another leader is elected within nine seconds.
const (
	attemptTime  = 5 * time.Second
	firstPause   = 20 * time.Millisecond
	longestPause = time.Second
)

// A pause waits longer each time.
type pause struct{ next time.Duration }

// wait waits, by half and up to the whole of the pause, so that those who wait for the same spread.
func (p *pause) wait(ctx context.Context) error {
	p.next = min(max(2*p.next, firstPause), longestPause)
	timer := time.NewTimer(p.next/2 + rand.N(p.next/2))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// retry repeats an attempt while it fails for what passes: a server that is away, a leader to be elected.
func retry(ctx context.Context, attempt func(ctx context.Context) error) error {
	var p pause
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		within, cancel := context.WithTimeout(ctx, attemptTime)
		err := attempt(within)
		cancel()
		if err == nil || !passing(err) {
			return err
		}
		if stop := p.wait(ctx); stop != nil {
			return fmt.Errorf("%w (last: %w)", stop, err)
		}
	}
}

// passing reports whether the same may succeed later.
func passing(err error) bool {
	for _, own := range []error{ErrLost, ErrFull, ErrOtherCrawl, ErrUnfit, ErrSession, errConflict} {
		if errors.Is(err, own) {
			return false
		}
	}
	for _, gone := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrReconnectBufExceeded,
		nats.ErrConnectionReconnecting, jetstream.ErrNoStreamResponse, nats.ErrStaleConnection,
	} {
		if errors.Is(err, gone) {
			return true
		}
	}
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode == codeNoPeers || api.Code >= 500 && api.ErrorCode != codeTooFewServers
	}
	return false
}

// named names what an error of JetStream means here.
func named(err error) error {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return err
	}
	switch api.ErrorCode {
	case codeTooFewServers:
		return fmt.Errorf("%w: %w", ErrUnfit, err)
	case codeAccountFull, codeInsufficient, codeInsufficientOf:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case codeStoreFailed:
		if strings.Contains(api.Description, "maximum bytes") {
			return fmt.Errorf("%w: %w", ErrFull, err)
		}
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return fmt.Errorf("%w: %w", errConflict, err)
	}
	return err
}

// longestName bounds names of crawls, workers and questions.
const longestName = 64

// checkName returns an error unless a name may be part of a subject, a key and a file's name.
func checkName(what, name string) error {
	if name == "" || len(name) > longestName || strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}) {
		return fmt.Errorf("%s %q: %w: 1 to %d letters, digits, - and _", what, name, ErrName, longestName)
	}
	return nil
}
