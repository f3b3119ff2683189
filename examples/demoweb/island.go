package main

import (
	"fmt"
	"strings"
	"time"
)

// The Accept headers of requests to the island, where relevant.
const (
	acceptHTML = "text/html, application/xhtml+xml, */*;q=0.5"
	acceptRDF  = "text/turtle, application/rdf+xml;q=0.9, */*;q=0.1"
)

// makeIsland returns the responses of the island: a library, a herbarium, a museum and a portal, which
// publish linked data in all common ways, among pages without data.
func makeIsland() ([]document, error) {
	w, err := readWeb("island-", "words/island/*.txt")
	if err != nil {
		return nil, err
	}
	w.writePages()
	w.writeIndexes()
	w.writeArticles()
	w.writeCalendar()
	w.writeFeed()
	w.writeSpecimens()
	w.writeBooks()
	w.writeMuseum()
	w.writePort()
	w.writeTerms()
	w.writeContext()
	w.writeRobots()
	for i := range w.documents {
		w.documents[i].topics = nil // the truth of the island follows from the documents themselves
	}
	return w.documents, w.problems()
}

// addRDF appends an RDF document.
func (w *web) addRDF(url, mediaType string, body []byte, more ...[2]string) {
	header := append([][2]string{{"Content-Type", mediaType}}, more...)
	w.add(document{url: url, status: 200, header: header, body: body})
}

// addForm appends one representation of a resource, sent for an Accept header.
func (w *web) addForm(url, accept, mediaType string, body []byte) {
	header := [][2]string{{"Content-Type", mediaType}, {"Vary", "Accept"}}
	w.add(document{url: url, status: 200, header: header, body: body, accept: accept})
}

// seeOther appends a redirect from the IRI of a thing to its description, for an Accept header.
func (w *web) seeOther(url, accept, to string) {
	header := [][2]string{{"Location", to}, {"Vary", "Accept"}}
	w.add(document{url: url, status: 303, header: header, accept: accept})
}

// addPlain appends a page of a few paragraphs.
func (w *web) addPlain(url, title string, paragraphs ...string) {
	s := sheet{url: url, title: title, lang: "en"}
	for _, p := range paragraphs {
		s.blocks = append(s.blocks, "<p>"+p+"</p>")
	}
	w.addHTML(url, w.dress(s))
}

// writeCalendar writes one page per month and, for some months, one per week. The calendar is empty.
func (w *web) writeCalendar() {
	const host = "http://gazette.example/calendar/"
	address := func(month time.Time) string { return host + month.Format("2006-01") }
	first := time.Date(2025, time.July, 1, 0, 0, 0, 0, time.UTC)
	for i := range 18 {
		month := first.AddDate(0, i, 0)
		var days []string
		for day := month; day.Month() == month.Month(); day = day.AddDate(0, 0, 1) {
			days = append(days, day.Format("Mon 2"))
		}
		around := fmt.Sprintf("The hall is free on: %s. Go to <a href=\"%s\">the month before</a>", strings.Join(days, ", "), address(month.AddDate(0, -1, 0)))
		if i < 17 {
			around += fmt.Sprintf(" or <a href=\"%s\">the month after</a>", address(month.AddDate(0, 1, 0)))
		}
		if month.Year() == 2026 && month.Month() < time.July {
			around += ". Weeks:"
			for week := 1; week <= 4; week++ {
				url := fmt.Sprintf("%s/week-%d", address(month), week)
				around += fmt.Sprintf(" <a href=\"%s\">%d</a>", url, week)
				w.writeWeek(url, month.AddDate(0, 0, 7*week-7))
			}
		}
		w.addPlain(address(month), "The hall in "+month.Format("January 2006"), around+".", "Who wants to use it asks the key keeper, who is out.")
	}
}

// writeWeek writes a week of the calendar.
func (w *web) writeWeek(url string, day time.Time) {
	a := &author{web: w, url: url, dice: diceFor(url)}
	var lines []string
	for i := range 7 {
		lines = append(lines, day.AddDate(0, 0, i).Format("Monday, 2 January")+": free from eight to ten")
	}
	w.addPlain(url, "The week from "+day.Format("2 January"), strings.Join(lines, "; ")+".",
		"Chairs are to be stacked. The paper of that week told of "+a.some(w.setOf["notices"], 2)+".")
}

// writeFeed writes the paper's feed, which is XML but not RDF.
func (w *web) writeFeed() {
	var out strings.Builder
	out.WriteString("<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><title>The Parish Gazette</title><link>http://gazette.example/</link>\n")
	for _, p := range w.setOf["notices"].pages {
		fmt.Fprintf(&out, "<item><title>%s</title><link>%s</link></item>\n", escape(p.fact["name"]), p.url)
	}
	out.WriteString("</channel></rss>\n")
	w.addRDF("http://gazette.example/feed.xml", "application/xml", []byte(out.String()))
}
