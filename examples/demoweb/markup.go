package main

import (
	"fmt"
	"strings"
)

// mark adds data to a page in the syntaxes that the columns "markup" and "hint" of its thing name, and links
// to its data.
func (w *web) mark(s *sheet, p *page) {
	switch p.fact["markup"] {
	case "rdfa":
		s.blocks = append(s.blocks, w.rdfa(p))
	case "microdata":
		s.blocks = append(s.blocks, w.microdata(p))
	case "jsonld":
		s.head += w.script(p)
	case "broken":
		s.head += strings.Replace(w.script(p), "}\n</script>", ",\n</script>", 1)
	case "opengraph":
		s.head += openGraph(p)
	case "hentry":
		s.blocks = append(s.blocks, hEntry(p))
	}
	switch p.fact["hint"] {
	case "link":
		s.head += fmt.Sprintf("<link rel=\"alternate\" type=\"text/turtle\" href=\"%s\">\n", dataOf(p))
	case "text":
		s.blocks = append(s.blocks, fmt.Sprintf("<p>What is written on the sheet can be had <a href=\"%s\">without the page around it</a>.</p>", dataOf(p)))
	}
	if rdf := p.fact["rdf"]; rdf != "" && rdf != "no" {
		s.blocks = append(s.blocks, fmt.Sprintf("<p>This card <a href=\"%s.rdf\">for machines</a>.</p>", p.url))
	}
}

// dataOf returns the address of a specimen's data in Turtle.
func dataOf(p *page) string { return "http://" + p.set.host + "/data/" + p.fact["id"] + ".ttl" }

// rdfa returns a page's card as RDFa.
func (w *web) rdfa(p *page) string {
	var out strings.Builder
	class, _, _ := strings.Cut(p.set.card, " ")
	fmt.Fprintf(&out, "<div vocab=\"%s\" typeof=\"%s\" resource=\"%s\">\n<p>Card:", p.set.vocab, class, thingOf(p))
	for _, s := range w.statements(p, p.set.vocab)[1:] {
		_, property := split(s.predicate)
		if s.text {
			fmt.Fprintf(&out, " <span property=\"%s\">%s</span>;", property, escape(s.object))
		} else {
			fmt.Fprintf(&out, " <a property=\"%s\" href=\"%s\">see</a>;", property, s.object)
		}
	}
	return strings.TrimSuffix(out.String(), ";") + ".</p>\n</div>"
}

// microdata returns a page's card as microdata.
func (w *web) microdata(p *page) string {
	var out strings.Builder
	class, _, _ := strings.Cut(p.set.card, " ")
	fmt.Fprintf(&out, "<div itemscope itemtype=\"%s\" itemid=\"%s\">\n<p>Card:", p.set.vocab+class, thingOf(p))
	for _, s := range w.statements(p, p.set.vocab)[1:] {
		_, property := split(s.predicate)
		if s.text {
			fmt.Fprintf(&out, " <span itemprop=\"%s\">%s</span>;", property, escape(s.object))
		} else {
			fmt.Fprintf(&out, " <link itemprop=\"%s\" href=\"%s\">", property, s.object)
		}
	}
	return strings.TrimSuffix(out.String(), ";") + ".</p>\n</div>"
}

// script returns a page's card as JSON-LD with the context of schema.org.
func (w *web) script(p *page) string {
	var out strings.Builder
	class, _, _ := strings.Cut(p.set.card, " ")
	fmt.Fprintf(&out, "<script type=\"application/ld+json\">\n{\"@context\": \"https://schema.org/\", \"@type\": %q, \"@id\": %q", class, thingOf(p))
	for _, s := range w.statements(p, p.set.vocab)[1:] {
		_, property := split(s.predicate)
		if s.text {
			fmt.Fprintf(&out, ",\n%q: %q", property, s.object)
		} else {
			fmt.Fprintf(&out, ",\n%q: {\"@id\": %q}", property, s.object)
		}
	}
	return out.String() + "}\n</script>\n"
}

// openGraph returns a page's Open Graph metadata. It describes the page, not its thing.
func openGraph(p *page) string {
	return fmt.Sprintf("<meta property=\"og:title\" content=\"%s\">\n<meta property=\"og:type\" content=\"article\">\n"+
		"<meta property=\"og:url\" content=\"%s\">\n", escape(p.fact["name"]), p.url)
}

// hEntry returns a page's title and date as a microformat.
func hEntry(p *page) string {
	date := p.fact["date"]
	if date == "" {
		date = p.fact["year"]
	}
	return fmt.Sprintf("<div class=\"h-entry\"><p>Filed as <a class=\"u-url p-name\" href=\"%s\">%s</a>, <time class=\"dt-published\" datetime=\"%s\">%s</time>.</p></div>",
		p.url, escape(p.fact["name"]), date, date)
}
