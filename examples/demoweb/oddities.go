package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
)

// writeOddities adds robots.txt, redirects, errors, copies and compressed answers. They change or copy
// existing documents, so they come last.
func (w *web) writeOddities() {
	w.writeRobots()
	w.writeRedirects()
	w.writeErrors()
	w.writeCopies()
	for _, url := range compressed() {
		w.compress(url)
	}
}

// writeRobots writes robots.txt for the hosts that have one: column "robots", rules separated by
// semicolons.
func (w *web) writeRobots() {
	for _, host := range w.hosts {
		if host["robots"] == "" {
			continue
		}
		rules := strings.ReplaceAll(host["robots"], ";", "\n")
		body := "# " + host["title"] + "\n" + rules + "\n"
		header := [][2]string{{"Content-Type", "text/plain"}}
		w.add(document{url: "http://" + host["host"] + "/robots.txt", status: 200, header: header, body: []byte(body)})
	}
}

// redirects lists redirects as from, status, to, including a loop and a chain.
func redirects() [][3]string {
	return [][3]string{
		{"http://www.skylines.example/", "301", "http://skylines.example/"},
		{"http://skylines.example/jumbo", "301", "http://skylines.example/types/boeing-747.html"},
		{"http://skylines.example/types/a340", "301", "/types/a340.html"},
		{"http://carriers.example/fleet-of-the-month", "302", "http://contrails.example/log/a320"},
		{"http://contrails.example/old/", "301", "http://contrails.example/old/index.html"},
		{"http://contrails.example/old/index.html", "302", "http://contrails.example/home.html"},
		{"http://contrails.example/home.html", "301", "http://contrails.example/"},
		{"http://shorestay.example/offer", "302", "http://shorestay.example/stay/gull-house"},
		{"http://wayfarer.example/round-trip", "302", "http://wayfarer.example/return-trip"},
		{"http://wayfarer.example/return-trip", "302", "http://wayfarer.example/round-trip"},
		{"http://townrooms.example/book", "307", "http://booking.townrooms.example/start"},
		{"http://annals.example/today", "303", "http://annals.example/event/apollo-11"},
	}
}

// writeRedirects writes the redirects.
func (w *web) writeRedirects() {
	for _, r := range redirects() {
		var status int
		fmt.Sscan(r[1], &status)
		body := fmt.Sprintf("<html><head><title>Moved</title></head><body><a href=\"%s\">It moved.</a></body></html>\n", r[2])
		header := [][2]string{{"Location", r[2]}, {"Content-Type", "text/html"}}
		w.add(document{url: r[0], status: status, header: header, body: []byte(body)})
	}
}

// broken lists addresses that answer with an error, and their status.
func broken() [][2]string {
	return [][2]string{
		{"http://skylines.example/types/a390.html", "404"},
		{"http://hangar.example/hall/spruce-moose", "404"},
		{"http://airfields.example/live/departures", "500"},
		{"http://wayfarer.example/guide/atlantis", "410"},
		{"http://townrooms.example/members", "403"},
		{"http://ladle.example/dish/mystery-stew", "404"},
	}
}

// writeErrors writes the broken pages.
func (w *web) writeErrors() {
	for _, b := range broken() {
		var status int
		fmt.Sscan(b[1], &status)
		body := "<html><head><title>Sorry</title></head><body><h1>Sorry</h1><p>There is nothing to see at this address. <a href=\"/\">Start again</a>.</p></body></html>\n"
		w.add(document{url: b[0], status: status, header: htmlHeader(""), body: []byte(body)})
	}
}

// copies lists duplicates as from, to, and kind. "exact" is byte-identical; "print" has one line more and is
// forbidden by robots.txt; "session" differs in one line of small print.
func copies() [][3]string {
	return [][3]string{
		{"http://skylines.example/types/boeing-747.html", "http://skylines.example/types/747.html", "exact"},
		{"http://skylines.example/types/a340.html", "http://skylines.example/print/a340.html", "print"},
		{"http://skylines.example/types/a380.html", "http://skylines.example/print/a380.html", "print"},
		{"http://skylines.example/types/concorde.html", "http://skylines.example/types/concorde.html?visit=1", "session"},
		{"http://carriers.example/airline/fernair", "http://carriers.example/airline/fernair?visit=1", "session"},
		{"http://shorestay.example/stay/gull-house", "http://shorestay.example/print/gull-house", "print"},
		{"http://greenthumb.example/plant/london-plane", "http://greenthumb.example/plant/london-plane?visit=1", "session"},
		{"http://ladle.example/dish/leek-soup", "http://ladle.example/soups/leek", "exact"},
	}
}

// writeCopies writes the duplicates and near-duplicates.
func (w *web) writeCopies() {
	for _, c := range copies() {
		original := w.find(c[0])
		if original == nil {
			continue
		}
		duplicate := *original
		duplicate.url = c[1]
		note := map[string]string{
			"exact":   "",
			"print":   "<p>Printed from " + c[0] + ".</p>\n",
			"session": "<p>Thank you for your first visit today. There were 3 visits before yours.</p>\n",
		}[c[2]]
		duplicate.body = []byte(strings.Replace(string(duplicate.body), "</body>", note+"</body>", 1))
		w.add(duplicate)
	}
}

// compressed lists the pages with content coding gzip.
func compressed() []string {
	return []string{
		"http://skylines.example/types/boeing-777.html",
		"http://airfields.example/",
		"http://cadenza.example/",
		"http://sands.example/shores/",
	}
}

// compress compresses a document's body with gzip. It uses stored blocks, so that the bytes, which the
// archive's digests cover, do not depend on the version of the compressor.
func (w *web) compress(url string) {
	d := w.find(url)
	if d == nil {
		return
	}
	var coded bytes.Buffer
	z, err := gzip.NewWriterLevel(&coded, gzip.NoCompression)
	if err == nil {
		_, err = z.Write(d.body)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		w.complain("%s: %w", url, err)
	}
	d.body = coded.Bytes()
	d.header = append(d.header[:len(d.header):len(d.header)], [2]string{"Content-Encoding", "gzip"})
}
