package rdf

// A Count is the statements of a page that stand in one place: in its documents of RDF, or within HTML in one syntax.
type Count struct {
	In        string `json:"in"`                  // InDocument, InArchive, or a syntax within HTML: jsonld, rdfa, microdata, microformats, opengraph
	Documents int64  `json:"documents,omitempty"` // of an archive that have statements; else 0
	Triples   int64  `json:"triples"`             // as they were read: those that are stated twice count twice; above 0
}

// Places of statements that are no syntax within HTML.
const (
	InDocument = "document" // the page is a document of RDF, compressed or not
	InArchive  = "archive"  // documents of RDF packed in one file
)
