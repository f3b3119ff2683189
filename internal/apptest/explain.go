package apptest

import (
	"encoding/json"
	"testing"

	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
)

// Explained returns the explanation of a URL of a crawl folder.
func Explained(t *testing.T, dir, url string) *inspect.Explanation {
	t.Helper()
	text, err := Saying(func(j *job.Job) error { return verbs.Explain(t.Context(), j, dir, url, true) })
	if err != nil {
		t.Fatal(err)
	}
	x := new(inspect.Explanation)
	if err := json.Unmarshal([]byte(text), x); err != nil {
		t.Fatal(err)
	}
	return x
}
