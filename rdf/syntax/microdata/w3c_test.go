package microdata_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/microdata"
	"orbweaver/rdf/syntax/turtle"
)

// The suite of the Note passes in full, its one negative test included: there is no list of
// exceptions.
func TestW3C(t *testing.T) {
	const site = "http://w3c.github.io/microdata-rdf/"
	files := map[string][]byte{}
	for _, f := range rdftest.Archive(t, "microdata-rdf-tests.tar.gz", "tests/") {
		files[f.Name] = f.Data
	}
	var manifest struct {
		Graph []struct {
			Entries []struct {
				ID             string   `json:"@id"`
				Type           []string `json:"@type"`
				Comment        string
				Action, Result string
			}
		} `json:"@graph"`
	}
	if err := json.Unmarshal(files["tests/manifest.jsonld"], &manifest); err != nil {
		t.Fatal(err)
	}
	passed, positive := 0, 0
	registry := append(microdata.Registry(), microdata.Vocabulary{ // tests/test-registry.json
		Prefix: "http://expansion/",
		Properties: []microdata.Property{
			{Name: "equivalentProperty", EquivalentProperty: []string{rdfType}},
			{Name: "subPropertyOf", SubPropertyOf: []string{rdfType}},
		},
	})
	for _, e := range manifest.Graph[0].Entries {
		negative := strings.HasSuffix(strings.Join(e.Type, " "), "NegativeSyntax")
		ok := t.Run(e.ID+" "+e.Comment, func(t *testing.T) {
			base := site + "tests/" + e.Action
			opts := microdata.Options{Options: syntax.Options{Base: base}, Registry: registry}
			got, err := rdftest.All(microdata.Read(bytes.NewReader(files["tests/"+e.Action]), opts))
			if negative {
				if err == nil {
					t.Error("read without an error")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := rdftest.Collect(t, turtle.Read(bytes.NewReader(files["tests/"+e.Result]), syntax.Options{Base: base}))
			if !rdftest.Isomorphic(got, want) {
				t.Errorf("got\n%v\nwant\n%v", got, want)
			}
		})
		if !negative {
			positive++
		}
		if ok {
			passed++
		}
	}
	if all := len(manifest.Graph[0].Entries); positive != 83 || passed != all {
		t.Errorf("%d of %d tests passed, %d of them positive; want 83 positive", passed, all, positive)
	}
}
