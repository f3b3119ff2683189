package sparql

import (
	"regexp"
	"strings"

	"orbweaver/rdf/sparql/syntax"
)

// A misprint is a usual error in queries, as in Listings 1 and 2 of Hernandez et al. 2020.
type misprint struct {
	wrong, right, why string
}

// misprints returns those that Corrected looks for. The second one is not already within parentheses.
func misprints() []misprint {
	return []misprint{
		{`(?im)^([\t ]*)@(prefix\s+[^\s:]*:\s*<[^<>]*>)[\t ]*\.?`, "$1$2", "SPARQL writes PREFIX without @, and without a dot at its end"},
		{`(?i)([^\s(]\s+)((?:COUNT|SUM|MIN|MAX|AVG|SAMPLE)\s*\([^()]*\)\s+AS\s+[?$]\w+)`, "$1($2)", "an expression with AS has parentheses: (COUNT(…) AS ?n)"},
	}
}

// Corrected describes the usual misprints of a query that cannot be parsed, and gives the query without them.
// It is empty if these are not all that is wrong.
func Corrected(text string) string {
	if len(text) > maxCorrected {
		return ""
	}
	var why strings.Builder
	right := text
	for _, m := range misprints() {
		wrong, before := regexp.MustCompile(m.wrong), right
		for range 2 { // the second time those that stand between two others
			right = wrong.ReplaceAllString(right, m.right)
		}
		if right != before {
			why.WriteString("  " + m.why + "\n")
		}
	}
	if right == text {
		return ""
	}
	if _, err := syntax.ParseQuery(right, syntax.Options{}); err != nil {
		return ""
	}
	return "it has misprints:\n" + why.String() + "the query without them:\n  " + strings.ReplaceAll(strings.TrimRight(right, "\n"), "\n", "\n  ")
}

// maxCorrected bounds the length of a query in which misprints are looked for.
const maxCorrected = 16 << 10
