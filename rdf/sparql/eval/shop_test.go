package eval_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"orbweaver/rdf"
)

const shop = "http://shop.example.org/"

// A shopMaker makes triples of a shop like those of the Berlin SPARQL benchmark, and of a social network like
// WatDiv's.
type shopMaker struct {
	r     *rand.Rand
	s     rdf.Term
	left  int
	yield func(rdf.Quad, error) bool
}

// shopTriples returns n triples.
func shopTriples(n int) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		m := &shopMaker{r: rand.New(rand.NewPCG(1, 2)), left: n, yield: yield}
		for i := range 150 { // types are a tree
			m.s = item("ProductType%d", i)
			m.say("label", rdf.NewString(m.words(1)))
			if i > 0 {
				m.say("subClassOf", item("ProductType%d", (i-1)/4))
			}
		}
		for product := 0; m.left > 0; product++ {
			m.product(product)
		}
	}
}

func (m *shopMaker) say(p string, o rdf.Term) {
	if m.left--; m.left >= 0 && !m.yield(rdf.Quad{S: m.s, P: rdf.NewIRI(shop + p), O: o}, nil) {
		m.left = 0
	}
}

func (m *shopMaker) product(n int) {
	product := item("Product%d", n)
	m.s = product
	m.say("type", item("ProductType%d", m.r.IntN(150)))
	m.say("label", rdf.NewString(m.words(2)))
	m.say("comment", rdf.NewString(m.words(12)))
	m.say("producer", item("Producer%d", n/40))
	for i := range 3 {
		m.say(fmt.Sprintf("number%d", i+1), integer(m.r.IntN(2000)))
	}
	for range 6 {
		m.say("feature", item("Feature%d", m.r.IntN(500)))
	}
	if m.r.IntN(3) == 0 {
		m.say("text4", rdf.NewString(m.words(3)))
	}
	for i := range 5 {
		m.s = item("Offer%d", n*5+i)
		m.say("product", product)
		m.say("vendor", item("Vendor%d", m.r.IntN(100)))
		m.say("price", rdf.NewTyped(fmt.Sprintf("%d.%02d", m.r.IntN(9000), m.r.IntN(100)), rdf.XSDDecimal))
		m.say("deliveryDays", integer(1+m.r.IntN(14)))
		m.say("validTo", m.date())
	}
	for i := range 3 {
		m.s = item("Review%d", n*3+i)
		m.say("reviewFor", product)
		m.say("reviewer", item("Person%d", m.r.IntN(1+n)))
		m.say("reviewDate", m.date())
		m.say("title", rdf.NewLang(m.words(4), "en"))
		m.say("rating", integer(1+m.r.IntN(10)))
	}
	m.s = item("Person%d", n)
	m.say("name", rdf.NewString(m.words(1)))
	m.say("country", item("Country%d", m.r.IntN(20)))
	for range 3 {
		m.say("knows", item("Person%d", m.r.IntN(1+n+n/10)))
	}
}

func item(format string, args ...any) rdf.Term {
	return rdf.NewIRI(shop + fmt.Sprintf(format, args...))
}

func integer(n int) rdf.Term { return rdf.NewTyped(fmt.Sprint(n), rdf.XSDInteger) }

func (m *shopMaker) date() rdf.Term {
	day := time.Date(2008, 1, 1+m.r.IntN(400), 0, 0, 0, 0, time.UTC)
	return rdf.NewTyped(day.Format("2006-01-02"), "http://www.w3.org/2001/XMLSchema#date")
}

// words returns words made of random syllables.
func (m *shopMaker) words(n int) string {
	var b []byte
	for i := range n {
		if i > 0 {
			b = append(b, ' ')
		}
		for range 1 + m.r.IntN(3) {
			b = append(b, "bcdfghklmnprstvw"[m.r.IntN(16)], "aeiou"[m.r.IntN(5)], "lmnrst"[m.r.IntN(6)])
		}
	}
	return string(b)
}

// shopQueries returns twelve queries similar to those of the benchmarks.
func shopQueries() []struct{ name, text string } {
	return []struct{ name, text string }{
		{"01 products with two features", `SELECT DISTINCT ?p ?label { ?p :label ?label ; :type ?t ; :feature :Feature7 , ?f ; :number1 ?n .
			?t :subClassOf :ProductType3 FILTER(?n > 400) } ORDER BY ?label LIMIT 10`},
		{"02 all of one product", `SELECT * { :Product42 :label ?label ; :comment ?comment ; :producer ?producer ; :feature ?f ; :number1 ?n1 ; :number2 ?n2 .
			OPTIONAL { :Product42 :text4 ?t4 } OPTIONAL { :Product42 :text5 ?t5 } }`},
		{"03 one feature and not another", `SELECT ?p ?label { ?p :label ?label ; :feature :Feature7 ; :number1 ?n FILTER(?n < 1500)
			OPTIONAL { ?p :feature :Feature8 . ?p :label ?other } FILTER(!bound(?other)) } ORDER BY ?label LIMIT 10`},
		{"04 either of two features", `SELECT DISTINCT ?p ?label { { ?p :label ?label ; :feature :Feature7 ; :number1 ?n FILTER(?n > 300) }
			UNION { ?p :label ?label ; :feature :Feature9 ; :number2 ?m FILTER(?m > 600) } } ORDER BY ?label OFFSET 5 LIMIT 10`},
		{"05 products like one", `SELECT DISTINCT ?p ?label { :Product42 :feature ?f ; :number1 ?o1 ; :number2 ?o2 . ?p :feature ?f ; :label ?label ; :number1 ?n1 ; :number2 ?n2
			FILTER(?p != :Product42 && ?n1 < ?o1 + 300 && ?n1 > ?o1 - 300 && ?n2 < ?o2 + 400 && ?n2 > ?o2 - 400) } ORDER BY ?label LIMIT 5`},
		{"06 offers and reviews of one", `SELECT * { :Product42 :label ?label OPTIONAL { ?offer :product :Product42 ; :price ?price ; :vendor ?v ; :validTo ?d FILTER(?d > "2008-06-01"^^xsd:date) }
			OPTIONAL { ?r :reviewFor :Product42 ; :reviewer ?who ; :title ?title . ?who :name ?name OPTIONAL { ?r :rating ?rating } } }`},
		{"07 words in labels", `SELECT ?p ?label { ?p :type ?t ; :label ?label FILTER(REGEX(?label, "bal.*tun", "i")) }`},
		{"08 cheap and soon", `SELECT ?offer ?price { ?offer :product ?p ; :vendor :Vendor5 ; :price ?price ; :deliveryDays ?days . ?p :type :ProductType9 FILTER(?days <= 7) } ORDER BY ?price LIMIT 10`},
		{"09 best rated types", `SELECT ?t (AVG(?rating) AS ?avg) (COUNT(*) AS ?n) { ?r :rating ?rating ; :reviewFor ?p . ?p :type ?t } GROUP BY ?t ORDER BY DESC(?avg) LIMIT 10`},
		{"10 vendors with long delivery", `SELECT ?v (COUNT(DISTINCT ?p) AS ?n) { ?offer :vendor ?v ; :product ?p ; :deliveryDays ?d FILTER(?d > 10) } GROUP BY ?v HAVING(COUNT(*) > 5) ORDER BY DESC(?n) ?v`},
		{"11 known over any distance", `SELECT ?c (COUNT(?who) AS ?n) { :Person1500 :knows+ ?who . ?who :country ?c FILTER NOT EXISTS { ?who :knows :Person1500 } } GROUP BY ?c`},
		{"12 know each other and review one thing", `SELECT ?a ?b ?p { ?a :knows ?b . ?b :knows ?a . ?r1 :reviewer ?a ; :reviewFor ?p . ?r2 :reviewer ?b ; :reviewFor ?p . ?p :type/:subClassOf* :ProductType1 }`},
	}
}
