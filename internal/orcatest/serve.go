package orcatest

import (
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// part returns the i-th of count parts of statements.
func part(all iter.Seq[rdf.Triple], i, count int) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		k := 0
		for s := range all {
			if k%count == i && !yield(s) {
				return
			}
			k++
		}
	}
}

// number returns the number in a path between a prefix and an end; -1: another path.
func number(path, prefix, end string) int {
	rest, ok := strings.CutPrefix(path, prefix)
	if rest, ok2 := strings.CutSuffix(rest, end); ok && ok2 {
		if i, err := strconv.Atoi(rest); err == nil && i >= 0 {
			return i
		}
	}
	return -1
}

// dereferencing serves a document a resource, in the one syntax that the node has, to those that accept it, and else
// as HTML without data.
func (n *Node) dereferencing() func(http.ResponseWriter, *http.Request) {
	n.Entry = n.resource(0)
	extension := map[string]string{"turtle": "ttl", "turtle-303": "ttl", "rdfxml": "rdf", "jsonld": "jsonld", "ntriples": "nt"}[n.Form]
	return func(w http.ResponseWriter, r *http.Request) {
		i := max(number(r.URL.Path, "/resource/", ""), number(r.URL.Path, "/about/", "."+extension))
		switch {
		case i < 0 || i >= n.resources():
			http.NotFound(w, r)
		case !strings.Contains(r.Header.Get("Accept"), mediaTypes[extension]):
			send(w, "text/html", "<!DOCTYPE html><title>A resource</title><p>No data for you.")
		case n.Form == "turtle-303" && strings.HasPrefix(r.URL.Path, "/resource/"):
			http.Redirect(w, r, fmt.Sprintf("/about/%d.ttl", i), http.StatusSeeOther)
		default:
			w.Header().Set("Content-Type", mediaTypes[extension])
			w.Header().Set("Vary", "Accept")
			statements := n.about(i)
			if i == 0 {
				statements = append(n.closedLinks(), statements...)
			}
			write(w, extension, slices.Values(statements))
		}
	}
}

// dump serves one file, or a page with a list of files.
func (n *Node) dump() func(http.ResponseWriter, *http.Request) {
	file := "dump." + n.Form
	switch n.Form {
	case "zip", "xz", "tar.gz", "tgz", "tar.xz", "tar.bz2":
		file = fmt.Sprintf("files/%d.%s", n.N, n.Form)
	case "list":
		file = "dumps/"
	}
	n.Entry = fmt.Sprintf("http://%s/%s", n.Host, file)
	list := []string{"a.nt.gz", "b.zip", "c.tar.gz"}
	return func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/")
		if n.Form == "list" {
			i := slices.Index(list, strings.TrimPrefix(path, file))
			switch {
			case path == file:
				send(w, "text/html", "<!DOCTYPE html><title>Dumps</title><ul><li><a href=a.nt.gz>first part</a><li><a href=b.zip>second part of the data</a><li><a href=c.tar.gz>RDF, third part</a></ul>")
			case i >= 0:
				_, form, _ := strings.Cut(list[i], ".")
				n.sendPacked(w, form, part(n.all(), i, len(list)))
			default:
				http.NotFound(w, r)
			}
			return
		}
		if path != file {
			http.NotFound(w, r)
			return
		}
		n.sendPacked(w, n.Form, n.all())
	}
}

// pages serves a page a resource, with data within; each leads to some others.
func (n *Node) pages() func(http.ResponseWriter, *http.Request) {
	n.Entry = fmt.Sprintf("http://%s/", n.Host)
	return func(w http.ResponseWriter, r *http.Request) {
		i := number(r.URL.Path, "/page/", ".html")
		if r.URL.Path == "/" {
			i = 0
		}
		if i < 0 || i >= n.resources() {
			http.NotFound(w, r)
			return
		}
		links := ""
		for _, to := range []int{2*i + 1, 2*i + 2} {
			if to < n.resources() {
				links += fmt.Sprintf("<p><a href=\"/page/%d.html\">Thing %d</a>", to, to)
			}
		}
		for k := range int(n.web.opts.Closed * 2) {
			links += fmt.Sprintf("<p><a href=\"%s%d.html\">private %d</a>", closedPath, i*2+k, k)
		}
		send(w, "text/html; charset=utf-8", markup(n.Kind, fmt.Sprintf("Thing %d of %d", i, n.N), n.about(i), links))
	}
}

// headers serves pages of equal bytes, whose Link header alone says where the data of each is, and further pages.
func (n *Node) headers() func(http.ResponseWriter, *http.Request) {
	n.Entry = fmt.Sprintf("http://%s/item/0", n.Host)
	return func(w http.ResponseWriter, r *http.Request) {
		i, data := number(r.URL.Path, "/item/", ""), number(r.URL.Path, "/item/", ".ttl")
		switch {
		case data >= 0 && data < n.resources():
			w.Header().Set("Content-Type", "text/turtle")
			write(w, "ttl", slices.Values(n.about(data)))
		case i >= 0 && i < n.resources():
			w.Header().Add("Link", fmt.Sprintf("</item/%d.ttl>; rel=\"alternate\"; type=\"text/turtle\"", i))
			for _, to := range []int{2*i + 1, 2*i + 2} {
				if to < n.resources() {
					w.Header().Add("Link", fmt.Sprintf("</item/%d>; rel=\"related\"", to))
				}
			}
			send(w, "text/html", "<!DOCTYPE html><title>Item</title><p>This page is made by a script, and looks the same at each address.")
		default:
			http.NotFound(w, r)
		}
	}
}

// perFragment is the number of statements on a page of fragments.
const perFragment = 100

// fragments serves a Triple Pattern Fragments interface: the fragment of all statements, page by page, with hydra's
// controls.
func (n *Node) fragments() func(http.ResponseWriter, *http.Request) {
	n.Entry = fmt.Sprintf("http://%s/all", n.Host)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/all" {
			http.NotFound(w, r)
			return
		}
		page := max(number(r.URL.Query().Get("page"), "", ""), 1)
		var rows []rdf.Triple
		k, more := 0, false
		for s := range n.all() {
			if more = k >= page*perFragment; more {
				break
			}
			if k >= (page-1)*perFragment {
				rows = append(rows, s)
			}
			k++
		}
		const hydra = "http://www.w3.org/ns/hydra/core#"
		at := fmt.Sprintf("%s?page=%d", n.Entry, page)
		controls := fmt.Sprintf("<%s#dataset> <http://rdfs.org/ns/void#subset> <%s> .\n<%s> <%stotalItems> %d .\n<%s#dataset> <%ssearch> [ <%stemplate> \"%s{?subject,predicate,object}\" ] .\n",
			n.Entry, at, at, hydra, n.size(), n.Entry, hydra, hydra, n.Entry)
		if more {
			controls += fmt.Sprintf("<%s> <%snext> <%s?page=%d> .\n", at, hydra, n.Entry, page+1)
		}
		var body strings.Builder
		write(&body, "nt", slices.Values(rows))
		if n.Form == "trig" {
			send(w, "application/trig", body.String()+"<"+at+"#metadata> {\n"+controls+"}\n")
			return
		}
		send(w, "text/turtle", body.String()+controls)
	}
}
