package catalog_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"orbweaver/kb/catalog"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/weburl"
)

// sound checks the invariants of all catalogues: bounded, canonical, with names; merging makes names
// distinct, and merged datasets can be described.
func sound(t *testing.T, text []byte, o catalog.Options) {
	t.Helper()
	o.Name = strings.TrimSpace("fuzz" + o.Name)
	o.Limits = catalog.Limits{Bytes: 1 << 20, Datasets: 50, Entries: 20, Partitions: 20, Statements: 500, Problems: 50}
	c, err := catalog.Read(bytes.NewReader(text), o)
	if err != nil {
		if len(c.Datasets)+len(c.Problems) > 0 {
			t.Fatalf("%v, and %d datasets", err, len(c.Datasets))
		}
		return
	}
	if len(c.Datasets) > 50 || len(c.Problems) > 50 || len(c.Page.Names) > 100 {
		t.Fatalf("%d datasets, %d problems, %d names", len(c.Datasets), len(c.Problems), len(c.Page.Names))
	}
	for _, d := range c.Datasets {
		if d.Name == "" || len(d.Name) > 100 || strings.ContainsAny(d.Name, " \n\t/") {
			t.Fatalf("name %q", d.Name)
		}
		for _, e := range d.Endpoints {
			if canonical, err := weburl.Canonical(e); err != nil || canonical != e {
				t.Fatalf("endpoint %q: %q %v", e, canonical, err)
			}
		}
	}
	merged, _ := catalog.Merge(c.Datasets...)
	w := nquads.NewWriter(io.Discard)
	names := map[string]bool{}
	for _, d := range merged {
		if names[d.Name] {
			t.Fatalf("two are called %s", d.Name)
		}
		names[d.Name] = true
		for _, s := range catalog.Describe(d) {
			if err := w.Write(rdf.Quad{S: s.S, P: s.P, O: s.O}); err != nil {
				t.Fatalf("%+v: %v", s, err)
			}
		}
	}
}

func FuzzCKAN(f *testing.F) {
	f.Add(`{"success":true,"result":{"count":1,"results":[` + planes + `]}}`)
	f.Add(`{"success":true,"result":["a","b"]}`)
	f.Add(`{"success":false,"error":{"message":"x","__type":"y"}}`)
	f.Add(`{"result":[{"name":"a"},7,null]}`)
	f.Fuzz(func(t *testing.T, text string) { sound(t, []byte(text), catalog.Options{}) })
}

func FuzzLODCloud(f *testing.F) {
	f.Add(`{"a":{"_id":"a","title":"A","website":"http://a.test","triples":"1,000","namespace":"http://a.test/id/","sparql":[{"access_url":"http://a.test/sparql?default-graph-uri=x:y"}],` +
		`"full_download":[{"download_url":"http://a.test/d.nt.gz","media_type":"application/x-ntriples"}],"other_download":[{"access_url":"http://a.test/void.ttl","media_type":"meta/void"}],"example":[{"access_url":"http://a.test/1"}],"keywords":["k"]}}`)
	f.Add(`{"a":{"_id":"a","sparql":{"0":{"access_url":5}},"description":{"en":null}},"b":7}`)
	f.Fuzz(func(t *testing.T, text string) { sound(t, []byte(text), catalog.Options{}) })
}

func FuzzList(f *testing.F) {
	f.Add("- name: a\n  endpoint: http://a.test/\n  dump: [x.nt, http://a.test/d]\n  graph: urn:g\n  same: urn:s\n  triples: 5\n")
	f.Add("- {name: a, void: 'http://a.test/v'}\n- {title: |\n  x\n  }\n")
	f.Add("name: a\n---\n- b\n")
	f.Fuzz(func(t *testing.T, text string) { sound(t, []byte(text), catalog.Options{Name: ".yml"}) })
}

func FuzzRDF(f *testing.F) {
	f.Add(prefixes + `:d a void:Dataset ; void:sparqlEndpoint <http://a.test/s> ; void:dataDump <http://a.test/d.nt> ; void:subset :e ; void:triples 5 ; owl:sameAs <urn:x> ;
		void:propertyPartition [ void:property :p ; void:triples 5 ] ; void:classPartition [ void:class :c ; void:entities 1 ] . :e void:subset :d ; void:dataDump <http://a.test/e> .`)
	f.Add(prefixes + `:d a dcat:Dataset ; dcat:distribution [ dcat:downloadURL <http://a.test/a> ; dcat:mediaType "text/turtle" ] . :s a dcat:DataService ; dcat:endpointURL <http://a.test/sparql> ; dcat:servesDataset :d .`)
	f.Add(prefixes + `:s a sd:Service ; sd:endpoint :q ; sd:supportedLanguage sd:SPARQL11Query ; sd:defaultDataset [ sd:defaultGraph [ void:triples 5 ] ; sd:namedGraph [ sd:name :g ; sd:graph :d ] ] . :d a void:Dataset .`)
	f.Fuzz(func(t *testing.T, text string) {
		sound(t, []byte(text), catalog.Options{Name: ".ttl", MediaType: "text/turtle"})
	})
}

func FuzzJSONLD(f *testing.F) {
	f.Add(`{"@context":{"dcat":"http://www.w3.org/ns/dcat#"},"@id":"http://a.test/d","@type":"dcat:Dataset","dcat:distribution":{"dcat:downloadURL":{"@id":"http://a.test/d.nt"},"dcat:mediaType":"text/turtle"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		sound(t, []byte(text), catalog.Options{MediaType: "application/ld+json"})
	})
}

// FuzzPager: the pager of any portal terminates.
func FuzzPager(f *testing.F) {
	f.Add("package_search", int64(10), "a b c", "d e")
	f.Add("package_list", int64(-1), "a b c", "")
	f.Add("current_package_list_with_resources", int64(-1), "a", "b")
	f.Fuzz(func(t *testing.T, action string, count int64, odd, even string) {
		p, err := catalog.NewPager("http://hub.test/api/3/action/"+action, catalog.PagerOptions{Pages: 50})
		if err != nil {
			return
		}
		for i := 0; ; i++ {
			address, more := p.Next()
			if !more {
				break
			}
			if canonical, err := weburl.Canonical(address); i > 50 || err != nil {
				t.Fatalf("request %d: %s %s %v", i, address, canonical, err)
			}
			names := strings.Fields(odd)
			if i%2 == 1 {
				names = strings.Fields(even)
			}
			if p.Take(catalog.Catalogue{Page: catalog.Page{Names: names, Count: count, Listed: strings.HasSuffix(action, "list")}}) != nil {
				if _, more := p.Next(); more {
					t.Fatal("goes on after an error")
				}
			}
		}
	})
}
