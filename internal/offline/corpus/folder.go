package corpus

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/export"
)

// corpusIndex is the file that tells of each page of a corpus made of a wiki.
const corpusIndex = "corpus.jsonl"

// A corpusLine is a line of corpus.jsonl: a page that is in the folder, or why it is not.
type corpusLine struct {
	API       string   `json:"api"` // of the wiki
	ID        int64    `json:"id"`  // of the page there
	Title     string   `json:"title"`
	Category  string   `json:"category,omitempty"` // in which it was met
	File      string   `json:"file,omitempty"`     // name in the folder
	URL       string   `json:"url,omitempty"`
	Lang      string   `json:"lang,omitempty"`
	Redirects []string `json:"redirects,omitempty"` // other titles of the page
	Left      string   `json:"left,omitempty"`      // why it is left out
	Evidence  string   `json:"evidence,omitempty"`  // what shows that
	Target    int64    `json:"target,omitempty"`    // of a redirect: the page that it leads to
}

// A corpusPage is what a corpusFolder knows of a page.
type corpusPage struct {
	left   string // why it is left out; empty: it is there
	target int64
}

// A corpusFolder is a folder that a corpus of wiki pages is written to. A file is there whole before its
// line is; a line that was not written to its end is cut off when the folder is opened.
type corpusFolder struct {
	dir   string
	api   string
	known map[int64]corpusPage // pages of this wiki
	size  int64                // bytes of the index that count
	index *os.File             // nil until something is written
}

// maxCorpusLine bounds a line of corpus.jsonl: 2000 titles of 512 bytes, escaped.
const maxCorpusLine = 8 << 20

// openCorpusFolder reads what is in a folder; nothing is written yet. Errors wrap ErrForeign where it
// holds something else, ErrInput where its index is none.
func openCorpusFolder(dir, api string) (*corpusFolder, error) {
	f := &corpusFolder{dir: dir, api: api, known: map[int64]corpusPage{}}
	file, err := os.Open(filepath.Join(dir, corpusIndex))
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(dir)
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
		case len(entries) > 0:
			return nil, fmt.Errorf("%s is not empty and has no %s: choose another folder (%w)", dir, corpusIndex, orbweaver.ErrForeign)
		}
		return f, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return f, errors.Join(f.read(file), file.Close())
}

// read reads the whole lines of an index.
func (f *corpusFolder) read(in io.Reader) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, 64<<10), maxCorpusLine)
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		advance, line, err := export.WholeLines(data, atEOF)
		if line != nil {
			f.size += int64(advance)
		}
		return advance, line, err
	})
	n := 0
	for n = 1; scanner.Scan(); n++ {
		var line corpusLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			return fmt.Errorf("%s:%d: %w: %w", filepath.Join(f.dir, corpusIndex), n, orbweaver.ErrInput, err)
		}
		if line.API == f.api {
			f.known[line.ID] = corpusPage{line.Left, line.Target}
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w: %w", filepath.Join(f.dir, corpusIndex), n, orbweaver.ErrInput, err)
	}
	return nil
}

// write writes a page's file, and then its line.
func (f *corpusFolder) write(line corpusLine, text string) error {
	line.File = corpusName(line.Title, f.api, line.ID)
	content := strings.ToValidUTF8(console.OneLine(line.Title)+"\n\n"+strings.TrimSpace(text)+"\n", "\ufffd")
	if err := f.begin(); err != nil {
		return err
	}
	if err := crawlfolder.ReplaceFile(filepath.Join(f.dir, line.File), []byte(content)); err != nil {
		return err
	}
	return f.note(line)
}

// note writes a line.
func (f *corpusFolder) note(line corpusLine) error {
	line.API = f.api
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if err := f.begin(); err != nil {
		return err
	}
	if _, err := f.index.Write(append(text, '\n')); err != nil {
		return err
	}
	f.known[line.ID] = corpusPage{line.Left, line.Target}
	return nil
}

// begin makes the folder ready for writing.
func (f *corpusFolder) begin() error {
	if f.index != nil {
		return nil
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return err
	}
	index, err := os.OpenFile(filepath.Join(f.dir, corpusIndex), os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	_, seek := index.Seek(f.size, io.SeekStart)
	if err := errors.Join(index.Truncate(f.size), seek); err != nil {
		return errors.Join(err, index.Close())
	}
	f.index = index
	return nil
}

// Close closes the index.
func (f *corpusFolder) Close() error {
	if f.index == nil {
		return nil
	}
	return errors.Join(f.index.Sync(), f.index.Close())
}

// corpusName is the name of a page's file: the letters and digits of its title, as far as they go, and
// a hash of the wiki and the page.
func corpusName(title, api string, id int64) string {
	var b strings.Builder
	dash := false
	for _, r := range title {
		if b.Len() > export.MaxTextName {
			break
		}
		if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			dash = b.Len() > 0
			continue
		}
		if dash {
			b.WriteByte('-')
		}
		dash = false
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		b.WriteString("page")
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", api, id))
	return b.String() + "-" + hex.EncodeToString(sum[:4]) + ".txt"
}
