package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// Headers of questions and answers.
const (
	headerTime  = "Ow-Time"  // milliseconds that the asker waits
	headerPiece = "Ow-Piece" // number of a piece, from 0
	headerSize  = "Ow-Size"  // of the whole answer
	headerError = "Ow-Error" // the answer is this error
)

const (
	pieceSize   = 512 << 10
	atOnce      = 8 // questions of one name, that are answered at a time; others wait
	longestText = 16 << 10
)

// An AnswerError is an error with which a worker answered, in its words.
type AnswerError struct {
	Worker, Question, Text string
}

// Error implements error.
func (e *AnswerError) Error() string { return e.Worker + ": " + e.Question + ": " + e.Text }

// Answer answers questions of a name to this worker until stop is called or the Bus closes; those that have arrived
// are answered still. f runs in several goroutines; its context ends
// when the asker's does. An answer larger than MaxAnswer becomes an error for the asker.
func (b *Bus) Answer(name string, f func(ctx context.Context, body []byte) ([]byte, error)) (stop func(), err error) {
	if err := checkName("question", name); err != nil {
		return nil, err
	}
	room := make(chan struct{}, atOnce)
	sub, err := b.conn.Subscribe(b.questions(b.o.Worker, name), func(m *nats.Msg) {
		select {
		case room <- struct{}{}:
		case <-b.closing.Done():
			return
		}
		b.unlessClosed(func() {
			defer func() { <-room }()
			b.answer(m, f)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("question %s: %w", name, err)
	}
	_ = b.conn.FlushTimeout(attemptTime)   // it fails while disconnected: the server learns of it with the next connection
	return func() { _ = sub.Drain() }, nil // it fails if the connection is closed, and nothing is asked then
}

// unlessClosed runs an answer for which Close waits.
func (b *Bus) unlessClosed(answer func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing.Err() == nil {
		b.answers.Go(answer)
	}
}

func (b *Bus) questions(worker, name string) string {
	return "ow." + b.o.Crawl + ".q." + worker + "." + name
}

// answer answers one question. Each piece waits until the one before has arrived, so that no server has to hold an answer for a slow
// asker; one that has gone ends it.
func (b *Bus) answer(m *nats.Msg, f func(ctx context.Context, body []byte) ([]byte, error)) {
	ctx, cancel := b.closing, context.CancelFunc(func() {})
	if wait, err := strconv.ParseInt(m.Header.Get(headerTime), 10, 64); err == nil {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(wait)*time.Millisecond)
	}
	defer cancel()
	body, err := f(ctx, m.Data)
	if err == nil && len(body) > MaxAnswer {
		err = fmt.Errorf("answer %w: %d bytes of %d", ErrTooLarge, len(body), MaxAnswer)
	}
	if err != nil {
		text := err.Error()
		body = []byte(text[:min(len(text), longestText)])
	}
	for piece, sent := 0, 0; piece == 0 || sent < len(body); piece++ {
		part := body[sent:min(len(body), sent+pieceSize)]
		reply := &nats.Msg{Subject: m.Reply, Data: part, Header: nats.Header{}}
		reply.Header.Set(headerPiece, strconv.Itoa(piece))
		reply.Header.Set(headerSize, strconv.Itoa(len(body)))
		if err != nil {
			reply.Header.Set(headerError, "1")
		}
		within, done := context.WithTimeout(ctx, attemptTime)
		_, lost := b.conn.RequestMsgWithContext(within, reply)
		done()
		if lost != nil {
			return
		}
		sent += len(part)
	}
}

// Ask asks a worker, and returns its answer. The errors of the one who answers come as an [AnswerError]. [ErrNobody] if no such
// worker answers such a question now. A worker that dies meanwhile answers nothing: give ctx a deadline.
func (b *Bus) Ask(ctx context.Context, worker, name string, body []byte) ([]byte, error) {
	if err := errors.Join(checkName("worker", worker), checkName("question", name)); err != nil {
		return nil, err
	}
	if len(body) > MaxBody {
		return nil, fmt.Errorf("question %s: %w: %d bytes of %d", name, ErrTooLarge, len(body), MaxBody)
	}
	answer, err := b.ask(ctx, worker, name, body)
	var told *AnswerError
	if err != nil && !errors.As(err, &told) {
		err = fmt.Errorf("question %s to %s: %w", name, worker, err)
	}
	return answer, err
}

func (b *Bus) ask(ctx context.Context, worker, name string, body []byte) ([]byte, error) {
	inbox := b.conn.NewInbox()
	pieces, err := b.conn.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { _ = pieces.Unsubscribe() }() // it fails if the connection is closed
	question := &nats.Msg{Subject: b.questions(worker, name), Reply: inbox, Data: body, Header: nats.Header{}}
	if deadline, ok := ctx.Deadline(); ok {
		question.Header.Set(headerTime, strconv.FormatInt(time.Until(deadline).Milliseconds(), 10))
	}
	if err := b.conn.PublishMsg(question); err != nil {
		return nil, err
	}
	var answer []byte
	for piece := 0; ; piece++ {
		m, err := pieces.NextMsgWithContext(ctx)
		if errors.Is(err, nats.ErrNoResponders) {
			return nil, ErrNobody
		}
		if err != nil {
			return nil, err
		}
		size, err := strconv.Atoi(m.Header.Get(headerSize))
		if err != nil || size < 0 || size > MaxAnswer || m.Header.Get(headerPiece) != strconv.Itoa(piece) || len(answer)+len(m.Data) > size {
			return nil, fmt.Errorf("answer in pieces that do not fit: piece %s of %s bytes", m.Header.Get(headerPiece), m.Header.Get(headerSize))
		}
		if answer == nil {
			answer = make([]byte, 0, size)
		}
		answer = append(answer, m.Data...)
		if err := m.Respond(nil); err != nil {
			return nil, err
		}
		if len(answer) < size {
			continue
		}
		if m.Header.Get(headerError) != "" {
			return nil, &AnswerError{Worker: worker, Question: name, Text: string(answer)}
		}
		return answer, nil
	}
}
