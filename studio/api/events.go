package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// How events are sent.
const (
	sendTime  = 30 * time.Second // for a client to take an event
	stateRate = time.Second      // least time between two events of a crawl's state
	aliveRate = 15 * time.Second // between two comments that tell a client, and what stands between, that the connection lives
)

// events streams the outcomes of a crawl from a number on, and its state as it changes, as server-sent events:
//
//	outcomes  {"pages": [...]} with id: the number of the last of them
//	state     the crawl as GET /crawls/{crawl} has it
//
// Last-Event-ID, or ?after=N, says after which outcome to begin; without either only those to come are sent.
func (a *API) events(w http.ResponseWriter, r *http.Request) error {
	view, err := a.ws.Crawl(r.Context(), r.PathValue("crawl"))
	if err != nil {
		return err
	}
	after := int64(1) << 62
	for _, given := range []string{r.URL.Query().Get("after"), r.Header.Get("Last-Event-ID")} {
		if given == "" {
			continue
		}
		if after, err = strconv.ParseInt(given, 10, 64); err != nil || after < 0 {
			return fmt.Errorf("after: %q is no number of an outcome (%w)", given, orbweaver.ErrInput)
		}
	}
	var c *crawl.Crawl
	if err := a.ws.Use(r.Context(), view.ID, func(of *crawl.Crawl) error { c = of; return nil }); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	parts := make(chan []crawl.Page)
	failed := make(chan error, 1)
	go func() {
		defer close(parts)
		for part, err := range c.Follow(ctx, after) {
			if err != nil {
				failed <- err
				return
			}
			select {
			case parts <- part:
			case <-ctx.Done():
				return
			}
		}
	}()
	s := newSender(w)
	return s.outcomes(ctx, a.ws, view, parts, failed)
}

// A sender writes server-sent events. A client that takes none for sendTime is cut off.
type sender struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// newSender begins an answer of server-sent events.
func newSender(w http.ResponseWriter) *sender {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	return &sender{w, http.NewResponseController(w)}
}

// send sends an event; id may be empty.
func (s *sender) send(kind, id string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("api: %w", err)
	}
	text := "event: " + kind + "\n"
	if id != "" {
		text += "id: " + id + "\n"
	}
	return s.write(text + "data: " + string(data) + "\n\n")
}

// alive sends a comment.
func (s *sender) alive() error { return s.write(": alive\n\n") }

func (s *sender) write(text string) error {
	_ = s.control.SetWriteDeadline(time.Now().Add(sendTime)) // not supported by a recorder
	if _, err := s.w.Write([]byte(text)); err != nil {
		return fmt.Errorf("api: %w", err)
	}
	if err := s.control.Flush(); err != nil {
		return fmt.Errorf("api: %w", err)
	}
	return nil
}

// outcomes sends outcomes and states until ctx is done. Once an event is sent, errors end the answer.
func (s *sender) outcomes(ctx context.Context, ws *workspace.Workspace, view workspace.Crawl, parts <-chan []crawl.Page, failed <-chan error) error {
	state, alive := time.NewTicker(stateRate), time.NewTicker(aliveRate)
	defer state.Stop()
	defer alive.Stop()
	var last string
	tell := func() error {
		now, err := ws.Crawl(ctx, view.ID)
		if err != nil {
			return err
		}
		text, err := json.Marshal(now)
		if err != nil || string(text) == last {
			return err
		}
		last = string(text)
		return s.send("state", "", now)
	}
	err := tell()
	for err == nil {
		select {
		case part, more := <-parts:
			if !more {
				return nil
			}
			err = s.send("outcomes", strconv.FormatInt(part[len(part)-1].N, 10), map[string]any{"pages": part})
		case <-state.C:
			err = tell()
		case <-alive.C:
			err = s.alive()
		case err = <-failed:
		case <-ctx.Done():
			return nil
		}
	}
	return nil // the client sees the end, and asks again from where it was
}
