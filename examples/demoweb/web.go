package main

import (
	"errors"
	"fmt"
	"strings"
)

// A document is one response of the Web.
type document struct {
	url    string
	status int
	header [][2]string // in order; Content-Length is added by the writer
	body   []byte
	topics []string // topics it is written about; none: not in the truth
	accept string   // of its request; empty: unknown
}

// A set is a row of facts/sets.tsv: pages in one style about the things of one table.
type set struct {
	name, host, path, topic, words string
	blurb                          string // one line about a member, for indexes; a template
	index, title                   string // path and title of the index page; none: no index
	thing                          string // path of the thing's IRI in data; none: no data
	card                           string // its class in data, and property:column pairs
	vocab, terms                   string // namespaces of the card's terms within pages, and in documents
	pages                          []*page
}

// A page is a thing of a table, presented in a set's style.
type page struct {
	set  *set
	fact fact
	url  string
}

// A web is the demo web under construction. Sets, hosts and pages are in the order of their files; the maps
// are looked up, never ranged over.
type web struct {
	hosts     []fact
	hostOf    map[string]fact
	sets      []*set
	setOf     map[string]*set
	pageOf    map[string]*page // by "table/id": the first page about a thing
	styles    map[string]section
	articles  []section
	documents []document
	wrong     []error
}

// readWeb reads facts (hosts and sets from tables with a name prefix) and words (from files of a pattern),
// and assigns addresses to the pages. It writes no page.
func readWeb(prefix, words string) (*web, error) {
	w := &web{hostOf: map[string]fact{}, setOf: map[string]*set{}, pageOf: map[string]*page{}, styles: map[string]section{}}
	hosts, err := readTable(prefix + "hosts")
	if err != nil {
		return nil, err
	}
	w.hosts, w.hostOf = hosts.rows, hosts.byID
	sections, err := readWords(words)
	if err != nil {
		return nil, err
	}
	for _, s := range sections {
		if strings.HasPrefix(s.name, "http://") {
			w.articles = append(w.articles, s)
		} else {
			w.styles[s.name] = s
		}
	}
	return w, w.readSets(prefix)
}

// readSets reads the table of sets and the tables they refer to.
func (w *web) readSets(prefix string) error {
	sets, err := readTable(prefix + "sets")
	if err != nil {
		return err
	}
	tables := map[string]*table{}
	for _, row := range sets.rows {
		name := row["table"]
		if tables[name] == nil {
			if tables[name], err = readTable(name); err != nil {
				return err
			}
		}
		if err := w.addSet(row, tables[name]); err != nil {
			return err
		}
	}
	return nil
}

// addSet makes the pages of one set. An address may use columns of the thing: "/types/{id}".
func (w *web) addSet(row fact, things *table) error {
	s := &set{
		name: row["set"], host: row["host"], path: row["path"], topic: row["topic"], words: row["words"],
		blurb: row["blurb"], index: row["index"], title: row["title"],
		thing: row["thing"], card: row["card"], vocab: row["vocab"], terms: row["terms"],
	}
	rows, err := things.pick(row["pick"])
	if err != nil {
		return err
	}
	if w.hostOf[s.host] == nil {
		return fmt.Errorf("facts/sets.tsv: set %s: no host %s in facts/hosts.tsv", s.name, s.host)
	}
	for _, f := range rows {
		p := &page{set: s, fact: f, url: "http://" + s.host + strings.ReplaceAll(s.path, "{id}", f["id"])}
		s.pages = append(s.pages, p)
		if key := things.name + "/" + f["id"]; w.pageOf[key] == nil {
			w.pageOf[key] = p
		}
	}
	w.sets = append(w.sets, s)
	w.setOf[s.name] = s
	return nil
}

// add appends a response.
func (w *web) add(d document) { w.documents = append(w.documents, d) }

// addHTML appends a page that answered 200.
func (w *web) addHTML(url, body string, topics ...string) {
	w.add(document{url: url, status: 200, header: htmlHeader(""), body: []byte(body), topics: topics})
}

// htmlHeader returns the header of an HTML answer. An empty charset means UTF-8.
func htmlHeader(charset string) [][2]string {
	if charset == "" {
		charset = "utf-8"
	}
	return [][2]string{{"Content-Type", "text/html; charset=" + charset}}
}

// find returns the document at an address, or nil.
func (w *web) find(url string) *document {
	for i := range w.documents {
		if w.documents[i].url == url {
			return &w.documents[i]
		}
	}
	w.complain("no document at %s", url)
	return nil
}

// complain records a mistake in the facts or words.
func (w *web) complain(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Errorf(format, args...))
}

// problems returns all recorded mistakes, and documents with the same address and Accept.
func (w *web) problems() error {
	seen := map[string]bool{}
	for _, d := range w.documents {
		if seen[d.url+" "+d.accept] {
			w.complain("%s is written twice", d.url)
		}
		seen[d.url+" "+d.accept] = true
	}
	return errors.Join(w.wrong...)
}
