package page

import (
	"context"
	"testing"

	"orbweaver/page/dublin"
	"orbweaver/page/office"
)

// tides is a DOCX file. Nothing of it is sentences: as HTML, most would be taken for navigation.
func tides(t testing.TB) string {
	return string(zipped(t, "[Content_Types].xml", `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"docProps/core.xml", `<cp xmlns:dc="d"><dc:title>Tides</dc:title><dc:creator>Ada</dc:creator><dc:language>de-AT</dc:language></cp>`,
		"word/_rels/document.xml.rels", `<Relationships><Relationship Id="r" TargetMode="External" Target="http://b.test/moon"/></Relationships>`,
		"word/document.xml", `<w:document xmlns:w="w"><w:body><w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Ebb</w:t></w:r></w:p>`+
			`<w:p><w:hyperlink w:id="r"><w:r><w:t>the moon</w:t></w:r></w:hyperlink><w:r><w:t> pulls</w:t></w:r></w:p>`+
			`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Brest</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>7 m</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>`))
}

func TestOffice(t *testing.T) {
	epub := string(zipped(t, "mimetype", office.EPUB, "META-INF/container.xml", `<rootfile full-path="o"/>`, "o",
		`<package><item id="a" href="c" media-type="application/xhtml+xml"/><itemref idref="a"/></package>`, "c", `<html><body><p>the <a href="http://b.test/moon">moon</a></p></body></html>`))
	odt := string(zipped(t, "mimetype", office.ODT, "content.xml", `<office:body xmlns:office="o" xmlns:text="t"><text:p>the moon</text:p></office:body>`, "manifest.rdf",
		`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="a"><rdf:type rdf:resource="b"/></rdf:Description></rdf:RDF>`))
	for _, tc := range []struct{ name, body, declared, mediaType, title, lang, text, links string }{
		{"DOCX", tides(t), office.DOCX, office.DOCX, "Tides", "de", "Ebb\n\nthe moon pulls\n\nBrest\n7 m", "http://b.test/moon|the moon|pulls||anchor"},
		{"DOCX that nobody says is one", tides(t), "application/octet-stream", office.DOCX, "Tides", "de", "Ebb\n\nthe moon pulls\n\nBrest\n7 m", "http://b.test/moon|the moon|pulls||anchor"},
		{"EPUB that is said to be a ZIP file", epub, "application/zip", office.EPUB, "", "", "the moon", "http://b.test/moon|moon|the||anchor"},
		{"ODT, whose RDF is about its parts", odt, "application/zip", office.ODT, "", "", "the moon", ""},
		{"a name alone", "PK\x03\x04 and so on", office.DOCX, "application/zip", "", "", "", ""},
	} {
		page := read(t, tc.body, "Content-Type", tc.declared)
		if page.MediaType != tc.mediaType || page.Title != tc.title || page.Lang != tc.lang || page.Text != tc.text || shown(page.Links) != tc.links || page.Body != nil || page.Article != nil {
			t.Errorf("%s: %s %q %s\n%q\n%s", tc.name, page.MediaType, page.Title, page.Lang, page.Text, shown(page.Links))
		}
	}
	page, err := NewReader(Options{KeepBody: true}).Read(context.Background(), response("http://a.test/", "Content-Type", office.DOCX), []byte(tides(t)))
	if err != nil {
		t.Fatal(err)
	}
	if r := dublin.Of(page, nil); len(r.Creator) != 1 || r.Creator[0] != "Ada" || r.Language != "de-AT" {
		t.Errorf("%+v", r)
	}
}
