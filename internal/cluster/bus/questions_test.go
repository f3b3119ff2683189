package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestQuestions: answers of all sizes, errors in the words of who answers, and nobody.
func TestQuestions(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *ServerOptions) { o.Listen = "127.0.0.1:0" })
	a := dial(t, "a", func(o *Options) { o.URLs = []string{s.URL()} })
	b := dial(t, "b", within(s))
	stop, err := a.Answer("repeat", func(_ context.Context, body []byte) ([]byte, error) {
		var n int
		if _, err := fmt.Sscan(string(body), &n); err != nil {
			return nil, errors.New("no number, but ä\n" + string(body))
		}
		return bytes.Repeat([]byte("0123456789abcdef"), n/16), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, size := range []int{0, 16, pieceSize - 16, pieceSize, pieceSize + 16, 20 * pieceSize, MaxAnswer} {
		wg.Go(func() {
			got, err := b.Ask(soon(t), "a", "repeat", []byte(fmt.Sprint(size)))
			if err != nil || len(got) != size || size > 0 && !bytes.HasSuffix(got, []byte("89abcdef")) {
				t.Errorf("%d bytes of %d, %v", len(got), size, err)
			}
		})
	}
	wg.Wait()
	for body, want := range map[string]string{
		"x":                          "a: repeat: no number, but ä\nx",
		fmt.Sprint(MaxAnswer + 16):   "a: repeat: answer too large: 67108880 bytes of 67108864",
		strings.Repeat("z", MaxBody): "zzz",
	} {
		_, err := b.Ask(soon(t), "a", "repeat", []byte(body))
		var told *AnswerError
		if !errors.As(err, &told) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := b.Ask(soon(t), "a", "repeat", make([]byte, MaxBody+1)); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if _, err := b.Ask(soon(t), "c", "repeat", nil); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
	stop()
	eventually(t, "nobody answers after stop", func() bool {
		_, err := b.Ask(soon(t), "a", "repeat", []byte("16"))
		return errors.Is(err, ErrNobody)
	})
}

// TestAskerGivesUp: the context of who answers ends with the asker's, and with the bus.
func TestAskerGivesUp(t *testing.T) {
	t.Parallel()
	s := start(t)
	a, b := dial(t, "a", within(s)), dial(t, "b", within(s))
	begun, ended := make(chan bool, 2), make(chan error, 2)
	if _, err := a.Answer("long", func(ctx context.Context, _ []byte) ([]byte, error) {
		begun <- true
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Ask(shortly(t), "a", "long", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	<-begun
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	asked := make(chan error, 1)
	ctx, cancel := context.WithCancel(soon(t))
	go func() {
		_, err := b.Ask(ctx, "a", "long", nil)
		asked <- err
	}()
	<-begun
	a.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	cancel()
	if err := <-asked; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
