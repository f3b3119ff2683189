package jsonld

import (
	"strings"

	"orbweaver/rdf"
)

const (
	i18nNS       = "https://www.w3.org/ns/i18n#"
	rdfValue     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"
	rdfLanguage  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#language"
	rdfDirection = "http://www.w3.org/1999/02/22-rdf-syntax-ns#direction"
)

// directed returns the term of a value object with a direction: the literal that it would be without one, or what the options make of
// it.
func (c *converter) directed(m map[string]any, t, graph rdf.Term) rdf.Term {
	name, _ := m["@direction"].(string)
	dir, is := rdf.DirectionOf(name)
	if !is || t.Kind != rdf.Literal || t.Datatype != rdf.XSDString && t.Datatype != rdf.LangString {
		return t
	}
	switch c.opts.Direction {
	case DirectionTagged:
		if t.Lang != "" {
			return rdf.NewDirLang(t.Value, t.Lang, dir)
		}
	case DirectionDatatype:
		return rdf.NewTyped(t.Value, i18nNS+strings.ToLower(t.Lang)+"_"+dir.String())
	case DirectionCompound:
		node := rdf.NewBlank(c.labels.Fresh())
		c.emit(node, rdf.NewIRI(rdfValue), rdf.NewString(t.Value), graph)
		if t.Lang != "" {
			c.emit(node, rdf.NewIRI(rdfLanguage), rdf.NewString(strings.ToLower(t.Lang)), graph)
		}
		c.emit(node, rdf.NewIRI(rdfDirection), rdf.NewString(dir.String()), graph)
		return node
	}
	return t
}
