package eval_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// A benchQuery is a query of a benchmark.
type benchQuery = struct{ name, text string }

// constant matches what is drawn anew in a query.
var constant = regexp.MustCompile(`:(Product|ProductType|Feature|Vendor|Person|University|Department|Professor|Course)([0-9][0-9_]*[0-9]|[0-9])|Research[0-9]+|FILTER\(\?d > 10\)|"bal\.\*tun"`)

// drawn returns a query with other constants, of a shop or campus of n triples: the same one in the place of the same one. The
// serial number is in a prefix that nothing uses, so that no two texts are equal.
func drawn(text, base string, n int, r *rand.Rand, serial int) string {
	seen := map[string]string{}
	text = constant.ReplaceAllStringFunc(text, func(old string) string {
		if seen[old] == "" {
			seen[old] = another(old, n, r)
		}
		return seen[old]
	})
	return fmt.Sprintf("PREFIX n%d: <http://n.example/> PREFIX : <%s> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> %s",
		serial, base, strings.Join(strings.Fields(text), " "))
}

// another draws a constant like another.
func another(old string, n int, r *rand.Rand) string {
	products := max(1, n/60)
	switch kind := strings.TrimRight(old, "0123456789_"); kind {
	case ":Product":
		return fmt.Sprintf("%s%d", kind, r.IntN(products))
	case ":Person": // of those who know few others over any distance: Virtuoso has no answer for more
		return fmt.Sprintf("%s%d", kind, r.IntN(min(products, 500)))
	case ":ProductType":
		if old == ":ProductType9" { // of products; the others are above such
			return fmt.Sprintf("%s%d", kind, r.IntN(150))
		}
		return fmt.Sprintf("%s%d", kind, 1+r.IntN(30))
	case ":Feature":
		return fmt.Sprintf("%s%d", kind, r.IntN(500))
	case ":Vendor":
		return fmt.Sprintf("%s%d", kind, r.IntN(100))
	case ":University":
		return fmt.Sprintf("%s%d", kind, r.IntN(universities(n)))
	case ":Department":
		return fmt.Sprintf("%s%d_%d", kind, r.IntN(universities(n)), r.IntN(15))
	case ":Professor", ":Course":
		return fmt.Sprintf("%s%d_%d_%d", kind, r.IntN(universities(n)), r.IntN(15), r.IntN(30))
	case "Research":
		return fmt.Sprintf("%s%d", kind, r.IntN(30))
	}
	if strings.HasPrefix(old, "FILTER") {
		return fmt.Sprintf("FILTER(?d > %d)", 8+r.IntN(4))
	}
	return fmt.Sprintf(`"%c%c%c.*%c%c%c"`, "bcdfghklmnprstvw"[r.IntN(16)], "aeiou"[r.IntN(5)], "lmnrst"[r.IntN(6)],
		"bcdfghklmnprstvw"[r.IntN(16)], "aeiou"[r.IntN(5)], "lmnrst"[r.IntN(6)])
}
