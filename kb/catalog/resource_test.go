package catalog

import "testing"

// TestRoles: formats as real catalogues write them.
func TestRoles(t *testing.T) {
	const nt, ttl, xml, nq = "application/n-triples", "text/turtle", "application/rdf+xml", "application/n-quads"
	for _, tc := range []struct {
		format, address, words string
		role                   role
		mediaType              string
	}{
		{"api/sparql", "http://a.test/sparql", "", isEndpoint, ""},
		{"SPARQL", "http://a.test/q", "", isEndpoint, ""},
		{" \"api/sparql\"; x", "http://a.test/q", "", isEndpoint, ""},
		{"http://publications.europa.eu/resource/authority/file-type/SPARQLQ", "http://a.test/q", "", isEndpoint, ""},
		{"application/sparql-results+xml", "http://a.test/q", "", isOther, ""},
		{"api/search", "http://a.test/q", "", isOther, ""},
		{"meta/void", "http://a.test/x.ttl", "", isVoid, ""},
		{"VoID", "http://a.test/x", "", isVoid, ""},
		{"text/turtle", "http://a.test/.well-known/void", "", isVoid, ""},
		{"", "http://a.test/void.ttl", "", isVoid, ""},
		{"text/html", "http://a.test/void.html", "", isOther, ""},
		{"example/rdf+xml", "http://a.test/1", "", isExample, ""},
		{"example/turtle", "http://a.test/void.ttl", "", isExample, ""},
		{"meta/rdf-schema", "http://a.test/ns#", "", isSchema, ""},
		{"meta/sitemap", "http://a.test/sitemap.xml", "", isOther, ""},
		{"mapping/owl", "http://a.test/m.owl", "", isOther, ""},
		{"RDF", "http://a.test/d", "", isDump, ""},
		{"RDF", "http://a.test/d.nt.gz", "", isDump, nt},
		{"rdf/turtle", "http://a.test/d", "", isDump, ttl},
		{"application/x-ntriples", "http://a.test/d", "", isDump, nt},
		{"application/x-nquads", "http://a.test/d", "", isDump, nq},
		{"text/turtle;charset=UTF-8", "http://a.test/d", "", isDump, ttl},
		{"https://www.iana.org/assignments/media-types/application/rdf+xml", "http://a.test/d", "", isDump, xml},
		{"gzip::nquads", "http://a.test/d", "", isDump, nq},
		{"gz:nt", "http://a.test/d", "", isDump, nt},
		{"JSON-LD", "http://a.test/d", "", isDump, "application/ld+json"},
		{"application/x-gzip", "http://a.test/d.ttl.gz", "", isDump, ttl},
		{"application/x-gzip", "http://a.test/dump.tgz", "Download (tar gzip of RDF)", isDump, ""},
		{"application/zip", "http://a.test/rdf/dump.zip", "", isDump, ""},
		{"application/zip", "http://a.test/shapes.zip", "Roads as a shapefile", isOther, ""},
		{"", "http://a.test/d.nq.bz2", "", isDump, nq},
		{"", "http://a.test/d.zip", "", isOther, ""},
		{"CSV", "http://a.test/d.rdf", "", isOther, ""},
		{"HTML", "http://a.test/", "all of it as RDF", isOther, ""},
		{"RDF", " ", "", isOther, ""},
	} {
		role, mediaType := roleOf(tc.format, tc.address, tc.words)
		if role != tc.role || mediaType != tc.mediaType {
			t.Errorf("%q %s %q: %d %q, want %d %q", tc.format, tc.address, tc.words, role, mediaType, tc.role, tc.mediaType)
		}
	}
}

// TestComplete checks when a list of properties counts as complete.
func TestComplete(t *testing.T) {
	p := func(iri string, n int64) Partition { return Partition{IRI: iri, Triples: n} }
	for _, tc := range []struct {
		name    string
		triples int64
		list    []Partition
		want    bool
	}{
		{"the sum is that of the whole", 10, []Partition{p("a", 4), p("b", 6)}, true},
		{"one is missing", 10, []Partition{p("a", 4)}, false},
		{"more than the whole", 10, []Partition{p("a", 4), p("b", 7)}, false},
		{"one does not say", 10, []Partition{p("a", 10), p("b", 0)}, false},
		{"one is there twice", 10, []Partition{p("a", 5), p("a", 5)}, false},
		{"the whole does not say", 0, []Partition{p("a", 4)}, false},
		{"no list", 10, nil, false},
		{"a sum beyond what a number holds", 1, []Partition{p("a", 1<<62), p("b", 1<<62), p("c", 1<<62), p("d", 1<<62), p("e", 1)}, false},
	} {
		if got := complete(Dataset{Triples: tc.triples, Properties: tc.list}); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"dbpedia": "dbpedia", "UK JISC (RKBExplorer)": "UK-JISC-RKBExplorer", "  a  b ": "a-b", "Müller": "M-ller", "..": "", "": "", "日本": "", "x_1.0": "x_1.0",
	} {
		if got := slug(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
