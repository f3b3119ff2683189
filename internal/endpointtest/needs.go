package endpointtest

import (
	"regexp"
	"strings"
)

// Needs lists the features that an endpoint needs for a query.
type Needs struct {
	Union, Distinct, Modern bool
}

// tokens matches the tokens of a query that can contain keywords or hide them.
var tokens = regexp.MustCompile(`(?s)<[^<>"{}|^` + "`" + `\\\x00-\x20]*>` + // an IRI
	`|""".*?"""|'''.*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'` +
	`|#[^\r\n]*` + // a comment
	`|[?$]\w+|@[A-Za-z-]+` +
	`|[\pL\d_.-]*:[\pL\d_.%:-]*` + // a prefixed name
	`|\w+`)

// NeedsOf returns the features that a query needs, by its keywords. It does not detect property paths,
// which SPARQL 1.0 lacks too.
func NeedsOf(query string) (n Needs) {
	selects := 0
	for _, token := range tokens.FindAllString(query, -1) {
		switch strings.ToUpper(token) {
		case "UNION":
			n.Union = true
		case "DISTINCT":
			n.Distinct = true
		case "SELECT":
			selects++
		case "AS", "BIND", "VALUES", "GROUP", "HAVING", "MINUS", "EXISTS", "SERVICE", "IN", "IF", "COALESCE",
			"COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT":
			n.Modern = true
		}
	}
	n.Modern = n.Modern || selects > 1
	return n
}

// Able reports whether an endpoint supports the features of n. It ignores Always.
func (p Profile) Able(n Needs) bool {
	return (p.Union || !n.Union) && (p.Distinct || !n.Distinct) && (p.Modern || !n.Modern)
}
