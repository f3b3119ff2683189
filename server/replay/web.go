package replay

import (
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// web answers with an archived page, its links rewritten.
func (s *Server) web(w http.ResponseWriter, r *http.Request) {
	prefix, asked := splitTimestamp(strings.TrimPrefix(r.RequestURI, webPath))
	url, err := weburl.Canonical(asked)
	if err != nil {
		url, err = weburl.Canonical("http://" + asked) // typed without a scheme
	}
	switch {
	case err != nil:
		s.absent(w, r, asked)
		return
	case url != asked:
		w.Header().Set("Location", prefix+url)
		w.WriteHeader(http.StatusFound)
		return
	}
	resp, err := s.fetch(r, url)
	switch {
	case errors.Is(err, orbweaver.ErrAbsent):
		s.absent(w, r, url)
		return
	case err != nil:
		failed(w, err)
		return
	}
	defer resp.Body.Close()
	links, err := newLinker(prefix, url)
	if err != nil {
		failed(w, err)
		return
	}
	s.show(w, r, resp, links)
}

// show sends an archived response, its links rewritten by links.
func (s *Server) show(w http.ResponseWriter, r *http.Request, resp *step.Response, links *linker) {
	h := w.Header()
	describe(h, resp.Header, links)
	confine(h, r)
	kind := kindOf(h.Get("Content-Type"))
	if kind == untouched || r.Method == http.MethodHead || resp.Status == http.StatusNoContent {
		if kind != untouched {
			ownBytes(h)
		}
		s.send(w, r, resp)
		return
	}
	leave, err := s.hold(r.Context())
	if err != nil {
		failed(w, err)
		return
	}
	release := sync.OnceFunc(leave)
	defer release()
	body, err := s.decoded(r.Context(), resp.Header, resp.Body)
	if err == nil && kind == unknown {
		h.Set("Content-Type", http.DetectContentType(body))
		kind = kindOf(h.Get("Content-Type"))
	}
	if err == nil {
		body, err = rewrite(h, kind, body, links)
	}
	if err != nil {
		failed(w, err)
		return
	}
	ownBytes(h)
	h.Set("Memento-Datetime", resp.At.UTC().Format(http.TimeFormat))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	defer lend(w, len(body), release)()
	w.WriteHeader(resp.Status)
	_, _ = w.Write(body) // the browser may be gone
}

// describe copies the fields that describe the body or a redirect, each once: of several values a browser may take
// another than this server. All other fields concern another origin.
func describe(h, archived http.Header, links *linker) {
	for _, key := range []string{"Content-Language", "Content-Disposition", "Content-Length", "Content-Range", "Etag", "Last-Modified"} {
		if values := archived[key]; len(values) > 0 {
			h.Set(key, values[0])
		}
	}
	if codings := archived["Content-Encoding"]; len(codings) > 0 {
		h.Set("Content-Encoding", strings.Join(codings, ", "))
	}
	if media := mediaOf(archived["Content-Type"]); media != "" {
		h.Set("Content-Type", media)
	}
	if to, ok := links.link(archived.Get("Location")); ok {
		h.Set("Location", to)
	}
	if to, ok := links.refresh(archived.Get("Refresh")); ok {
		h.Set("Refresh", to)
	}
}

// mediaOf returns the one media type of a response: the last that is one, as browsers choose (Fetch, "extract a MIME type");
// empty if there is none.
func mediaOf(fields []string) (media string) {
	for _, field := range fields {
		for part := range strings.SplitSeq(field, ",") {
			name, parameters, err := mime.ParseMediaType(part)
			if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !strings.Contains(name, "/") || name == "*/*" {
				continue
			}
			if media = name; parameters["charset"] != "" {
				media = mime.FormatMediaType(name, map[string]string{"charset": parameters["charset"]})
			}
		}
	}
	return media
}

// confine makes the browser keep a page from the live Web, and from the data of other pages on this address,
// also those of other programs: the page has a unique origin. What needs a common origin does not load:
// fonts, modules, and data requested by scripts.
func confine(h http.Header, r *http.Request) {
	here := "http://" + r.Host
	policy := "default-src " + here + " data: blob: 'unsafe-inline' 'unsafe-eval'; form-action " + here + "; base-uri " + here
	if h.Get("Content-Type") == "application/pdf" { // browsers show none in a sandbox
		h.Set("X-Content-Type-Options", "nosniff")
	} else {
		policy = "sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads " +
			"allow-top-navigation-by-user-activation; " + policy
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
}

// ownBytes removes the fields that described the bytes before rewriting.
func ownBytes(h http.Header) {
	for _, key := range []string{"Content-Encoding", "Content-Length", "Etag", "Last-Modified"} {
		delete(h, key)
	}
	h.Set("Cache-Control", "no-store")
}

// A kind selects how a body is rewritten.
type kind int

const (
	untouched kind = iota
	unknown        // decided by its bytes, as in a browser
	asHTML
	asXML
	asCSS
)

// kindOf returns the kind of a body by its Content-Type.
func kindOf(contentType string) kind {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && media == "" {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	switch media {
	case "text/html":
		return asHTML
	case "application/xhtml+xml", "image/svg+xml":
		return asXML
	case "text/css":
		return asCSS
	case "", "unknown/unknown", "application/unknown", "*/*":
		return unknown
	}
	return untouched
}

// rewrite rewrites a body, and updates the fields h.
func rewrite(h http.Header, kind kind, body []byte, links *linker) ([]byte, error) {
	switch kind {
	case asHTML:
		text, _ := charset.Text(body, h.Get("Content-Type"))
		h.Set("Content-Type", "text/html; charset=utf-8")
		return rewriteHTML(links, text, false)
	case asXML:
		return rewriteHTML(links, body, true)
	case asCSS:
		rewritten := links.appendCSS(make([]byte, 0, len(body)+len(body)/4), body)
		return rewritten, links.check(len(rewritten))
	}
	return body, nil
}
