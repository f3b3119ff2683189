package quads_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"orbweaver/rdf"
)

const shop = "http://shop.example.org/"

// shopTriples are triples of a shop in the manner of the Berlin SPARQL benchmark: products with features,
// offers of vendors, reviews of persons. About one in four objects is a word or text, one in five a number
// or a date.
func shopTriples(n int) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		r := rand.New(rand.NewPCG(1, 2))
		left := n
		var s rdf.Term
		say := func(p string, o rdf.Term) bool {
			left--
			return left >= 0 && yield(rdf.Quad{S: s, P: rdf.NewIRI(shop + "vocabulary/" + p), O: o}, nil)
		}
		for product := 0; left > 0; product++ {
			s = item("Producer%d/Product%d", product/40, product)
			ok := say("type", item("ProductType%d", r.IntN(300))) &&
				say("label", rdf.NewString(words(r, 2))) && say("comment", rdf.NewString(words(r, 12))) &&
				say("producer", item("Producer%d/Producer%d", product/40, product/40))
			for i := range 3 {
				ok = ok && say(fmt.Sprintf("propertyNumeric%d", i), rdf.NewTyped(fmt.Sprint(r.IntN(2000)), rdf.XSDInteger))
			}
			for range 6 {
				ok = ok && say("feature", item("ProductFeature%d", r.IntN(5000)))
			}
			of := s
			for offer := range 5 {
				vendor := r.IntN(500)
				s = item("Vendor%d/Offer%d", vendor, product*5+offer)
				ok = ok && say("type", item("Offer")) && say("product", of) && say("vendor", item("Vendor%d/Vendor%d", vendor, vendor)) &&
					say("price", rdf.NewTyped(fmt.Sprintf("%d.%02d", r.IntN(9000), r.IntN(100)), rdf.XSDDecimal)) &&
					say("validFrom", date(r)) && say("deliveryDays", rdf.NewTyped(fmt.Sprint(1+r.IntN(14)), rdf.XSDInteger))
			}
			for review := range 4 {
				s = item("RatingSite%d/Review%d", r.IntN(50), product*4+review)
				ok = ok && say("type", item("Review")) && say("reviewFor", of) && say("reviewer", item("Reviewer%d", r.IntN(1+product/4))) &&
					say("reviewDate", date(r)) && say("title", rdf.NewLang(words(r, 4), "en")) && say("text", rdf.NewLang(words(r, 25), "en")) &&
					say("rating", rdf.NewTyped(fmt.Sprint(1+r.IntN(10)), rdf.XSDInteger))
			}
			if !ok {
				return
			}
		}
	}
}

func item(format string, args ...any) rdf.Term {
	return rdf.NewIRI(shop + "instances/" + fmt.Sprintf(format, args...))
}

func date(r *rand.Rand) rdf.Term {
	day := time.Date(2008, 1, 1+r.IntN(400), 0, 0, 0, 0, time.UTC)
	return rdf.NewTyped(day.Format("2006-01-02"), "http://www.w3.org/2001/XMLSchema#date")
}

// words are made of syllables.
func words(r *rand.Rand, n int) string {
	var b []byte
	for i := range n {
		if i > 0 {
			b = append(b, ' ')
		}
		for range 1 + r.IntN(3) {
			b = append(b, "bcdfghklmnprstvw"[r.IntN(16)], "aeiou"[r.IntN(5)], "lmnrst"[r.IntN(6)])
		}
	}
	return string(b)
}
