package knowledge_test

import (
	"errors"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/knowledge"
	"orbweaver/kb/offer"
	"orbweaver/kb/ontology"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// TestOntology: the best offers are classes below each other and below the topic; anchors and names without letters are left out.
func TestOntology(t *testing.T) {
	src := &offer.Source{Offers: []offer.Offer{
		{Text: "stock", Lang: "en", Count: 3, Score: .2}, {Text: "trade", Lang: "en", Count: 9, Score: .9}, {Text: "market", Anchor: true, Score: 1}, {Text: "–", Score: 1},
		{Text: "import duty", Count: 2, Score: .5, Above: []offer.Ref{{Text: "Trade"}}}, {Text: "rare", Score: .1},
	}}
	text, err := knowledge.Ontology(src, "economy", "http://e.org/#", 3)
	if err != nil {
		t.Fatal(err)
	}
	o, err := ontology.Build(turtle.Read(strings.NewReader(string(text)), syntax.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if o.Len() != 4 || strings.Contains(string(text), "rare") {
		t.Errorf("%d entities:\n%s", o.Len(), text)
	}
	duty, _ := o.Find("http://e.org/#ImportDuty")
	trade, ok := o.Find("http://e.org/#Trade")
	if root, _ := o.Find("http://e.org/#Economy"); !ok || o.Distances(duty)[trade] != 1 || o.Distances(trade)[root] != 1 || o.Entity(trade).Name != "trade" {
		t.Errorf("\n%s", text)
	}
	if _, err := knowledge.Ontology(&offer.Source{}, "nothing", "http://e.org/#", 3); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("of nothing: %v", err)
	}
}
