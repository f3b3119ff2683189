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
	"orbweaver/internal/step"
)

// corpusKind is the media type of a file that is read, by its name; empty: it is not.
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
	return ""
}

// file reads a file; one that the user named may be of any name, and its bytes tell what it is.
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
	return w.hand(d, true)
}

// content reads a file, if it is not too large.
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
	case int64(len(content)) > w.limit: // it grew
		return nil, fmt.Errorf("%s: %w: more than %d bytes", path, orbweaver.ErrTooLarge, w.limit)
	}
	return content, nil
}

// fileDocument is the document that a file is.
func (w *corpusWalk) fileDocument(id string, content []byte) (Document, error) {
	kind := corpusKind(id)
	plain := kind == "text/plain" || kind == "text/markdown"
	d := Document{ID: id}
	if plain {
		content, d.Title, d.Lang = withoutFront(content)
	}
	r := &step.Response{Status: http.StatusOK, Header: http.Header{}}
	r.Request.URL = "http://file.invalid/" + url.PathEscape(filepath.Base(id)) // which nobody sees
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	p, err := w.reader.Read(w.ctx, r, content)
	if err != nil {
		return d, err
	}
	d.Text = p.Text
	switch {
	case d.Text == "" && plain && isText(content): // it looks like data, and its name says it is not
		d.Text = strings.ReplaceAll(string(content), "\r\n", "\n")
	case d.Text == "" && (p.MediaType == "application/pdf" || kind == ""):
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

// isText reports whether bytes are text in UTF-8.
func isText(content []byte) bool {
	return utf8.Valid(content) && !bytes.ContainsRune(content, 0)
}

// maxTitleLine is how many bytes a first line may have to be a title.
const maxTitleLine = 150

// titleLine is the title that a text begins with: a short line with nothing, or an empty line, after
// it, or a heading of Markdown. Empty: it begins with something else.
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

// maxFront bounds a head in YAML, in bytes.
const maxFront = 64 << 10

// withoutFront takes a head in YAML off a text, as an export of texts and many writers of Markdown put
// there, and returns the title and the language that it tells; of values, those that stand on the key's
// line count.
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

// unquoted is a value of YAML as a string.
func unquoted(value string) string {
	var s string
	if strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &s) == nil {
		return s
	}
	return strings.Trim(value, `'"`)
}
