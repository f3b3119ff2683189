package krs

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"net/url"
	"strings"

	"orbweaver/rdf"
)

// The vocabulary of the schema (the paper's Fig. 2). HasTopic names the figure's unnamed arrow from a
// document to its topic.
const (
	sfwc   = "http://sfwcrawler.com/core#"
	nif    = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
	itsrdf = "http://www.w3.org/2005/11/its/rdf#"

	ClassDocument = sfwc + "Document"
	ClassTopic    = sfwc + "Topic"
	ClassEntity   = sfwc + "Entity"
	ClassWord     = nif + "Word"
	ClassPhrase   = nif + "Phrase"
	HasTopic      = sfwc + "hasTopic"
	InDocument    = sfwc + "inDocument"
	NeTag         = sfwc + "neTag"
	IDFValue      = sfwc + "idfValue" // virtual: see View
	AnchorOf      = nif + "anchorOf"
	PosTag        = nif + "posTag"
	TaIdentRef    = itsrdf + "taIdentRef"
	Title         = "http://purl.org/dc/terms/title"

	rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

// schema holds the terms used to describe documents.
type schema struct {
	typ, document, topic, entity, word, phrase, hasTopic, inDocument, neTag, anchorOf, posTag, taIdentRef, title rdf.Term
}

func newSchema() schema {
	return schema{
		typ: rdf.NewIRI(rdfType), document: rdf.NewIRI(ClassDocument), topic: rdf.NewIRI(ClassTopic),
		entity: rdf.NewIRI(ClassEntity), word: rdf.NewIRI(ClassWord), phrase: rdf.NewIRI(ClassPhrase),
		hasTopic: rdf.NewIRI(HasTopic), inDocument: rdf.NewIRI(InDocument), neTag: rdf.NewIRI(NeTag),
		anchorOf: rdf.NewIRI(AnchorOf), posTag: rdf.NewIRI(PosTag), taIdentRef: rdf.NewIRI(TaIdentRef),
		title: rdf.NewIRI(Title),
	}
}

// topicIRI returns the IRI of a topic.
func topicIRI(topic string) string { return "urn:krs:topic:" + url.PathEscape(topic) }

// documentIRI returns the IRI of a document: its ID if that is an IRI; false if it has none.
func documentIRI(id string) (string, bool) {
	if id == "" || len(id) > maxIRI {
		return "", false
	}
	if s := proper(id); s != "" {
		return s, true
	}
	return "urn:krs:document:" + url.PathEscape(strings.ToValidUTF8(id, "\uFFFD")), true
}

// entityIRI returns the IRI of a noun's entity within a document: by its lemma and, if linked, an
// abbreviation of the link.
func entityIRI(document string, k Key) string {
	var b strings.Builder
	b.WriteString(document)
	if strings.IndexByte(document, '#') < 0 {
		b.WriteByte('#')
	} else {
		b.WriteByte('/') // a lemma has no unescaped slash
	}
	b.WriteString(url.PathEscape(k.Lemma))
	if k.Linked() {
		sum := sha256.Sum256([]byte(k.IRI))
		b.WriteByte(';') // nor an unescaped semicolon
		b.WriteString(hex.EncodeToString(sum[:8]))
	}
	return b.String()
}

// topicQuads yields the statements about a topic.
func topicQuads(topic string) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		v, s := newSchema(), rdf.NewIRI(topicIRI(topic))
		_ = yield(rdf.Quad{S: s, P: v.typ, O: v.topic}) &&
			yield(rdf.Quad{S: s, P: v.title, O: rdf.NewString(strings.ToValidUTF8(topic, "\uFFFD"))})
	}
}

// quads yields the quads of a document. first holds the first occurrence of each mention, which determines
// tag and type.
func (v *schema) quads(topic, document string, d *Document, mentions []Mention, first []int) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		doc := rdf.NewIRI(document)
		if !yield(rdf.Quad{S: doc, P: v.typ, O: v.document}) ||
			!yield(rdf.Quad{S: doc, P: v.title, O: rdf.NewString(cut(d.Title, maxTitle))}) ||
			!yield(rdf.Quad{S: doc, P: v.hasTopic, O: rdf.NewIRI(topicIRI(topic))}) {
			return
		}
		for i := range mentions {
			for q := range v.entityQuads(doc, mentions[i].Key, &d.Nouns[first[i]]) {
				if !yield(q) {
					return
				}
			}
		}
	}
}

func (v *schema) entityQuads(doc rdf.Term, k Key, n *Noun) iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		s, kind := rdf.NewIRI(entityIRI(doc.Value, k)), v.word
		if n.Phrase {
			kind = v.phrase
		}
		_ = yield(rdf.Quad{S: s, P: v.typ, O: v.entity}) &&
			yield(rdf.Quad{S: s, P: v.typ, O: kind}) &&
			yield(rdf.Quad{S: s, P: v.anchorOf, O: rdf.NewString(k.Lemma)}) &&
			(n.Tag == "" || yield(rdf.Quad{S: s, P: v.posTag, O: rdf.NewString(cut(n.Tag, maxLemma))})) &&
			(n.Type == "" || yield(rdf.Quad{S: s, P: v.neTag, O: rdf.NewString(cut(n.Type, maxLemma))})) &&
			(k.IRI == "" || yield(rdf.Quad{S: s, P: v.taIdentRef, O: rdf.NewIRI(k.IRI)})) &&
			yield(rdf.Quad{S: s, P: v.inDocument, O: doc})
	}
}
