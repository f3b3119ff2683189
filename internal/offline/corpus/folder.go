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
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/export"
)

// corpusIndex is the file that lists the wiki pages of a corpus, including those left out.
const corpusIndex = "corpus.jsonl"

// corpusLine is a line of corpus.jsonl: a page in the folder, or a page left out and why.
type corpusLine struct {
	API       string   `json:"api"` // address of the wiki's API
	ID        int64    `json:"id"`  // page number in the wiki
	Title     string   `json:"title"`
	Category  string   `json:"category,omitempty"` // category in which the page was found
	File      string   `json:"file,omitempty"`     // file name in the folder
	URL       string   `json:"url,omitempty"`
	Lang      string   `json:"lang,omitempty"`
	Redirects []string `json:"redirects,omitempty"` // other titles of the page
	Left      string   `json:"left,omitempty"`      // reason for leaving it out
	Evidence  string   `json:"evidence,omitempty"`  // evidence for that reason
	Target    int64    `json:"target,omitempty"`    // for a redirect: the page that it leads to
}

// corpusPage is the state of a page in a corpusFolder.
type corpusPage struct {
	left   string // reason for leaving it out; empty: it is in the folder
	target int64
}

// corpusFolder is a folder that receives wiki pages. A page's file is complete before its line is written;
// opening the folder truncates an incomplete last line.
type corpusFolder struct {
	dir   string
	api   string
	known map[int64]corpusPage // pages of this wiki
	size  int64                // length of the complete lines of the index
	index *os.File             // nil before the first write
}

// maxCorpusLine bounds a line of corpus.jsonl: 2000 titles of 512 bytes, escaped.
const maxCorpusLine = 8 << 20

// openCorpusFolder reads the index of a folder and writes nothing. Errors wrap ErrForeign if the folder
// holds something else, and ErrInput if its index is malformed.
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

// read reads the complete lines of an index.
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

// write writes a page's file, then its line.
func (f *corpusFolder) write(line corpusLine, text string) error {
	line.File = corpusName(line.Title, f.api, line.ID)
	content := strings.ToValidUTF8(console.OneLine(line.Title)+"\n\n"+strings.TrimSpace(text)+"\n", "\ufffd")
	if err := f.begin(); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(filepath.Join(f.dir, line.File), []byte(content), 0o666); err != nil {
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

// begin prepares the folder for writing.
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

// corpusName returns the name of a page's file: the letters and digits of its title, truncated, and a hash
// of the wiki and the page.
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
