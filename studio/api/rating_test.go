package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"orbweaver/studio/api"
)

// rated rates a sample of the demo crawl, with two raters.
func (d *desk) rated(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	const js, at = "application/json", "/crawls/aircraft/ratings/first"
	want(200, "GET", "/crawls/aircraft/ratings", "", "")
	want(404, "GET", "/crawls/none/ratings", "", "")
	made := want(201, "POST", "/crawls/aircraft/ratings", js, `{"name": "first", "seed": 3, "pages": 12}`)
	if !strings.Contains(string(made), `"pages":12`) || !strings.Contains(string(made), `"folder":"ratings/aircraft/first"`) {
		d.t.Errorf("%s", made)
	}
	want(409, "POST", "/crawls/aircraft/ratings", js, `{"name": "first", "pages": 12}`)
	for _, bad := range []string{`{"name": "../x", "pages": 2}`, `{"name": "x", "pages": -1}`, `{"name": "x", "pages": 10001}`, `{"name": "x", "design": {"z": 1, "error": 2, "sigma": 1}}`, `{"name": "x", "sead": 1}`, `{"name": "sheet"}`} {
		want(400, "POST", "/crawls/aircraft/ratings", js, bad)
	}
	var seat struct {
		Answered, Skipped, Pages int
		Text                     string
		Next                     *struct{ ID, URL, Title string }
	}
	ids := map[string][]string{}
	for i, rater := range []string{"anna", "ben"} {
		for n := range 12 {
			text := want(200, "GET", at+"/next?rater="+rater, "", "")
			if err := json.Unmarshal(text, &seat); err != nil || seat.Next == nil || seat.Answered != n || seat.Text == "" {
				d.t.Fatalf("%v: %s", err, text)
			}
			for _, never := range []string{"score", "accepted", "ben\"", "stratum"} {
				if strings.Contains(strings.TrimPrefix(string(text), `{"rater":"ben"`), `"`+never) {
					d.t.Errorf("a rater is told of %s: %s", never, text)
				}
			}
			ids[rater] = append(ids[rater], seat.Next.ID)
			want(200, "POST", at+"/answers", js, fmt.Sprintf(`{"rater": %q, "id": %q, "answer": %q, "note": "=1+1"}`, rater, seat.Next.ID, []string{"yes", "no"}[(n+i)%2]))
		}
	}
	if fmt.Sprint(ids["anna"]) == fmt.Sprint(ids["ben"]) {
		d.t.Error("both raters have the same order")
	}
	if text := want(200, "GET", at+"/next?rater=anna", "", ""); !strings.Contains(string(text), `"next":null`) {
		d.t.Errorf("%s", text)
	}
	last := ids["anna"][11]
	if text := want(200, "POST", at+"/back", js, `{"rater": "anna"}`); !strings.Contains(string(text), last) || !strings.Contains(string(text), `"answered":11`) {
		d.t.Errorf("%s", text)
	}
	want(200, "POST", at+"/answers", js, fmt.Sprintf(`{"rater": "anna", "id": %q, "answer": "skip"}`, last))
	if text := want(200, "GET", at+"/next?rater=anna&again=true", "", ""); !strings.Contains(string(text), last) {
		d.t.Errorf("%s", text)
	}
	for _, bad := range []string{`{"rater": "anna", "id": "` + last + `", "answer": "perhaps"}`, `{"rater": "settled", "id": "` + last + `"}`, `{"rater": "a/b", "id": "` + last + `"}`, `{"rater": "", "id": "` + last + `"}`} {
		want(400, "POST", at+"/answers", js, bad)
	}
	want(404, "POST", at+"/answers", js, `{"rater": "anna", "id": "none"}`)
	want(400, "GET", at+"/next?rater=..%2Fx", "", "")
	want(404, "GET", "/crawls/aircraft/ratings/none/next?rater=anna", "", "")
	want(400, "GET", "/crawls/aircraft/ratings/a.b/next?rater=anna", "", "")
	d.settles(want, at)
}

// settles looks at what differs, settles it, and takes sheets out and in.
func (d *desk) settles(want func(code int, method, path, kind, body string) []byte, at string) {
	d.t.Helper()
	const js = "application/json"
	var differing struct {
		Differences []struct{ ID string }
		Total       int
	}
	text := want(200, "GET", at+"/differences?limit=2", "", "")
	if err := json.Unmarshal(text, &differing); err != nil || differing.Total < 3 || len(differing.Differences) != 2 {
		d.t.Fatalf("%v: %s", err, text)
	}
	id := differing.Differences[0].ID
	before := want(200, "GET", at+"/score", "", "")
	want(200, "POST", at+"/settle", js, fmt.Sprintf(`{"id": %q, "answer": "yes"}`, id))
	want(400, "POST", at+"/settle", js, fmt.Sprintf(`{"id": %q, "answer": "skip"}`, id))
	if after := want(200, "GET", at+"/score", "", ""); string(after) == string(before) {
		d.t.Error("what was settled changes nothing")
	}
	sheet := want(200, "GET", at+"/sheet?rater=ben", "", "")
	if !strings.Contains(string(sheet), "'=1+1") || strings.Contains(string(sheet), ",=1+1") {
		d.t.Errorf("a note is a formula: %s", sheet)
	}
	want(200, "GET", at+"/sheet?rater=settled", "", "")
	want(200, "GET", at+"/key", "", "")
	want(404, "GET", at+"/sheet?rater=nobody", "", "")
	want(400, "GET", at+"/sheet?rater=sheet.key", "", "")
	blank := want(200, "GET", at+"/sheet", "", "")
	want(409, "PUT", at+"/sheet?rater=ben", "text/csv", string(blank))
	want(200, "PUT", at+"/sheet?rater=ben&replace=true", "text/csv", string(sheet))
	want(200, "PUT", at+"/sheet?rater=cleo", "text/csv", string(blank))
	if problem := want(400, "PUT", at+"/sheet?rater=dan", "text/csv", strings.Replace(string(sheet), ",yes,", ",perhaps,", 1)); !strings.Contains(string(problem), "dan.csv:") {
		d.t.Errorf("no line is named: %s", problem)
	}
	want(400, "PUT", at+"/sheet?rater=..%2Fx", "text/csv", string(sheet))
	want(200, "POST", at+"/teach", js, `{}`)
	want(200, "POST", at+"/teach", js, `{"withdrawn": true}`)
	want(200, "GET", at, "", "")
	want(200, "DELETE", at, "", "")
	want(404, "GET", at, "", "")
}

// TestLargeSheets: a sheet beyond the bound of a body is refused.
func TestLargeSheets(t *testing.T) {
	d := newDesk(t)
	d.ask("POST", "/demo", "", "")
	d.wait("aircraft")
	d.ask("POST", "/crawls/aircraft/ratings", "application/json", `{"name": "first", "pages": 3}`)
	r, err := http.NewRequestWithContext(t.Context(), "PUT", d.url+api.Base+"/crawls/aircraft/ratings/first/sheet?rater=anna", strings.NewReader("id,relevant\n"+strings.Repeat("x", 17<<20)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Skip(err) // the server hangs up when it has read enough
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("%s", response.Status)
	}
}
