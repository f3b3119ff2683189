package office

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

// packed returns a ZIP file of parts: name, content.
func packed(parts ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, _ := z.Create(parts[i])
		w.Write([]byte(parts[i+1]))
	}
	z.Close()
	return b.Bytes()
}

const wordTypes = `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`

// word returns a DOCX file with a body, and other parts.
func word(body string, parts ...string) []byte {
	return packed(append([]string{"[Content_Types].xml", wordTypes, "word/document.xml",
		`<?xml version="1.0"?><w:document xmlns:w="w" xmlns:r="r" xmlns:mc="mc"><w:body>` + body + `</w:body></w:document>`}, parts...)...)
}

// open returns an ODT file with a text.
func openText(body string, parts ...string) []byte {
	return packed(append([]string{"mimetype", ODT, "content.xml",
		`<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:xlink="x"><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`}, parts...)...)
}

// book returns an EPUB file with chapters.
func book(metadata string, chapters ...string) []byte {
	parts := []string{"mimetype", EPUB, "META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`}
	manifest, spine := `<item id="toc" href="toc.xhtml" media-type="application/xhtml+xml" properties="nav"/>`, `<itemref idref="toc"/>`
	for i, chapter := range chapters {
		parts = append(parts, fmt.Sprintf("OEBPS/text/c %d.xhtml", i), chapter)
		manifest += fmt.Sprintf(`<item id="c%d" href="text/c%%20%d.xhtml" media-type="application/xhtml+xml"/>`, i, i)
		spine = fmt.Sprintf(`<itemref idref="c%d"/>`, i) + spine // last chapter first
	}
	return packed(append(parts, "OEBPS/toc.xhtml", `<html><body><p>contents</p></body></html>`,
		"OEBPS/book.opf", `<package><metadata xmlns:dc="d">`+metadata+`</metadata><manifest>`+manifest+`</manifest><spine>`+spine+`</spine></package>`)...)
}

// body is what a document has between <body> and the end.
func body(file []byte) string {
	_, rest, _ := strings.Cut(string(HTML(file, Limits{})), "<body>")
	return rest
}

func TestBodies(t *testing.T) {
	styles := `<w:styles xmlns:w="w"><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:basedOn w:val="berschrift2"/></w:style></w:styles>`
	rels := `<Relationships><Relationship Id="r1" TargetMode="External" Target="https://a.test/?b=1&amp;c=2"/><Relationship Id="r2" Target="media/i.png"/></Relationships>`
	run := func(text string) string { return `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r>` }
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"a paragraph of two runs", word(`<w:p>` + run("One ") + run("&lt;two&gt;") + `</w:p>`), "<p>One &lt;two&gt;</p>"},
		{"a heading by the name of its style", word(`<w:p><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr>`+run("A")+`</w:p>`, "word/styles.xml", styles), "<h2>A</h2>"},
		{"a heading by the style that its style is based on", word(`<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr>`+run("A")+`</w:p>`, "word/styles.xml", styles), "<h2>A</h2>"},
		{"a heading by its outline", word(`<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>` + run("A") + `</w:p>`), "<h1>A</h1>"},
		{"an item", word(`<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>` + run("A") + `</w:p>`), "<li>A</li>"},
		{"cells", word(`<w:tbl><w:tr><w:tc><w:p>` + run("A") + `</w:p></w:tc><w:tc><w:p>` + run("B") + `</w:p><w:p>` + run("C") + `</w:p></w:tc></w:tr></w:tbl>`), "<table><tr><td>A </td><td>B C </td></tr></table>"},
		{"hidden text", word(`<w:p>` + run("A") + `<w:r><w:rPr><w:vanish/></w:rPr><w:tab/><w:t>gone</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>B</w:t></w:r>` + run("C") + `</w:p>`), "<p>ABC</p>"},
		{"a hidden mark of a paragraph", word(`<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>` + run("A") + `</w:p>`), "<p>A</p>"},
		{"text that was moved away, and a field whose instruction is text", word(`<w:p><w:moveFrom>` + run("gone") + `</w:moveFrom><w:moveTo>` + run("A") + `</w:moveTo><w:r><w:fldChar w:fldCharType="begin"/></w:r>` +
			run("PAGEREF x") + `<w:r><w:fldChar w:fldCharType="separate"/></w:r>` + run("7") + `<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`), "<p>A7</p>"},
		{"a link by relationship", word(`<w:p><w:hyperlink r:id="r1">`+run("A")+`</w:hyperlink></w:p>`, "word/_rels/document.xml.rels", rels), `<p><a href="https://a.test/?b=1&amp;c=2">A</a></p>`},
		{"a link within the document", word(`<w:p><w:hyperlink r:id="r2" w:anchor="b">`+run("A")+`</w:hyperlink></w:p>`, "word/_rels/document.xml.rels", rels), `<p>A</p>`},
		{"a link by field", word(`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "http://a.test/" \o "x"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>` +
			run("A") + `<w:r><w:fldChar w:fldCharType="end"/></w:r>` + run("B") + `</w:p>`), `<p><a href="http://a.test/">A</a>B</p>`},
		{"a simple field", word(`<w:p><w:fldSimple w:instr="HYPERLINK http://a.test/ ">` + run("A") + `</w:fldSimple></w:p>`), `<p><a href="http://a.test/">A</a></p>`},
		{"deleted text, and what older programs show", word(`<w:p><w:del>` + run("gone") + `</w:del>` + run("A") + `<mc:AlternateContent><mc:Fallback>` + run("old") + `</mc:Fallback></mc:AlternateContent></w:p>`), "<p>A</p>"},
		{"notes behind the text", word(`<w:p>`+run("A")+`</w:p>`, "word/footnotes.xml", `<w:footnotes xmlns:w="w"><w:footnote><w:p>`+run("N")+`</w:p></w:footnote></w:footnotes>`), "<p>A</p><p>N</p>"},
		{"an address of no page", word(`<w:p><w:fldSimple w:instr="HYPERLINK &quot;javascript:x&quot;">` + run("A") + `</w:fldSimple></w:p>`), `<p>A</p>`},

		{"headings, paragraphs, spaces", openText(`<text:h text:outline-level="3">A</text:h><text:p>b<text:s/>c<text:tab/>d</text:p>`), "<h3>A</h3><p>b c d</p>"},
		{"items and cells of OpenDocument", openText(`<text:list><text:list-item><text:p>A</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>`),
			"<li>A</li><table><tr><td>B </td></tr></table>"},
		{"a link of OpenDocument", openText(`<text:p><text:a xlink:href="http://a.test/">A</text:a> <text:a xlink:href="#b">b</text:a></text:p>`), `<p><a href="http://a.test/">A</a> b</p>`},
		{"what was deleted, remarks, contents", openText(`<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:table-of-content><text:p>A 1</text:p></text:table-of-content><text:p>A<office:annotation><text:p>hm</text:p></office:annotation></text:p>`), "<p>A</p>"},

		{"chapters in the order of the spine", book("", `<html><head><title>x</title></head><body><h1>Two&nbsp;b</h1></body></html>`, `<html><body class="x"><section><p>One <a href="http://a.test/">A</a> <a href="c0.xhtml">c</a></p></section></body></html>`),
			"<div><p>One <a href=\"http://a.test/\">A</a> c</p></div><h1>Two\u00a0b</h1>"},
		{"a chapter that breaks off", book("", `<html><body><p>Two</p></body></html>`, `<html><body><p>One</p><p a=<`), "<p>One</p><p>Two</p>"},
	} {
		if got := body(tc.file); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

func TestHeads(t *testing.T) {
	const want = `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>A &amp; B</title>`
	for _, tc := range []struct {
		name  string
		file  []byte
		metas string
	}{
		{"core.xml", word("", "docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator><dc:language>de</dc:language><dcterms:created>2024-01-02T00:00:00Z</dcterms:created><dcterms:modified>2025-01-01</dcterms:modified></cp:coreProperties>`),
			`<meta name="dcterms.creator" content="Ada"><meta name="dcterms.language" content="de"><meta name="dcterms.created" content="2024-01-02T00:00:00Z">`},
		{"meta.xml", openText("", "meta.xml", `<office:document-meta xmlns:office="o" xmlns:dc="d" xmlns:meta="m"><office:meta><dc:title>A &amp; B</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bo</dc:creator><dc:date>2025</dc:date><dc:language>de</dc:language></office:meta></office:document-meta>`),
			`<meta name="dcterms.creator" content="Ada"><meta name="dcterms.language" content="de"><meta name="dcterms.created" content="2025">`},
		{"the package of an EPUB", book(`<dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator><dc:language>de</dc:language><dc:rights>CC &lt;BY&gt;</dc:rights>`, "<html/>"),
			`<meta name="dcterms.creator" content="Ada"><meta name="dcterms.creator" content="Bo"><meta name="dcterms.language" content="de"><meta name="dcterms.rights" content="CC &lt;BY&gt;">`},
	} {
		got, _, _ := strings.Cut(string(HTML(tc.file, Limits{})), "</head>")
		if got != want+tc.metas {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, want+tc.metas)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"DOCX", word(""), DOCX},
		{"DOCX whose types come last", packed("word/document.xml", "<a/>", "[Content_Types].xml", wordTypes), DOCX},
		{"a drawing", packed("[Content_Types].xml", strings.ReplaceAll(wordTypes, "wordprocessingml.document", "visio.drawing")), ""},
		{"slides", slides([]string{"1"}), PPTX},
		{"a workbook", workbook("", "<sheetData/>"), XLSX},
		{"ODT", openText(""), ODT},
		{"a template", packed("mimetype", ODT+"-template\n"), ODT},
		{"a spreadsheet of OpenDocument", packed("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ""},
		{"EPUB", book("", "<html/>"), EPUB},
		{"another ZIP", packed("a.ttl", "<a> <b> <c> ."), ""},
		{"no ZIP", []byte("PK\x03\x04 and so on"), ""},
		{"nothing", nil, ""},
	} {
		if got := TypeOf(tc.file); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
		if tc.want == "" && HTML(tc.file, Limits{}) != nil {
			t.Errorf("%s: it is HTML", tc.name)
		}
	}
}

// TestHostile reads files that are written to be large or slow: what comes out keeps to the limits.
func TestHostile(t *testing.T) {
	var entries bytes.Buffer
	z := zip.NewWriter(&entries)
	for i := range maxEntries + 1 {
		name := "mimetype"
		if i > 0 {
			name = fmt.Sprint(i)
		}
		w, _ := z.CreateHeader(&zip.FileHeader{Name: name})
		if i == 0 {
			w.Write([]byte(ODT))
		}
	}
	z.Close()
	paragraph := `<w:p><w:r><w:t>word</w:t></w:r></w:p>`
	for _, tc := range []struct {
		name string
		file []byte
		most int // bytes of HTML
	}{
		{"entries without number", entries.Bytes(), 0},
		{"1 MB of blanks", openText("<text:p>a" + strings.Repeat(" ", 1<<20) + "</text:p>"), 1 << 20},
		{"1 MB of paragraphs", word(strings.Repeat(paragraph, 1<<20/len(paragraph))), 1 << 20},
		{"an attribute of 1 MB", openText(`<text:a href="http://a.test/` + strings.Repeat("a", 1<<20) + `"/>`), 1 << 20},
		{"elements 100 000 deep", openText(strings.Repeat("<text:p>a", 100_000)), 20_000},
		{"styles in a ring", word(`<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:t>A</w:t></w:r></w:p>`, "word/styles.xml",
			`<w:styles xmlns:w="w"><w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>`), 1000},
		{"a chapter a thousand times", packed("mimetype", EPUB, "META-INF/container.xml", `<rootfile full-path="o"/>`, "o",
			`<package><item id="a" href="c" media-type="text/html"/>`+strings.Repeat(`<itemref idref="a"/>`, 1000)+`</package>`, "c", "<body>chapter</body>"), 1000},
		{"a slide a thousand times", slides(slices.Repeat([]string{shape("body", "a")}, 1000)), 60_000},
		{"a shared string of 64 kB in each of 1000 cells", workbook(`<si><t>`+strings.Repeat("a", 1<<16)+`</t></si>`, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 1000)), 1 << 20},
		{"a million cells", workbook("", "<row>"+strings.Repeat(`<c><v>1</v></c>`, 1_000_000)), 1 << 20},
		{"entities of entities", openText(`<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><text:p>&c;</text:p>`), 1000},
	} {
		if got := HTML(tc.file, Limits{Unpacked: 1 << 19, HTML: 1 << 19}); len(got) > tc.most {
			t.Errorf("%s: %d bytes of HTML", tc.name, len(got))
		}
	}
	if got := body(openText(strings.Repeat("<text:p>a", maxDepth+1))); !strings.HasPrefix(got, "<p>a<p>a") {
		t.Errorf("what stands above the depth is lost: %.20q", got)
	}
	var bomb bytes.Buffer
	z = zip.NewWriter(&bomb)
	w, _ := z.Create("mimetype")
	w.Write([]byte(ODT))
	w, _ = z.Create("content.xml")
	w.Write([]byte("<body><p>"))
	for range 30 {
		w.Write(bytes.Repeat([]byte("a"), 1<<20))
	}
	z.Close()
	if got, most := len(HTML(bomb.Bytes(), Limits{Unpacked: 1 << 30, HTML: 1 << 30})), ratioFree+maxRatio*bomb.Len()+200; got > most {
		t.Errorf("%d bytes of HTML of %d bytes", got, bomb.Len())
	}
}

// ofParts returns a file of ECMA-376 with a main part, its relations, and more parts.
func ofParts(kind, main, content string, targets []string, parts ...string) []byte {
	rels := ""
	for i, target := range targets {
		rels += fmt.Sprintf(`<Relationship Id="r%d" Type="http://x/%s" Target="%s"/>`, i+1, strings.TrimRight(target[strings.LastIndex(target, "/")+1:], "0123456789.xml"), target)
	}
	dir, base := path.Split(main)
	return packed(append([]string{"[Content_Types].xml", `<Types><Override ContentType="` + kind + `.main+xml"/></Types>`,
		"_rels/.rels", `<Relationships><Relationship Type="http://x/officeDocument" Target="/` + main + `"/></Relationships>`,
		main, content, dir + "_rels/" + base + ".rels", `<Relationships>` + rels + `</Relationships>`}, parts...)...)
}

// slides returns a PPTX file whose slides have the contents, the last one first, and more parts.
func slides(contents []string, parts ...string) []byte {
	list, targets := "", []string(nil)
	for i, content := range contents {
		list = fmt.Sprintf(`<p:sldId id="%d" r:id="r%d"/>`, 256+i, i+1) + list
		targets = append(targets, fmt.Sprintf("slides/slide%d.xml", i+1))
		parts = append(parts, fmt.Sprintf("ppt/slides/slide%d.xml", i+1), `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>`+content+`</p:spTree></p:cSld></p:sld>`)
	}
	return ofParts("presentationml.presentation", "ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>`+list+`</p:sldIdLst></p:presentation>`, targets, parts...)
}

// shape is a shape of a slide, of a kind of placeholder.
func shape(kind, text string) string {
	return `<p:sp><p:nvSpPr><p:cNvPr id="2"/><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp>`
}

// workbook returns an XLSX file with shared strings, and a sheet for each content: Sheet 1 and so on.
func workbook(shared string, contents ...string) []byte {
	list, targets, parts := "", []string(nil), []string{"xl/sharedStrings.xml", `<sst>` + shared + `</sst>`}
	for i, content := range contents {
		state := ""
		if strings.HasPrefix(content, "hidden") {
			state = ` state="hidden"`
		}
		list += fmt.Sprintf(`<sheet name="Sheet %d" sheetId="%d" r:id="r%d"%s/>`, i+1, i+7, i+1, state)
		targets = append(targets, fmt.Sprintf("worksheets/sheet%d.xml", i+1))
		parts = append(parts, fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), `<worksheet>`+content+`</worksheet>`)
	}
	return ofParts("spreadsheetml.sheet", "xl/workbook.xml", `<workbook xmlns:r="r"><sheets>`+list+`</sheets></workbook>`, append(targets, "sharedStrings.xml"), parts...)
}

func TestSlidesAndSheets(t *testing.T) {
	rels := `<Relationships><Relationship Id="r1" Type="http://x/notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>`
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"slides in the order of the presentation", slides([]string{shape("title", "Two") + shape("body", "b"), shape("body", "a") + shape("sldNum", "9")}),
			"<h2>Slide 1</h2><p>a</p><h2>Two</h2><p>b</p>"},
		{"notes behind their slide", slides([]string{shape("ctrTitle", "One")}, "ppt/slides/_rels/slide1.xml.rels", rels,
			"ppt/notesSlides/notesSlide1.xml", `<p:notes xmlns:p="p" xmlns:a="a">`+shape("sldImg", "x")+shape("body", "said")+`</p:notes>`), "<h2>One</h2><p>said</p>"},
		{"a table on a slide", slides([]string{shape("title", "T") + `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`}),
			"<h2>T</h2><table><tr><td>A </td></tr></table>"},
		{"a slide without text", slides([]string{""}), ""},
		{"sheets by name; shared, inline and other strings, numbers", workbook(`<si><t>x</t></si><si><r><t>y</t></r><r><t>z</t></r><rPh><t>sound</t></rPh></si>`,
			`<sheetData><row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>in</t></is></c><c><f>1+1</f><v>2</v></c></row><row/><row><c t="str"><v>a&amp;b</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c t="s"><v>99</v></c></row></sheetData>`, `<sheetData/>`),
			"<h2>Sheet 1</h2><table><tr><td>yz</td><td>in</td><td>2</td></tr><tr><td>a&amp;b</td><td>TRUE</td></tr></table><h2>Sheet 2</h2><table></table>"},
		{"hidden sheets and rows", workbook("", "hidden<row><c><v>1</v></c></row>", `<row hidden="1"><c><v>2</v></c></row><row><c><v>3</v></c></row>`), "<h2>Sheet 2</h2><table><tr><td>3</td></tr></table>"},
		{"a sheet that breaks off", workbook("", `<row><c><v>1</v></c><c a=<`), "<h2>Sheet 1</h2><table><tr><td>1</td></tr></table>"},
	} {
		if got := body(tc.file); got != tc.want {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, seed := range [][]byte{
		word(`<w:p><w:r><w:t>a</w:t></w:r></w:p>`), openText(`<text:p>a</text:p>`), book(`<dc:title>a</dc:title>`, `<html><body><p>a</p></body></html>`), []byte("PK\x03\x04"),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if got := HTML(file, Limits{Unpacked: 1 << 16, HTML: 1 << 16}); len(got) > 1<<18 {
			t.Fatalf("%d bytes", len(got))
		}
	})
}

// FuzzParts reads any XML as each of the formats.
func FuzzParts(f *testing.F) {
	f.Add(`<w:p><w:pPr><w:numPr/></w:pPr><w:hyperlink><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p><w:tbl><w:tc/></w:tbl>`)
	f.Add(`<text:list><text:list-item><text:p>A<text:note><text:p>b</text:p></text:note></text:p></text:list-item></text:list>`)
	f.Add(`<p:sp><p:ph type="title"/><a:p><a:r><a:hlinkClick r:id="r1"/><a:t>a</a:t></a:r></a:p></p:sp>`)
	f.Add(`<row><c t="inlineStr"><is><t>a</t></is></c><c t="s"><v>0</v></c></row><si><t>b</t></si>`)
	f.Add(`<body><p>a<br/><a href="http://a.test/">b</a></p></body>`)
	f.Fuzz(func(t *testing.T, xml string) {
		HTML(word(xml, "word/styles.xml", xml, "docProps/core.xml", xml, "word/_rels/document.xml.rels", xml), Limits{})
		HTML(openText(xml, "meta.xml", xml), Limits{})
		HTML(slides([]string{xml}, "ppt/slides/_rels/slide1.xml.rels", xml), Limits{})
		HTML(workbook(xml, xml), Limits{})
		HTML(book(xml, xml), Limits{})
	})
}
