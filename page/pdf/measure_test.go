package pdf

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// TestBesidePdftotext reads the PDF files in the folder ORBWEAVER_PDFS beside Poppler's pdftotext: which share of the words
// that it finds is found, and of the pairs of words that follow each other. It fails below what the reader reached on 60
// files of Debian's documentation packages, by TeX, office programs, FOP, Ghostscript, Cairo and others.
func TestBesidePdftotext(t *testing.T) {
	folder := os.Getenv("ORBWEAVER_PDFS")
	program, err := exec.LookPath("pdftotext")
	if folder == "" || err != nil {
		t.Skip("needs ORBWEAVER_PDFS, a folder of PDF files, and pdftotext")
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.pdf"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no PDF files in %s: %v", folder, err)
	}
	var words, order share
	for _, path := range paths {
		theirs, err := exec.Command(program, "-enc", "UTF-8", path, "-").Output()
		if err != nil {
			t.Errorf("pdftotext %s: %v", path, err)
			continue
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, got := wordsOf(string(theirs)), wordsOf(Read(file, Limits{}).Text)
		w, o := kept(want, got), kept(pairs(want), pairs(got))
		t.Logf("%.3f of %6d words, %.3f of pairs: %s", w.value(), w.of, o.value(), filepath.Base(path))
		words, order = words.plus(w), order.plus(o)
	}
	t.Logf("%d files: %.4f of %d words, %.4f of pairs", len(paths), words.value(), words.of, order.value())
	if words.value() < leastWords || order.value() < leastOrder {
		t.Errorf("less than %.3f of words or %.3f of pairs", leastWords, leastOrder)
	}
}

// What the reader reached.
const leastWords, leastOrder = 0.975, 0.945

// A share is a number of things of all of them.
type share struct{ n, of int }

func (s share) value() float64     { return float64(s.n) / float64(max(s.of, 1)) }
func (s share) plus(o share) share { return share{s.n + o.n, s.of + o.of} }
func isApart(r rune) bool          { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), isApart)
}

// pairs returns the words that follow each other.
func pairs(words []string) []string {
	var list []string
	for i := 1; i < len(words); i++ {
		list = append(list, words[i-1]+" "+words[i])
	}
	return list
}

// kept counts how many of the wanted items there are, each as often as it is wanted.
func kept(want, got []string) share {
	count := map[string]int{}
	for _, s := range got {
		count[s]++
	}
	s := share{of: len(want)}
	for _, w := range want {
		if count[w] > 0 {
			count[w]--
			s.n++
		}
	}
	return s
}
