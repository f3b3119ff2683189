package bus

import (
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
)

// Hear takes letters of a name to this worker until stop is called or the Bus closes. take is called for one after another; what it does not take in time is lost.
func (b *Bus) Hear(name string, take func(body []byte)) (stop func(), err error) {
	if err := checkName("letter", name); err != nil {
		return nil, err
	}
	sub, err := b.conn.Subscribe(b.lettersTo(b.o.Worker, name), func(m *nats.Msg) {
		if b.closing.Err() == nil {
			take(m.Data)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("letter %s: %w", name, err)
	}
	_ = b.conn.FlushTimeout(attemptTime) // it fails while disconnected: the server learns of it with the next connection
	return func() { _ = sub.Unsubscribe() }, nil
}

// Tell sends a letter to a worker, which gets it once at most: it is lost while either has no connection, or nobody hears it.
func (b *Bus) Tell(worker, name string, body []byte) error {
	if err := errors.Join(checkName("worker", worker), checkName("letter", name)); err != nil {
		return err
	}
	if len(body) > MaxBody {
		return fmt.Errorf("letter %s: %w: %d bytes of %d", name, ErrTooLarge, len(body), MaxBody)
	}
	if err := b.conn.Publish(b.lettersTo(worker, name), body); err != nil && b.conn.IsClosed() {
		return fmt.Errorf("letter %s to %s: %w", name, worker, err)
	}
	return nil // else it is lost, as others are
}

func (b *Bus) lettersTo(worker, name string) string {
	return "ow." + b.o.Crawl + ".l." + worker + "." + name
}
