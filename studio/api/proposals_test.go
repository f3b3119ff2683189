package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// proposed decides suggestions of the demo crawl in all ways, asks what would change, and undoes all.
func (d *desk) proposed(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	const base, j = "/crawls/aircraft", "application/json"
	var all struct {
		Proposals []struct{ ID, Text, State string }
		States    map[string]int
		Next      string
	}
	read := func(query string) {
		d.t.Helper()
		all.Proposals, all.States, all.Next = nil, nil, ""
		if err := json.Unmarshal(want(200, "GET", base+"/proposals?"+query, "", ""), &all); err != nil || len(all.Proposals) == 0 {
			d.t.Fatalf("%s: no proposals, %v", query, err)
		}
	}
	read("limit=2&state=open&kind=word")
	one, two := all.Proposals[0].ID, all.Proposals[1].ID
	if read("limit=2&state=open&kind=word&after=" + all.Next); all.Proposals[0].ID == one {
		d.t.Error("the next part begins with the first")
	}
	want(400, "GET", base+"/proposals?state=new", "", "")
	want(200, "GET", base+"/proposals/"+one, "", "")
	want(404, "GET", base+"/proposals/none", "", "")
	ontology := filepath.Join(d.dir, "demo", "aircraft.ttl")
	was, err := os.ReadFile(ontology)
	if err != nil {
		d.t.Fatal(err)
	}
	accept := `{"accepted": true, "as": "instance", "entity": "Airplane"%s}`
	var would, did struct{ Before, After, Pages, Judged int }
	if err := json.Unmarshal(want(200, "POST", base+"/proposals/"+one+"/effect", j, fmt.Sprintf(accept, "")), &would); err != nil || would.Judged == 0 {
		d.t.Errorf("%+v, %v", would, err)
	}
	want(400, "POST", base+"/proposals/"+one+"/effect", j, fmt.Sprintf(accept, `, "id": "`+two+`"`))
	want(200, "POST", base+"/decisions", j, fmt.Sprintf(accept, `, "by": "Ada", "id": "`+one+`"`))
	if err := json.Unmarshal(want(200, "POST", base+"/effect", j, `{}`), &did); err != nil || did.Before != would.After || did.After != did.Before {
		d.t.Errorf("%+v, then %+v, %v", would, did, err)
	}
	text, _ := json.Marshal(string(was) + "\nav:Zeppelin a owl:Class ; rdfs:subClassOf av:Airplane ; rdfs:label \"zeppelin\"@en .\n")
	revision := fmt.Sprintf(`"files": {"demo/aircraft.ttl": %s}, "keys": {"focus.ontology.base": "0.4"}`, text)
	want(200, "POST", base+"/effect", j, "{"+revision+"}")
	want(400, "POST", base+"/effect", j, `{"files": {"../aircraft.ttl": ""}}`)
	both := want(200, "POST", base+"/try-both", j, `{"text": "The zeppelin landed on a field, and was looked at.", `+revision+"}")
	if !bytes.Contains(both, []byte(`"now":{"url"`)) || strings.Count(string(both), "zeppelin: ") == 0 {
		d.t.Errorf("%.400s", both)
	}
	want(200, "POST", base+"/decisions", j, `{"id": "`+two+`", "later": true}`)
	want(400, "POST", base+"/decisions", j, `{"id": "`+two+`", "later": true, "accepted": true}`)
	want(200, "POST", base+"/decisions", j, `{"id": "`+two+`"}`)
	if told := want(200, "GET", base+"/decisions", "", ""); strings.Count(string(told), `"at":"`) < 3 || !bytes.Contains(told, []byte(`"by":"Ada"`)) {
		d.t.Errorf("%s", told)
	}
	if chart := want(200, "GET", base+"/curve", "", ""); !bytes.Contains(chart, []byte(`"label":"accepted: `)) {
		d.t.Errorf("no mark of a decision: %.300s", chart)
	}
	read("state=accepted")
	for _, id := range []string{one, two} {
		want(200, "POST", base+"/decisions", j, `{"id": "`+id+`", "withdrawn": true}`)
	}
	if now, err := os.ReadFile(ontology); err != nil || !bytes.Equal(now, was) {
		d.t.Errorf("the ontology has %d bytes, had %d: %v", len(now), len(was), err)
	}
	if read(""); all.States["accepted"]+all.States["rejected"]+all.States["later"] != 0 {
		d.t.Errorf("%v", all.States)
	}
	want(400, "POST", base+"/proposals", j, `{"from": "aircraft"}`)
	want(404, "POST", base+"/proposals", j, `{"from": "none"}`)
	want(201, "POST", "/crawls?name=labels&start=true", "application/yaml", "seeds: [http://tidings.example/]\nweb: {archive: demo/demo.warc.gz}\n"+
		"focus: {crossref: {item: 'http://skylines.example/types/a320.html'}}\nlimits: {requests: 150}\n")
	d.wait("labels")
	want(200, "POST", base+"/proposals", j, `{"from": "labels"}`)
	read("state=open&limit=200")
}
