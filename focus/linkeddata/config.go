package linkeddata

// A Config is what the rules look for: the paper's sets, as data. Case does not matter.
type Config struct {
	// Terms are S_terms: words, or phrases of several, that speak of RDF. They match as whole words:
	// "n3" is not in "n300", and "json-ld" is "JSON LD" too.
	Terms []string
	// ContentTypes are S_types: media types that links name in their attributes and texts.
	ContentTypes []string
	// Extensions are S_ext: file extensions of RDF, with their dot; before .gz and .bz2 they count too.
	Extensions []string
	// HTMLExtensions are those of HTML pages.
	HTMLExtensions []string
	// OtherExtensions are those of what can be neither RDF nor HTML.
	OtherExtensions []string
	// Packed are extensions of what a dump may be packed in: they count among the others unless it is
	// stated that a dump is there.
	Packed []string
	// Documents are media types that make a page, by its bytes and header together, one of RDF.
	Documents []string
	// Layout are beginnings of the IRIs of predicates, and of types, that say how a page is shown: data
	// of these alone make no page worth accepting.
	Layout []string
}

// DefaultConfig returns the lists a crawl file starts from.
func DefaultConfig() Config {
	return Config{
		Terms: []string{
			"rdf", "rdfs", "triple", "triples", "n3", "notation3", "n-triples", "ntriples", "n-quads", "nquads",
			"turtle", "ttl", "foaf", "doap", "sioc", "owl", "skos", "sparql", "json-ld", "jsonld", "linked data",
			"linkeddata",
		},
		ContentTypes: []string{
			"application/rdf+xml", "text/rdf+xml", "text/turtle", "application/turtle", "application/x-turtle", "text/n3",
			"text/rdf+n3", "application/n-triples", "text/ntriples", "application/n-quads", "text/x-nquads",
			"application/trig", "application/x-trig", "application/ld+json",
		},
		Extensions: []string{".rdf", ".owl", ".nt", ".nq", ".n3", ".ttl", ".trig", ".jsonld"},
		HTMLExtensions: []string{
			".html", ".htm", ".xhtml", ".xht", ".shtml", ".phtml", ".php", ".php3", ".php4", ".php5", ".asp", ".aspx", ".jsp",
			".jspx", ".cgi", ".cfm", ".do",
		},
		OtherExtensions: []string{
			".jpg", ".jpeg", ".png", ".gif", ".svg", ".svgz", ".webp", ".avif", ".bmp", ".ico", ".tif", ".tiff", ".psd", ".eps",
			".pdf", ".ps", ".dvi", ".djvu", ".epub", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp",
			".rtf", ".csv", ".tsv", ".bib", ".tex", ".css", ".js", ".mjs", ".map", ".wasm", ".woff", ".woff2", ".ttf", ".otf",
			".eot", ".mp3", ".mp4", ".m4a", ".m4v", ".ogg", ".ogv", ".oga", ".wav", ".flac", ".avi", ".mov", ".mkv", ".webm",
			".mpg", ".mpeg", ".wmv", ".swf", ".flv", ".3gp", ".mid", ".zip", ".tar", ".tgz", ".rar", ".7z", ".xz", ".jar",
			".war", ".exe", ".msi", ".dmg", ".iso", ".deb", ".rpm", ".apk", ".bin", ".dll", ".so", ".class", ".rss", ".atom",
			".ics", ".vcf",
		},
		Packed: []string{".gz", ".bz2", ".xz", ".zst", ".zip", ".7z", ".tar", ".tgz", ".rar"},
		Documents: []string{
			"application/rdf+xml", "text/turtle", "application/n-triples", "application/n-quads", "application/trig",
			"application/ld+json",
		},
		Layout: []string{
			"http://ogp.me/ns", "https://ogp.me/ns", "http://opengraphprotocol.org/schema/",
			"http://www.facebook.com/2008/fbml", "https://dev.twitter.com/cards#", "http://www.w3.org/1999/xhtml/vocab#",
			"http://www.w3.org/ns/rdfa#",
		},
	}
}

// Extend returns the lists of both, those of more behind.
func (c Config) Extend(more Config) Config {
	join := func(a, b []string) []string { return append(a[:len(a):len(a)], b...) }
	return Config{
		Terms:           join(c.Terms, more.Terms),
		ContentTypes:    join(c.ContentTypes, more.ContentTypes),
		Extensions:      join(c.Extensions, more.Extensions),
		HTMLExtensions:  join(c.HTMLExtensions, more.HTMLExtensions),
		OtherExtensions: join(c.OtherExtensions, more.OtherExtensions),
		Packed:          join(c.Packed, more.Packed),
		Documents:       join(c.Documents, more.Documents),
		Layout:          join(c.Layout, more.Layout),
	}
}
