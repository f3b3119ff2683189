package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/internal/step"
	"orbweaver/page/office"
)

// corpusKind returns the media type that a file's name indicates; empty: the file is not read.
func corpusKind(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm":
		return "text/html"
	case ".xhtml":
		return "application/xhtml+xml"
	case ".txt", ".text":
		return "text/plain"
	case ".md", ".markdown":
		return "text/markdown"
	case ".pdf":
		return "application/pdf"
	}
	return office.TypeOfName(path)
}

// isPaged reports whether a media type is one of documents that are all text, if they can be read.
func isPaged(mediaType string) bool {
	return mediaType == "application/pdf" || office.Is(mediaType)
}

// file reads a file. One that the user named may have any name; its bytes determine its kind.
func (w *corpusWalk) file(path string, size int64) error {
	content, err := w.content(path, size)
	if err != nil {
		return w.passOver(err)
	}
	id, err := filepath.Rel(w.root, path)
	if err != nil {
		id = filepath.Base(path)
	}
	d, err := w.fileDocument(filepath.ToSlash(id), content)
	if err != nil {
		return w.passOver(fmt.Errorf("%s: %w", path, err))
	}
	return w.emit(d, true)
}

// content reads a file if it is not too large.
func (w *corpusWalk) content(path string, size int64) ([]byte, error) {
	if size > w.limit {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", path, orbweaver.ErrTooLarge, w.limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, w.limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	case int64(len(content)) > w.limit: // it has grown
		return nil, fmt.Errorf("%s: %w: more than %d bytes", path, orbweaver.ErrTooLarge, w.limit)
	}
	return content, nil
}

// fileDocument returns the document in a file.
func (w *corpusWalk) fileDocument(id string, content []byte) (Document, error) {
	kind := corpusKind(id)
	plain := kind == "text/plain" || kind == "text/markdown"
	if plain {
		content, _ = charset.Text(content, kind)
	}
	d := Document{ID: id}
	if plain {
		content, d.Title, d.Lang = withoutFront(content)
	}
	r := &step.Response{Status: http.StatusOK, Header: http.Header{}}
	r.Request.URL = "http://file.invalid/" + url.PathEscape(filepath.Base(id)) // never shown
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	p, err := w.reader.Read(w.ctx, r, content)
	if err != nil {
		return d, err
	}
	d.Text = p.Text
	switch {
	case d.Text == "" && plain && isText(content): // classified as data, but its name indicates text
		d.Text = strings.ReplaceAll(string(content), "\r\n", "\n")
	case d.Text == "" && (kind == "" || isPaged(p.MediaType)):
		return d, fmt.Errorf("%w: no text in it", orbweaver.ErrUnreadable)
	}
	if d.Lang == "" {
		d.Lang = p.Lang
	}
	if d.Title == "" {
		d.Title = p.Title
	}
	if d.Title == "" && plain {
		d.Title = titleLine(d.Text)
	}
	if d.Title == "" {
		d.Title = strings.TrimSuffix(filepath.Base(id), filepath.Ext(id))
	}
	return d, nil
}

// isText reports whether bytes are UTF-8 text.
func isText(content []byte) bool {
	return utf8.Valid(content) && !bytes.ContainsRune(content, 0)
}

// maxTitleLine bounds a first line that is a title, in bytes.
const maxTitleLine = 150

// titleLine returns the title at the start of a text: a short line followed by nothing or an empty line,
// or a Markdown heading. Empty: there is none.
func titleLine(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	heading := strings.TrimLeft(line, "#")
	marked := heading != line && strings.HasPrefix(heading, " ")
	if len(line) > maxTitleLine || !marked && rest != "" && !strings.HasPrefix(rest, "\n") {
		return ""
	}
	if marked {
		line = strings.TrimRight(heading, "# ")
	}
	return strings.TrimSpace(line)
}

// maxFront bounds YAML front matter, in bytes.
const maxFront = 64 << 10

// withoutFront removes YAML front matter from a text, as text exports and many Markdown files have it, and
// returns its title and language. Only values on the line of their key count.
func withoutFront(content []byte) (rest []byte, title, lang string) {
	body, ok := bytes.CutPrefix(content, []byte("---\n"))
	if !ok {
		return content, "", ""
	}
	end := bytes.Index(body[:min(len(body), maxFront)], []byte("\n---\n"))
	if end < 0 {
		return content, "", ""
	}
	for line := range strings.Lines(string(body[:end])) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = unquoted(strings.TrimSpace(value)); key {
		case "title":
			title = value
		case "lang":
			lang = value
		}
	}
	return body[end+len("\n---\n"):], title, lang
}

// unquoted returns a YAML scalar as a string.
func unquoted(value string) string {
	var s string
	if strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &s) == nil {
		return s
	}
	return strings.Trim(value, `'"`)
}
