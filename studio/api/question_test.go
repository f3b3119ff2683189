package api_test

import (
	"encoding/json"
	"os"
	"path/filepath"

	"orbweaver/crawl"
	"orbweaver/internal/realdata"
)

// questioned asks what a crawl for terms asks, and answers it.
func (d *desk) questioned(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	ontology, err := os.ReadFile(filepath.Join(realdata.Root(d.t), "examples", "quay.ttl"))
	if err == nil {
		err = os.WriteFile(filepath.Join(d.ws.Dir(), "quay.ttl"), ontology, 0o600)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	const file = "focus: {metadata: {terms: ['http://quay.example/terms#Crane', 'http://quay.example/terms#Berth'], expand: judged, " +
		"datasets: [{name: quay, dump: quay.ttl}]}}\ndocuments: {'http://quay.example/terms': quay.ttl}\n"
	want(201, "POST", "/crawls?name=quay&start=true", "application/yaml", file)
	d.wait("quay")
	var asking crawl.Asking
	read := func(answer []byte) {
		d.t.Helper()
		asking = crawl.Asking{}
		if err := json.Unmarshal(answer, &asking); err != nil {
			d.t.Fatal(err)
		}
	}
	read(want(200, "GET", "/crawls/quay/question", "", ""))
	if asking.Question == nil || asking.Question.Gain < 9 || asking.Waits {
		d.t.Fatalf("it asks %+v", asking)
	}
	body, _ := json.Marshal(map[string]any{"answers": []crawl.ClassAnswer{{Class: asking.Question.Class, Yes: true, By: "Ada"}}})
	read(want(200, "POST", "/crawls/quay/answers", "application/json", string(body)))
	if !asking.Waits || len(asking.Answers) != 1 || !asking.Answers[0].Yes {
		d.t.Errorf("after a yes: %+v", asking)
	}
	for _, wrong := range []string{`{"answers": []}`, `{"answers": [{"class": "http://quay.example/terms#None", "yes": true}]}`} {
		if code, answer := d.ask("POST", "/crawls/quay/answers", "application/json", wrong); code < 400 || code >= 500 {
			d.t.Errorf("%s: %d %s", wrong, code, answer)
		}
	}
	if code, answer := d.ask("GET", "/crawls/linked/question", "", ""); code < 400 || code >= 500 {
		d.t.Errorf("a crawl that asks nothing: %d %s", code, answer)
	}
}
