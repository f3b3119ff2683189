package render

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
)

// reading returns a connection that reads a text, messages of up to 1000 bytes.
func reading(text string) *connection {
	return newConnection(io.NopCloser(strings.NewReader(text)), nil, 1000)
}

func TestConnection(t *testing.T) {
	long := func(n int, session string) string {
		return `{"method":"Fetch.requestPaused","params":{"body":"` + strings.Repeat("x", n) + `"}` + session + "}\x00"
	}
	c := reading(`{"id":7,"result":{}}` + "\x00" + long(100_000, `,"sessionId":"S1"`) + long(940, "") + `{"method":"A.b","params":{},"sessionId":"S2"}` + "\x00")
	for i, want := range []cdproto.Message{
		{ID: 7}, {Method: "Inspector.targetCrashed", SessionID: "S1"}, {Method: "Fetch.requestPaused"}, {Method: "A.b", SessionID: "S2"},
	} {
		var m cdproto.Message
		if err := c.Read(t.Context(), &m); err != nil || m.ID != want.ID || m.Method != want.Method || m.SessionID != want.SessionID {
			t.Errorf("%d: %+v, %v, want %+v", i, m, err, want)
		}
	}
	if err := c.Read(t.Context(), new(cdproto.Message)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if err := reading(long(2000, "")).Read(t.Context(), new(cdproto.Message)); err == nil {
		t.Error("a long message of no page is taken in")
	}
}

// FuzzConnection: no bytes make a connection panic, hang or hold more than a message may have.
func FuzzConnection(f *testing.F) {
	f.Add(`{"id":7,"result":{}}` + "\x00" + `{"method":"A.b","params":{},"sessionId":"S"}` + "\x00")
	f.Add(strings.Repeat("x", 2000) + `,"sessionId":"S1"}` + "\x00\x00{}\x00")
	f.Fuzz(func(t *testing.T, text string) {
		c := reading(text)
		for range len(text) + 2 {
			if err := c.Read(context.Background(), new(cdproto.Message)); errors.Is(err, io.EOF) {
				return
			}
			if len(c.buffer) > 1000 {
				t.Fatalf("%d bytes held", len(c.buffer))
			}
		}
		t.Error("no end")
	})
}
