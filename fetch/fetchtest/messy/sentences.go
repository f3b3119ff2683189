package messy

import (
	"fmt"
	"strings"
)

// Parts of names and sentences. Their numbers are prime to each other, so that no two articles have the same.
var (
	firsts  = []string{"Gull", "Otter", "Raven", "Seal", "Heron", "Tern", "Skua", "Eider", "Plover", "Curlew", "Gannet"}
	seconds = []string{" Head", " Ness", " Skerry", " Point", " Holm", " Stack", " Rock"}
	shapes  = []string{"round", "octagonal", "square", "tapering", "slender"}
	stuffs  = []string{"granite", "brick", "cast iron"}
	keepers = []string{"Ada Moor", "Ben Holt", "Cora Vane", "Dan Frith", "Eve Lund", "Finn Garth", "Gil Rowe", "Hal Strand",
		"Ines Quay", "Jon Firth", "Kay Sound", "Lea Brook", "Max Tarn"}
	more = []string{
		"The Fresnel lens of the %[2]d order still turns in its lantern room, and the beam is seen for %[1]d miles.",
		"In thick weather the foghorn gives %[2]d blasts in every %[1]d seconds.",
		"A keeper lived here with three assistants until the light was made automatic in 19%[1]d.",
		"By day the tower is a daymark, white with %[2]d red bands, which pilots find from %[1]d miles away.",
		"The lamp first burned whale oil, then paraffin, and needs %[1]d watts today.",
		"In the storm of 18%[1]d waves broke the panes of the lantern, and the keeper kept the light by hand.",
		"Visitors climb %[1]d steps to the gallery, from which %[2]d other lighthouses can be seen.",
	}
)

// place is the name of the nth place.
func place(n int) string { return firsts[n%len(firsts)] + seconds[n%len(seconds)] }

// lighthouse is an article about the nth lighthouse.
func lighthouse(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<p>%s lighthouse was built in %d. Its %s tower of %s rises %d metres above the sea, and %s was its first keeper.</p>\n<p>",
		place(n), 1790+n, shapes[n%len(shapes)], stuffs[n%len(stuffs)], 17+n%31, keepers[n%len(keepers)])
	for i := range 4 {
		fmt.Fprintf(&b, more[(n*3+i*(1+n%6))%len(more)]+" ", 41+(n*7+i*13)%57, 2+(n+i)%5)
	}
	return b.String() + "</p>"
}

// leuchtturm is an article in German.
func leuchtturm(n int) string {
	return fmt.Sprintf("<p>Der Leuchtturm %s wurde %d gebaut. Der Turm aus %s ist %d Meter hoch, und das Leuchtfeuer reicht %d Seemeilen weit. "+
		"Bis zur Automatisierung wohnte hier der Leuchtturmwärter %s mit seiner Familie. Bei Nebel ertönt alle %d Sekunden das Nebelhorn.</p>",
		place(n), 1801+n, []string{"Granit", "Backstein", "Gusseisen"}[n%3], 15+n%29, 11+n%17, keepers[n%len(keepers)], 20+n%37)
}

// Trades are what pages of the town are about.
var trades = []struct{ name, goods, tool, way string }{
	{"bakery", "rye bread", "oven", "leavened overnight"}, {"bicycle workshop", "touring bicycles", "truing stand", "built spoke by spoke"},
	{"orchard", "cider apples", "ladder", "picked in October"}, {"printing house", "wedding cards", "press", "set by hand"},
	{"pottery", "glazed bowls", "kiln", "fired twice"}, {"smithy", "garden gates", "anvil", "forged at white heat"},
	{"dairy", "hard cheese", "vat", "turned every week"}, {"tailor", "woollen coats", "shears", "cut to measure"},
}

// shop is a page about a trade that has nothing to do with lighthouses.
func shop(n int) string {
	t := trades[n%len(trades)]
	return fmt.Sprintf("<p>The %[1]s in %[5]s Street number %[6]d has made %[2]s since 19%[7]d. Everything is %[4]s, and the old %[3]s is still in use. "+
		"%[8]s, who took over the %[1]s from an aunt, sells %[2]s on the market on %[9]d days of the week and teaches apprentices in the evening.</p>",
		t.name, t.goods, t.tool, t.way, firsts[n%len(firsts)], 3+n*7, 20+n%70, keepers[n%len(keepers)], 1+n%5)
}

// Ontology is what a crawl knows of lighthouses, in Turtle.
const Ontology = `@prefix : <http://lights.example/terms#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Aid a owl:Class ; rdfs:label "aid to navigation"@en .
:Lighthouse a owl:Class ; rdfs:subClassOf :Aid ;
  rdfs:label "lighthouse"@en, "Leuchtturm"@de, "маяк"@ru, "灯台"@ja, "灯塔"@zh, "등대"@ko, "latarnia morska"@pl, "φάρος"@el .
:Lightship a owl:Class ; rdfs:subClassOf :Aid ; rdfs:label "lightship"@en, "Feuerschiff"@de .
:Lens a owl:Class ; rdfs:label "Fresnel lens"@en .
:Lantern a owl:Class ; rdfs:label "lantern room"@en .
:Keeper a owl:Class ; rdfs:label "lighthouse keeper"@en, "Leuchtturmwärter"@de .
:Foghorn a owl:Class ; rdfs:label "foghorn"@en, "Nebelhorn"@de .
:Light a owl:Class ; rdfs:label "Leuchtfeuer"@de .
:hasLens a owl:ObjectProperty ; rdfs:domain :Lighthouse ; rdfs:range :Lens .
:hasLantern a owl:ObjectProperty ; rdfs:domain :Lighthouse ; rdfs:range :Lantern .
:keptBy a owl:ObjectProperty ; rdfs:domain :Lighthouse ; rdfs:range :Keeper .
:hasFoghorn a owl:ObjectProperty ; rdfs:domain :Lighthouse ; rdfs:range :Foghorn .
:shows a owl:ObjectProperty ; rdfs:domain :Lighthouse ; rdfs:range :Light .
`

// Target is the class that the pages of the truth are about.
const Target = "http://lights.example/terms#Lighthouse"
