package api

import (
	"cmp"
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// unnamed is the name of a crawl file in problems, if the request has none.
const unnamed = "crawl"

func (a *API) keys(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, http.StatusOK, map[string]any{"keys": crawl.FileKeys()})
}

// A drafted crawl file is not a crawl yet.
type drafted struct {
	File     string            `json:"file"`
	Values   map[string]string `json:"values"`
	Problems []crawl.Problem   `json:"problems"`
}

// drafted answers with a crawl file, its values and problems.
func (a *API) drafted(w http.ResponseWriter, name, file string) error {
	d := drafted{File: file, Values: map[string]string{}, Problems: []crawl.Problem{}}
	if values, err := crawl.FileValues([]byte(file)); err == nil {
		d.Values = values
	}
	if err := a.ws.Validate(cmp.Or(name, unnamed), []byte(file)); err != nil {
		if d.Problems = crawl.Problems(err); len(d.Problems) == 0 {
			return err
		}
	}
	return answer(w, http.StatusOK, d)
}

func (a *API) draft(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name string `json:"name"`
		workspace.Beginning
	}
	if err := body(r, &in); err != nil {
		return err
	}
	file, err := a.ws.Draft(r.Context(), in.Beginning)
	if err != nil {
		return err
	}
	return a.drafted(w, in.Name, file)
}

func (a *API) edit(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name string            `json:"name"`
		File string            `json:"file"`
		Set  map[string]string `json:"set"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	file, err := crawl.SetFileValues([]byte(in.File), in.Set)
	if err != nil {
		return err
	}
	return a.drafted(w, in.Name, string(file))
}

func (a *API) fetch(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		URL    string `json:"url"`
		Folder string `json:"folder"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	if in.Folder != "ontologies" && in.Folder != "documents" {
		return fmt.Errorf("folder: it is ontologies or documents (%w)", orbweaver.ErrInput)
	}
	f, err := a.ws.Fetch(r.Context(), in.Folder, in.URL)
	if err != nil {
		return err
	}
	return answer(w, http.StatusCreated, f)
}

func (a *API) scope(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name string   `json:"name"`
		File string   `json:"file"`
		URLs []string `json:"urls"`
	}
	if err := body(r, &in); err != nil {
		return err
	}
	all, err := a.ws.Scope(cmp.Or(in.Name, unnamed), []byte(in.File), in.URLs)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, map[string]any{"urls": all})
}

// try judges a sample. That a page cannot be judged is an answer too: it says how far it came.
func (a *API) try(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Name string `json:"name"`
		File string `json:"file"`
		crawl.Sample
	}
	if err := body(r, &in); err != nil {
		return err
	}
	trial, err := a.ws.Try(r.Context(), cmp.Or(in.Name, unnamed), []byte(in.File), in.Sample)
	if trial == nil {
		return err
	}
	said := struct {
		*crawl.Trial
		Message string `json:"message,omitempty"`
	}{Trial: trial}
	if err != nil {
		said.Message = err.Error()
	}
	return answer(w, http.StatusOK, said)
}
