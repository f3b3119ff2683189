package replay

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strings"
)

// maxQuery bounds a search, in bytes.
const maxQuery = 200

// pages are the templates of the server's own pages.
type pages struct{ front, absent *template.Template }

const layout = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{.Title}}</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem }
td { padding: .1rem 1rem .1rem 0; overflow-wrap: anywhere }
td.count { text-align: right; white-space: nowrap }
input { font: inherit; padding: .3rem .5rem; width: 24rem; max-width: 70% }
li { overflow-wrap: anywhere }
p.note { opacity: .7 }
</style></head><body>
<h1>{{.Title}}</h1>
<form action="/"><input name="q" value="{{.Query}}" aria-label="words of a URL" placeholder="words of a URL"> <button>Search</button></form>
`

const frontBody = `
{{if .Query}}<p>{{.Total}} of {{.URLs}} URLs hold “{{.Query}}”{{if gt .Total (len .Found)}}; the first {{len .Found}} are{{end}}:</p>
<ul>{{range .Found}}<li><a href="{{web .}}">{{.}}</a></li>{{end}}</ul>
<p><a href="/">All hosts</a></p>
{{else}}<p>{{.URLs}} URLs of {{.HostCount}} hosts. Nothing here is fetched from the live Web.</p>
<table>{{range .Hosts}}<tr><td><a href="{{web .Home}}">{{.Name}}</a></td><td class="count"><a href="/?q={{.Name}}/">{{.Count}}</a></td></tr>{{end}}</table>
{{if gt .HostCount (len .Hosts)}}<p class="note">The other hosts are found by search.</p>{{end}}
{{end}}<p class="note">As a proxy: <code>http_proxy=http://{{.Here}}</code></p></body></html>
`

const absentBody = `
<p>The archive does not have <code>{{.URL}}</code>, and nothing is fetched from the live Web.</p>
{{if .Found}}<p>It has:</p><ul>{{range .Found}}<li><a href="{{web .}}">{{.}}</a></li>{{end}}</ul>{{end}}
<p><a href="/">All hosts</a></p></body></html>
`

// newPages parses the templates.
func newPages() (*pages, error) {
	funcs := template.FuncMap{"web": func(url string) template.URL { return template.URL(webPath + url) }} // canonical
	front, err := template.New("front").Funcs(funcs).Parse(layout + frontBody)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	absent, err := template.New("absent").Funcs(funcs).Parse(layout + absentBody)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	return &pages{front, absent}, nil
}

// A view is the data of a page.
type view struct {
	Title, Query, Here, URL string
	URLs, HostCount, Total  int
	Found                   []string
	Hosts                   []host
}

// front shows the hosts, or the URLs that match a search.
func (s *Server) front(w http.ResponseWriter, r *http.Request) {
	query := strings.ToValidUTF8(r.URL.Query().Get("q"), "")
	query = strings.ToValidUTF8(strings.TrimSpace(query[:min(len(query), maxQuery)]), "")
	urls, hosts := s.Counts()
	v := view{Title: "An archived web", Query: query, Here: r.Host, URLs: urls, HostCount: hosts}
	if query != "" {
		v.Found, v.Total = s.list.search(r.Context(), query)
	} else {
		v.Hosts = s.list.hosts[:min(hosts, maxSearched)]
	}
	s.print(w, s.pages.front, http.StatusOK, v)
}

// absent shows that a page is not archived, and the most similar URLs.
func (s *Server) absent(w http.ResponseWriter, _ *http.Request, url string) {
	s.print(w, s.pages.absent, http.StatusNotFound,
		view{Title: "Not in the archive", URL: url, Found: s.list.nearest(url, shownNear)})
}

// print sends one of the server's own pages.
func (s *Server) print(w http.ResponseWriter, page *template.Template, status int, v view) {
	var out bytes.Buffer
	if err := page.Execute(&out, v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'")
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // the browser may be gone
}
