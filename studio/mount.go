package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"orbweaver/studio/assets"
	"orbweaver/studio/pages"
	"orbweaver/studio/workspace"
)

// viewRate is the time between two looks at what a live page shows, and sendTime the time for a client to take a change.
const (
	viewRate = time.Second
	sendTime = 30 * time.Second
)

// mount adds the pages and their assets.
func (s *Server) mount(mux *http.ServeMux) {
	h := pages.New(pages.Options{
		Workspace: s.opts.Workspace, Cluster: s.opts.Cluster, Asset: assets.Path,
		Token:    func(r *http.Request) string { return s.gate.token(noted[string](r, sessionKey{})) },
		Nonce:    func(r *http.Request) string { return noted[string](r, nonceKey{}) },
		MayWrite: func(r *http.Request) bool { return noted[role](r, roleKey{}) == owner },
		Replay:   func(r *http.Request, id, url string) string { return s.frames.Load().address(r, id, url) },
		Demo: func(ctx context.Context) (string, error) {
			c, err := s.opts.Workspace.Demo(ctx)
			return c.ID, err
		},
	})
	mux.Handle("GET /assets/", assets.Handler())
	mux.HandleFunc("GET /crawls/{crawl}/view", func(w http.ResponseWriter, r *http.Request) {
		s.view(w, r, func() (map[string]string, error) { return h.LiveParts(r.Context(), r.PathValue("crawl")) })
	})
	mux.HandleFunc("GET /view", func(w http.ResponseWriter, r *http.Request) {
		s.view(w, r, func() (map[string]string, error) { return h.HomeParts(r) })
	})
	mux.HandleFunc("GET /cluster/view", func(w http.ResponseWriter, r *http.Request) {
		s.view(w, r, func() (map[string]string, error) { return h.ClusterParts(r) })
	})
	mux.Handle("/", h)
}

// noted is what guard noted of a request.
func noted[T any](r *http.Request, key any) (value T) {
	value, _ = r.Context().Value(key).(T)
	return value
}

// style is the path of the style sheet.
func (s *Server) style() string { return assets.Path("app.css") }

// A part of a page that changes.
type part struct {
	ID   string `json:"id"`
	HTML string `json:"html"`
}

// view streams the parts of a live page as they change, once a second at most, as server-sent events.
func (s *Server) view(w http.ResponseWriter, r *http.Request, parts func() (map[string]string, error)) {
	control := http.NewResponseController(w)
	tick := time.NewTicker(viewRate)
	defer tick.Stop()
	was := map[string]string{}
	for {
		now, err := parts()
		if errors.Is(err, workspace.ErrUnknown) && len(was) == 0 { // another error passes: a crawl that begins cannot be asked for a moment
			s.refuse(w, r, http.StatusNotFound, err.Error())
			return
		}
		var changed []part
		for _, id := range slices.Sorted(maps.Keys(now)) {
			if html, known := was[id]; !known || html != now[id] {
				changed = append(changed, part{id, now[id]})
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_ = control.SetWriteDeadline(time.Now().Add(sendTime)) // not supported by a recorder
		if err := sendParts(w, changed); err != nil || control.Flush() != nil {
			return
		}
		if now != nil {
			was = now
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// sendParts sends an event; a comment if nothing changed.
func sendParts(w http.ResponseWriter, changed []part) error {
	text := ": as it was\n\n"
	if len(changed) > 0 {
		data, err := json.Marshal(map[string]any{"parts": changed})
		if err != nil {
			return err
		}
		text = "event: part\ndata: " + string(data) + "\n\n"
	}
	if _, err := strings.NewReader(text).WriteTo(w); err != nil {
		return fmt.Errorf("studio: %w", err)
	}
	return nil
}
