package crawlfile

import (
	"reflect"

	"orbweaver/internal/crawlfile/notation"
)

// MaxProblems exports notation.MaxProblems.
const MaxProblems = notation.MaxProblems

// DecodeCrawl decodes a crawl file as if it lay in a folder, without checking the files that it names.
func (s Schema) DecodeCrawl(folder string, src []byte) (*Crawl, Problems) {
	c := &Crawl{Schema: s}
	d := s.unlooked(folder)
	d.decode(src, c, func(d *decoding) { d.checkCrawl(c) })
	return c, Problems(d.problems).InOrder(d.file)
}

// DecodeComparison is like DecodeCrawl for a comparison file.
func (s Schema) DecodeComparison(folder string, src []byte) (*Comparison, Problems) {
	c, d := new(Comparison), s.unlooked(folder)
	d.decode(src, c, func(d *decoding) { d.checkComparison(c) })
	return c, Problems(d.problems).InOrder(d.file)
}

// unlooked decodes a file without checking the files that it names.
func (s Schema) unlooked(folder string) *decoding {
	return &decoding{schema: s, file: "f.yaml", folder: folder, places: map[string]place{}}
}

// WalkKeys visits every key of sections and their subsections once, with the problems of its default.
func WalkKeys(sections []reflect.Type, visit func(in reflect.Type, key, doc string, problems Problems)) {
	seen := map[reflect.Type]bool{}
	for _, section := range sections {
		walk(section, seen, visit)
	}
}

func walk(t reflect.Type, seen map[reflect.Type]bool, visit func(in reflect.Type, key, doc string, problems Problems)) {
	if seen[t] {
		return
	}
	seen[t] = true
	for _, f := range fieldsOf(t) {
		visit(t, f.key, f.doc, defaultProblems(reflect.New(t.Field(f.index).Type).Elem(), f))
		if inner := sectionType(t.Field(f.index).Type); inner != nil {
			walk(inner, seen, visit)
		}
	}
}

// defaultProblems returns the problems of a key's default.
func defaultProblems(target reflect.Value, f field) Problems {
	d := &decoding{places: map[string]place{}}
	if f.hasInitial && !isSelfDecoder(target) {
		d.value(target, f, &node{kind: textNode, text: f.initial}, f.key)
	}
	return d.problems
}
