package step

import (
	"slices"
	"strings"

	"orbweaver"
)

// NextPage is the predicate that leads from a page of a Hydra collection to the next one.
const NextPage = "http://www.w3.org/ns/hydra/core#next"

// nextPredicates lead from a page of a list of data to others of it.
var nextPredicates = []string{
	NextPage, "http://www.w3.org/ns/hydra/core#previous", "http://www.w3.org/ns/hydra/core#nextPage",
	"https://w3id.org/tree#node",
	"https://www.w3.org/ns/activitystreams#next", "https://www.w3.org/ns/activitystreams#prev",
}

// IsNextPage reports whether a predicate leads from a page of a list of data to others of the same list: Hydra's, that of
// TREE, and those of Activity Streams.
func IsNextPage(predicate string) bool { return slices.Contains(nextPredicates, predicate) }

// nextRelations are relations of links to other pages of the same list: HTML's, and those of feeds (RFC 5005).
var nextRelations = []string{"next", "prev", "previous", "next-archive", "prev-archive"}

// nextWords begin the text of a link to another page of a list; it has three words at most.
var nextWords = map[string]bool{
	"next": true, "previous": true, "prev": true, "older": true, "newer": true, "more": true, "earlier": true, "later": true,
	"weiter": true, "nächste": true, "vorherige": true, "ältere": true, "neuere": true, "zurück": true, "mehr": true,
	"suivant": true, "suivante": true, "précédent": true, "précédente": true, "anciens": true,
	"siguiente": true, "anterior": true, "anteriores": true, "siguientes": true, "más": true,
	"successiva": true, "successivo": true, "precedente": true, "avanti": true,
	"próxima": true, "próximo": true, "seguinte": true, "volgende": true, "vorige": true,
	"nästa": true, "föregående": true, "næste": true, "neste": true, "forrige": true, "seuraava": true, "edellinen": true,
	"następna": true, "następny": true, "poprzednia": true, "další": true, "předchozí": true, "következő": true,
	"следующая": true, "далее": true, "вперёд": true, "предыдущая": true, "назад": true, "наступна": true,
	"sonraki": true, "önceki": true, "التالي": true, "次へ": true, "次のページ": true, "前へ": true, "次": true,
	"下一页": true, "下一頁": true, "上一页": true, "上一頁": true, "下页": true, "다음": true, "이전": true,
}

// pageParameters are the names of query parameters that count pages or what is on them.
var pageParameters = map[string]bool{
	"page": true, "p": true, "pg": true, "paged": true, "pagenum": true, "pageno": true, "page_no": true, "page_num": true, "pagenumber": true,
	"pn": true, "seite": true, "pagina": true, "página": true, "sida": true, "side": true, "strana": true,
	"start": true, "offset": true, "from": true, "skip": true, "first": true, "begin": true, "startindex": true, "cursor": true, "after": true,
	"before": true, "fromitem": true, "b_start:int": true, "cpage": true, "currentpage": true,
}

// pageSegments are segments of a path that stand before the number of a page.
var pageSegments = map[string]bool{
	"page": true, "p": true, "pages": true, "seite": true, "pagina": true, "página": true, "sida": true, "strona": true, "stranica": true,
}

// Continues reports whether a link of a page leads to another page of the same list, on the same origin: by its relation, by a
// predicate, or by its text and by the form of the two URLs, which differ in the number of a page.
func Continues(page string, l *orbweaver.Link) bool {
	if Origin(page) != Origin(l.To) {
		return false
	}
	if IsNextPage(l.Rel) {
		return true
	}
	for rel := range strings.FieldsSeq(l.Rel) {
		if slices.Contains(nextRelations, rel) {
			return true
		}
	}
	text := l.Anchor
	if text == "" {
		text = l.Title
	}
	if len(text) > 64 {
		return false
	}
	number, word := pagerText(text)
	if !number && !word {
		return false
	}
	from, _ := unnumbered(page)
	to, numbered := unnumbered(l.To)
	return numbered && from == to
}

// pagerText reports whether the text of a link is the number of a page, or begins with a word for the next page.
func pagerText(text string) (number, word bool) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("\u00a0«»‹›<>←→⟵⟶⇐⇒…·|:()[]", r)
	})
	switch {
	case len(words) == 0:
		return false, strings.ContainsAny(text, "»›>→⟶⇒«‹<←⟵⇐")
	case len(words) > 3:
		return false, false
	}
	last := words[len(words)-1]
	year := len(last) == 4 && (last[0] == '1' || last[0] == '2')
	return isNumber(last) && !year && (len(words) == 1 || pageSegments[words[0]]), nextWords[words[0]]
}

// unnumbered returns a URL without what counts pages in it; numbered: there was something.
func unnumbered(url string) (rest string, numbered bool) {
	path, query, _ := strings.Cut(url, "?")
	var kept []string
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if pageParameters[strings.ToLower(name)] && value != "" {
			numbered = true
			continue
		}
		if parameter != "" {
			kept = append(kept, parameter)
		}
	}
	path = strings.TrimSuffix(path, "/")
	cut := strings.LastIndexByte(path, '/')
	if last := path[cut+1:]; strings.Count(path, "/") > 2 && last != "" {
		switch bare := withoutNumber(last); {
		case isNumber(last):
			numbered, path = true, path[:cut]
			if before := strings.LastIndexByte(path, '/'); pageSegments[path[before+1:]] {
				path = path[:before]
			}
		case bare != last:
			numbered, path = true, path[:cut+1]+bare
		}
	}
	return strings.TrimSuffix(strings.TrimSuffix(path, "/index"), "/index.html") + "?" + strings.Join(kept, "&"), numbered
}

// isNumber reports whether a segment is a small number.
func isNumber(s string) bool { return s != "" && len(s) < 6 && strings.Trim(s, "0123456789") == "" }

// withoutNumber returns the last segment of a path without the number of a page at the end of its name: "list-2.html",
// "gliders_p3", "page4.php".
func withoutNumber(segment string) string {
	name, extension := segment, ""
	if dot := strings.LastIndexByte(segment, '.'); dot > 0 {
		name, extension = segment[:dot], segment[dot:]
	}
	bare := strings.TrimRight(name, "0123456789")
	if bare == name || len(name)-len(bare) > 5 {
		return segment
	}
	bare = strings.TrimRight(bare, "-_.,")
	for _, word := range [...]string{"page", "seite", "p"} {
		if less, ok := strings.CutSuffix(bare, word); ok && (less == "" || strings.HasSuffix(less, "-") || strings.HasSuffix(less, "_")) {
			bare = strings.TrimRight(less, "-_.")
			break
		}
	}
	return bare + extension
}

// Origin returns the scheme and host of a URL.
func Origin(url string) string {
	at := strings.Index(url, "://")
	if at < 0 {
		return url
	}
	if end := strings.IndexAny(url[at+3:], "/?#"); end >= 0 {
		return url[:at+3+end]
	}
	return url
}
