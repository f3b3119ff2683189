package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

func (a *API) schema(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/schema+json")
	_, _ = w.Write(crawl.FileSchema()) // the client has gone
	return nil
}

// A place is what the API tells of the workspace.
type place struct {
	Folder string `json:"folder"`
	Full   string `json:"full,omitempty"` // why no crawl may go on: the disk
}

func (a *API) workspace(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, http.StatusOK, place{a.ws.Dir(), a.ws.Full()})
}

func (a *API) files(w http.ResponseWriter, _ *http.Request) error {
	all, err := a.ws.Files()
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"files": all})
}

func (a *API) putFile(w http.ResponseWriter, r *http.Request) error {
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	f, err := a.ws.Put(r.PathValue("name"), content)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, f)
}

// given returns the crawl file in a request and the crawl's name: the body as it is, with ?name=NAME, or JSON with both.
func given(r *http.Request) (name string, text []byte, err error) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(kind) != "application/json" {
		text, err = io.ReadAll(r.Body)
		return r.URL.Query().Get("name"), text, err
	}
	var in struct {
		Name string          `json:"name"`
		File json.RawMessage `json:"file"`
	}
	if err = body(r, &in); err != nil {
		return "", nil, err
	}
	var yaml string
	if json.Unmarshal(in.File, &yaml) == nil {
		return in.Name, []byte(yaml), nil
	}
	return in.Name, in.File, nil // an object, which is YAML too
}

func (a *API) validate(w http.ResponseWriter, r *http.Request) error {
	name, text, err := given(r)
	if err != nil {
		return err
	}
	if name == "" {
		name = "crawl"
	}
	problems := []crawl.Problem{}
	if err := a.ws.Validate(name, text); err != nil {
		if problems = crawl.Problems(err); len(problems) == 0 {
			return err
		}
	}
	return answer(w, http.StatusOK, map[string]any{"problems": problems})
}

func (a *API) demo(w http.ResponseWriter, r *http.Request) error {
	view, err := a.ws.Demo(r.Context())
	if err != nil {
		return err
	}
	return answer(w, http.StatusAccepted, view)
}

func (a *API) trash(w http.ResponseWriter, _ *http.Request) error {
	all, err := a.ws.Trash()
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"trash": all})
}

func (a *API) restore(w http.ResponseWriter, r *http.Request) error {
	view, err := a.ws.Restore(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, view)
}

func (a *API) forget(w http.ResponseWriter, r *http.Request) error {
	if err := a.ws.Forget(r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *API) crawls(w http.ResponseWriter, r *http.Request) error {
	all, err := a.ws.Crawls(r.Context())
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"crawls": all})
}

func (a *API) create(w http.ResponseWriter, r *http.Request) error {
	name, text, err := given(r)
	if err != nil {
		return err
	}
	view, err := a.ws.Create(r.Context(), name, text)
	if err == nil && r.URL.Query().Get("start") == "true" {
		err = a.ws.Start(r.Context(), view.ID)
	}
	if err != nil {
		return err
	}
	w.Header().Set("Location", Base+"/crawls/"+view.ID)
	return answer(w, http.StatusCreated, view)
}

func (a *API) crawl(w http.ResponseWriter, r *http.Request) error {
	view, err := a.ws.Crawl(r.Context(), r.PathValue("crawl"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, view)
}

func (a *API) delete(w http.ResponseWriter, r *http.Request) error {
	thrown, err := a.ws.Delete(r.Context(), r.PathValue("crawl"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, thrown)
}

func (a *API) file(w http.ResponseWriter, r *http.Request) error {
	text, err := a.ws.Text(r.PathValue("crawl"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/yaml")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text) // the client has gone
	return nil
}

func (a *API) save(w http.ResponseWriter, r *http.Request) error {
	_, text, err := given(r)
	if err == nil {
		err = a.ws.Save(r.PathValue("crawl"), text)
	}
	if err != nil {
		return err
	}
	return a.crawl(w, r)
}

func (a *API) start(w http.ResponseWriter, r *http.Request) error {
	return a.steer(w, r, a.ws.Start(r.Context(), r.PathValue("crawl")))
}

func (a *API) pause(w http.ResponseWriter, r *http.Request) error {
	return a.steer(w, r, a.ws.Pause(r.Context(), r.PathValue("crawl")))
}

func (a *API) resume(w http.ResponseWriter, r *http.Request) error {
	return a.steer(w, r, a.ws.Resume(r.Context(), r.PathValue("crawl")))
}

func (a *API) stop(w http.ResponseWriter, r *http.Request) error {
	return a.steer(w, r, a.ws.Stop(r.Context(), r.PathValue("crawl")))
}

// steer answers with the crawl as it is after a change.
func (a *API) steer(w http.ResponseWriter, r *http.Request, err error) error {
	if err != nil {
		return err
	}
	view, err := a.ws.Crawl(r.Context(), r.PathValue("crawl"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusAccepted, view)
}

// use calls f with the crawl of a request.
func (a *API) use(r *http.Request, f func(*crawl.Crawl) error) error {
	return a.ws.Use(r.Context(), r.PathValue("crawl"), f)
}

// found answers with what f finds of a crawl.
func found[T any](a *API, w http.ResponseWriter, r *http.Request, f func(*crawl.Crawl) (T, error)) error {
	var value T
	if err := a.use(r, func(c *crawl.Crawl) (err error) {
		value, err = f(c)
		return err
	}); err != nil {
		return err
	}
	return answer(w, http.StatusOK, value)
}

// address is the parameter url.
func address(r *http.Request) (string, error) {
	url := r.URL.Query().Get("url")
	if url == "" {
		return "", fmt.Errorf("url: it is missing (%w)", orbweaver.ErrInput)
	}
	return url, nil
}
