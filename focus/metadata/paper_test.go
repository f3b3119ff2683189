package metadata_test

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"orbweaver/focus/metadata"
	"orbweaver/internal/realdata"
	"orbweaver/kb/terms"
)

const (
	dbo    = "http://dbpedia.org/ontology/"
	mo     = "http://purl.org/ontology/mo/"
	schema = "http://schema.org/"
)

// musicTerms are those of section 6.2 without the WordNet one, whose dataset no longer exists.
func musicTerms() []string {
	return []string{
		mo + "MusicArtist", mo + "MusicalWork", mo + "Composition", dbo + "MusicalWork", dbo + "Song",
		dbo + "Album", dbo + "MusicalArtist", dbo + "Single",
	}
}

// musicWeb has the ontologies of the paper's time as documents and as datasets.
func musicWeb(tb testing.TB) (*web, []metadata.Dataset) {
	w := newWeb(tb)
	files := []struct{ name, file, prefix string }{
		{"dbpedia", "dbpedia-3.9.owl.gz", dbo}, {"mo", "mo-2013.n3.gz", mo},
		{"frbr", "frbr-2009.n3", "http://purl.org/vocab/frbr/core"}, {"foaf", "foaf-2014.n3", "http://xmlns.com/foaf/0.1/"},
		{"schema", "schema-2014-02.n3.gz", schema}, {"event", "event-2007.n3", "http://purl.org/NET/c4dm/event.owl"},
	}
	var datasets []metadata.Dataset
	for _, f := range files {
		b := w.real(f.file)
		w.documents[f.prefix] = b
		w.dataset("http://"+f.name+".test/sparql", b)
		datasets = append(datasets, metadata.Dataset{Name: f.name, Endpoint: "http://" + f.name + ".test/sparql"})
	}
	return w, datasets
}

// found returns the IRIs of the terms reached, sorted.
func found(all []terms.Term) (iris []string) {
	for _, t := range all {
		if t.Found {
			iris = append(iris, t.IRI)
		}
	}
	slices.Sort(iris)
	return iris
}

// verdicts returns the rows of Appendix 2: by term, the human judgement and whether CRAWLER-LD found it.
func verdicts(tb testing.TB) (relevant, paper map[string]bool) {
	relevant, paper = map[string]bool{}, map[string]bool{}
	file, err := os.Open(realdata.File(tb, "ontologies/appendix2-truth.tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if row := strings.Split(lines.Text(), "\t"); row[0] != "n" {
			relevant[row[1]], paper[row[1]] = row[3] == "Y", row[5] == "Y"
		}
	}
	return relevant, paper
}

// TestPaperMusic reproduces Appendix 2 and Table 2 of the paper, by the default order and by Appendix 1's: 11 terms,
// P 1.0, R .7857, F1 .88.
func TestPaperMusic(t *testing.T) {
	for _, order := range []metadata.Order{metadata.Sorted, metadata.Prepended} {
		have, relevant, paper := music(t, order, metadata.PaperRelations())
		var want []string
		for iri, is := range paper {
			if is {
				want = append(want, iri)
			}
		}
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Fatalf("order %d: found %v\nwant %v", order, have, want)
		}
		p, r, f1 := measure(have, relevant)
		if len(have) != 11 || p != 1 || math.Abs(r-.7857) > 5e-5 || math.Abs(f1-.88) > 5e-5 {
			t.Errorf("order %d: %d terms, P %.4f, R %.4f, F1 %.4f", order, len(have), p, r, f1)
		}
	}
}

// TestPaperSuperclasses reads section 5.1 as printed, each property in both directions: superclasses are followed,
// and the published result does not come out.
func TestPaperSuperclasses(t *testing.T) {
	relations := metadata.PaperRelations()
	for i := range relations {
		relations[i].Forward, relations[i].Inverse = true, true
	}
	for _, order := range []metadata.Order{metadata.Sorted, metadata.Prepended} {
		have, relevant, _ := music(t, order, relations)
		p, r, f1 := measure(have, relevant)
		unjudged := 0
		for _, iri := range have {
			if _, judged := relevant[iri]; !judged {
				unjudged++
			}
		}
		t.Logf("order %d: %d terms, %d of them not in Appendix 2; of its 48 P %.4f, R %.4f, F1 %.4f", order, len(have), unjudged, p, r, f1)
		if len(have) < 40 || f1 > .6 {
			t.Errorf("order %d: %d terms, F1 %.4f", order, len(have), f1)
		}
	}
}

// music returns what a crawl with the paper's terms and limits found, and the rows of Appendix 2.
func music(t *testing.T, order metadata.Order, relations []metadata.Relation) (have []string, relevant, paper map[string]bool) {
	t.Helper()
	w, datasets := musicWeb(t)
	f := w.crawl(metadata.Options{
		Terms: musicTerms(), Limits: paperLimits(), Datasets: datasets, Order: order, Single: order == metadata.Prepended,
		Processors: []metadata.Processor{metadata.Dereference(relations...), metadata.Property(relations...), metadata.Instances()},
	})
	relevant, paper = verdicts(t)
	return found(f.Terms()), relevant, paper
}

// measure returns precision, recall and F1 over the rows with human judgements.
func measure(found []string, relevant map[string]bool) (p, r, f1 float64) {
	var right, judged, all float64
	for _, iri := range found {
		if is, known := relevant[iri]; known {
			judged++
			if is {
				right++
			}
		}
	}
	for _, is := range relevant {
		if is {
			all++
		}
	}
	p, r = right/judged, right/all
	return p, r, 2 * p * r / (p + r)
}

// TestJudgedMusic: the judged expansion finds what the paper's misses, rows 17, 23 and 33, at the same
// precision. Its criteria were fitted on other domains: see docs/howto/metadata.md.
func TestJudgedMusic(t *testing.T) {
	w, datasets := musicWeb(t)
	f := w.crawl(metadata.Options{
		Terms: musicTerms(), Limits: paperLimits(), Datasets: datasets, Judged: true,
		Processors: []metadata.Processor{metadata.Dereference(metadata.JudgedRelations()...), metadata.Property(metadata.JudgedRelations()...), metadata.Instances()},
	})
	relevant, _ := verdicts(t)
	have := found(f.Terms())
	p, r, f1 := measure(have, relevant)
	t.Logf("%d terms, of the 48 P %.4f, R %.4f, F1 %.4f", len(have), p, r, f1)
	for _, one := range f.Terms() {
		if is, known := relevant[one.IRI]; one.Found && (!known || !is) {
			t.Logf("found %s, judged by people: %v, relevant: %v; %+v", one.IRI, known, is, one.Judged)
		}
	}
	for iri, is := range relevant {
		if is && !slices.Contains(have, iri) {
			t.Logf("missing %s", iri)
		}
	}
	if f1 < .95 {
		t.Errorf("F1 %.4f", f1)
	}
}

// paperLimits are those of the paper's experiments (section 6.2).
func paperLimits() metadata.Limits {
	return metadata.Limits{Levels: 2, Terms: 40, PerTerm: 20, PerDataset: 10}
}

// paperProcessors are the paper's, in query order.
func paperProcessors() []metadata.Processor {
	return []metadata.Processor{metadata.Dereference(metadata.PaperRelations()...), metadata.Property(metadata.PaperRelations()...), metadata.Instances()}
}
