package krs

import (
	"slices"
	"strings"
	"unicode"
)

// The types of named entities, as in CoNLL-2003. Entities of other classes are misc where a text names them.
const (
	person       = "PER"
	organization = "ORG"
	location     = "LOC"
	misc         = "MISC"
)

// typeOfName returns the present name of a type, for files of earlier versions.
func typeOfName(name string) string {
	switch name {
	case "PERSON":
		return person
	case "ORGANIZATION":
		return organization
	case "LOCATION":
		return location
	}
	return name
}

// Predicates that give an entity a class, and a class a broader one: RDF's and those of Wikidata.
func isTyping(predicate string) bool {
	return predicate == "http://www.w3.org/1999/02/22-rdf-syntax-ns#type" || predicate == "http://www.wikidata.org/prop/direct/P31"
}

func isNarrowing(predicate string) bool {
	return predicate == "http://www.w3.org/2000/01/rdf-schema#subClassOf" || predicate == "http://www.wikidata.org/prop/direct/P279"
}

// isOfSchema reports whether what has this class is no entity but a class, a property or a concept.
func isOfSchema(class string) bool {
	for _, space := range [...]string{
		"http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#",
		"http://www.w3.org/2004/02/skos/core#",
	} {
		if strings.HasPrefix(class, space) {
			return true
		}
	}
	return false
}

// Bounds of classes.
const (
	maxClasses  = 1 << 20 // classes with a superclass; further ones have none
	maxSupers   = 64      // of a class
	maxVisited  = 1024    // classes above one
	maxOfEntity = 16      // classes of an entity; the first ones count
)

// classes maps entities to types by their classes, in any order of statements.
type classes struct {
	entities map[string][]string // IRI → classes, of which none has a type by itself
	typed    map[string]string   // IRI → type
	supers   map[string][]string
}

func newClasses() *classes {
	return &classes{map[string][]string{}, map[string]string{}, map[string][]string{}}
}

// is states that an entity is of a class.
func (c *classes) is(entity, class string) {
	if kind := typeOfClass(class); kind != "" {
		c.typed[entity] = stronger(c.typed[entity], kind)
		return
	}
	if of := c.entities[entity]; len(of) < maxOfEntity && !slices.Contains(of, class) {
		c.entities[entity] = append(of, class)
	}
}

// within states that a class is narrower than another.
func (c *classes) within(class, above string) {
	if all := c.supers[class]; class != above && len(all) < maxSupers && (all != nil || len(c.supers) < maxClasses) {
		c.supers[class] = append(all, above)
	}
}

// types returns the types of all entities that have a class: misc where it is of none of the others.
func (c *classes) types() map[string]string {
	known := map[string]string{}
	for entity, of := range c.entities {
		kind := c.typed[entity]
		for _, class := range of {
			found, met := known[class]
			if !met {
				found = c.above(class)
				known[class] = found
			}
			kind = stronger(kind, found)
		}
		if kind == "" {
			kind = misc
		}
		c.typed[entity] = kind
	}
	return c.typed
}

// above returns the type of the nearest class above one that has any; of several as near, the stronger.
func (c *classes) above(class string) string {
	seen := map[string]bool{class: true}
	for level := []string{class}; len(level) > 0; {
		kind := ""
		var next []string
		for _, class := range level {
			kind = stronger(kind, typeOfClass(class))
			for _, above := range c.supers[class] {
				if !seen[above] && len(seen) < maxVisited {
					seen[above] = true
					next = append(next, above)
				}
			}
		}
		if kind != "" {
			return kind
		}
		level = next
	}
	return ""
}

// stronger returns the type that an entity of two has: a university is an organization, and then a place.
func stronger(a, b string) string {
	for _, kind := range [...]string{person, organization, location} {
		if a == kind || b == kind {
			return kind
		}
	}
	return ""
}

// typeOfClass returns the type that a class states by itself: by its IRI in vocabularies without telling names, otherwise
// by its local name or the last word of that; empty if neither is known.
func typeOfClass(class string) string {
	at := strings.LastIndexAny(class, "#/:")
	space, name := class[:at+1], class[at+1:]
	switch {
	case strings.HasPrefix(space, "http://www.wikidata.org/entity/") || space == "Wikidata:":
		return typeOfItem(name)
	case space == "http://www.geonames.org/ontology#" && name == "Feature":
		return location
	case space == "http://www.w3.org/2003/01/geo/wgs84_pos#", space == "http://www.w3.org/2004/02/skos/core#", space == "http://www.w3.org/2002/07/owl#":
		return "" // FOAF's persons are spatial things, too
	}
	if i := strings.IndexByte(name, '_'); i > 0 && len(name) > 1 && name[0] == 'E' && name[1] >= '0' && name[1] <= '9' {
		name = name[i+1:] // CIDOC: E21_Person
	}
	word := strings.ToLower(lastWord(name))
	if word == "group" && len(name) > len(word) {
		return "" // ethnic and other groups
	}
	return typeOfWord(word)
}

// lastWord returns the last word of a name in camel case, or with _ or - between words; of PlaceOfWorship the word before
// Of.
func lastWord(name string) string {
	if i := strings.Index(name, "Of"); i > 0 && len(name) > i+2 && unicode.IsUpper(rune(name[i+2])) {
		name = name[:i]
	}
	name = strings.TrimRight(name, "0123456789_-")
	if i := strings.LastIndexAny(name, "_-"); i >= 0 {
		name = name[i+1:]
	}
	runes := []rune(name)
	for i := len(runes) - 1; i > 0; i-- {
		if unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1]) {
			return string(runes[i:])
		}
	}
	return name
}

// typeOfItem returns the type of the classes of Wikidata that most others are below.
func typeOfItem(item string) string {
	switch item {
	case "Q5", "Q215627", "Q15632617", "Q95074": // human, person, fictional human, fictional character
		return person
	case "Q43229", "Q4830453", "Q6881511", "Q783794", "Q891723", "Q3918", "Q38723", "Q7278", "Q215380", "Q476028", "Q327333",
		"Q2385804", "Q163740", "Q16334295": // organization, business, enterprise, company, university, party, band, club, agency, …
		return organization
	case "Q17334923", "Q2221906", "Q618123", "Q486972", "Q515", "Q6256", "Q3624078", "Q56061", "Q3957", "Q532", "Q8502", "Q4022",
		"Q23397", "Q23442", "Q35657", "Q5107", "Q165", "Q9430", "Q41176": // location, settlement, city, country, mountain, river, lake, …
		return location
	}
	return ""
}

// typeOfWord returns the type of the word that a class's name ends with.
func typeOfWord(word string) string {
	switch word {
	case "person", "persons", "people", "human", "individual", "man", "woman":
		return person
	case "organization", "organisation", "organizations", "organisations", "company", "corporation", "business", "institution",
		"university", "college", "agency", "ministry", "party", "band", "team", "league", "club", "airline", "ngo", "group", "committee",
		"orchestra", "parliament", "publisher", "broadcaster":
		return organization
	case "place", "location", "city", "town", "village", "settlement", "country", "state", "province", "county", "municipality",
		"region", "continent", "island", "mountain", "river", "lake", "ocean", "sea", "bay", "valley", "desert", "volcano",
		"airport", "street", "landform", "territory", "area":
		return location
	}
	return ""
}
