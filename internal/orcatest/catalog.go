package orcatest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// datasets is the number of datasets of a catalogue; each has a part of the statements.
const datasets = 7

// dataset is the form of a dataset's file.
func dataset(i int) string {
	return []string{"ttl", "nt", "nt.gz", "zip", "rdf", "tar.gz", "nq"}[i%datasets]
}

// sendDataset sends the file of a dataset.
func (n *Node) sendDataset(w http.ResponseWriter, r *http.Request, i int) {
	if i < 0 || i >= datasets {
		http.NotFound(w, r)
		return
	}
	n.sendPacked(w, dataset(i), part(n.all(), i, datasets))
}

// ckan serves a CKAN catalogue: its front page and the API of version 3, a few datasets a page whatever is asked.
func (n *Node) ckan() func(http.ResponseWriter, *http.Request) {
	n.Entry = fmt.Sprintf("http://%s/", n.Host)
	if n.Form == "api" {
		n.Entry += "api/3/action/package_list"
	}
	const rows = 3
	return func(w http.ResponseWriter, r *http.Request) {
		file, found := strings.CutPrefix(r.URL.Path, "/dataset/files/")
		switch {
		case r.URL.Path == "/":
			send(w, "text/html", `<!DOCTYPE html><title>Open data</title><nav><a href="/dataset/">Datasets</a> <a href="/organization/">Organizations</a> <a href="/group/">Groups</a> <a href="/about">About</a></nav><p>Welcome`)
		case found:
			name, _, _ := strings.Cut(file, ".")
			i, err := strconv.Atoi(name)
			if err != nil {
				i = -1
			}
			n.sendDataset(w, r, i)
		case r.URL.Path == "/api/3/action/package_list":
			names := []string{}
			for i := range datasets {
				names = append(names, fmt.Sprintf("set-%d", i))
			}
			sendJSON(w, names)
		case r.URL.Path == "/api/3/action/package_search":
			start := max(number(r.URL.Query().Get("start"), "", ""), 0)
			list := []any{}
			for i := start; i < min(start+rows, datasets); i++ {
				list = append(list, map[string]any{"name": fmt.Sprintf("set-%d", i), "resources": []any{
					map[string]any{"url": fmt.Sprintf("http://%s/dataset/files/%d.%s", n.Host, i, dataset(i)), "format": []string{"RDF", "Turtle", "application/n-triples"}[i%3]},
					map[string]any{"url": fmt.Sprintf("http://%s/dataset/files/%d.csv", n.Host, i), "format": "CSV"},
				}})
			}
			sendJSON(w, map[string]any{"count": datasets, "results": list})
		default:
			http.NotFound(w, r)
		}
	}
}

// sendJSON sends a result of CKAN's API.
func sendJSON(w http.ResponseWriter, result any) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	_ = json.NewEncoder(w).Encode(map[string]any{"help": "http://docs.test/", "success": true, "result": result}) // the client may have left
}

// dcat serves a catalogue in Turtle, whose distributions have files.
func (n *Node) dcat() func(http.ResponseWriter, *http.Request) {
	n.Entry = fmt.Sprintf("http://%s/catalog", n.Host)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/catalog" {
			name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/get/"), ".")
			i, err := strconv.Atoi(name)
			if err != nil {
				i = -1
			}
			n.sendDataset(w, r, i)
			return
		}
		var b strings.Builder
		b.WriteString("@prefix dcat: <http://www.w3.org/ns/dcat#> .\n<#c> a dcat:Catalog .\n")
		for i := range datasets {
			predicate := "downloadURL"
			if n.Form == "access" {
				predicate = "accessURL"
			}
			fmt.Fprintf(&b, "<#c> dcat:dataset <#s%d> . <#s%d> dcat:distribution [ dcat:%s </get/%d.%s> ] .\n", i, i, predicate, i, dataset(i))
		}
		send(w, "text/turtle", b.String())
	}
}
