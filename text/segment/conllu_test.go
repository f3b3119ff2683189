package segment

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
)

// treebank returns a part of ud-english as a segmented text.
func treebank(tb testing.TB, part string) Sample {
	tb.Helper()
	f, err := os.Open(realdata.File(tb, "ud-english.tar.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			tb.Skipf("ud-english has no %s", part)
		}
		if err != nil {
			tb.Fatal(err)
		}
		if strings.HasSuffix(h.Name, "/"+part+".conllu") {
			return readConllu(tb, r)
		}
	}
}

// readConllu reads CoNLL-U: a multi-word token is split if its words' forms compose it, and a blank line
// separates paragraphs.
func readConllu(tb testing.TB, r io.Reader) Sample {
	var b Builder
	var whole string // the multi-word token that is open, and where it ends
	var until string
	var words []string
	space := false
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line := lines.Text()
		fields := strings.Split(line, "\t")
		switch {
		case line == "":
			b.EndSentence()
		case strings.HasPrefix(line, "# newdoc"), strings.HasPrefix(line, "# newpar"):
			b.EndBlock()
		case line[0] == '#' || strings.Contains(fields[0], "."):
		case strings.Contains(fields[0], "-"):
			_, until, _ = strings.Cut(fields[0], "-")
			whole, words, space = fields[1], nil, !strings.Contains(fields[9], "SpaceAfter=No")
		case until != "":
			words = append(words, fields[1])
			if fields[0] == until {
				if strings.Join(words, "") != whole {
					words = []string{whole}
				}
				for i, word := range words {
					b.Add(word, i == len(words)-1 && space)
				}
				until = ""
			}
		default:
			b.Add(fields[1], !strings.Contains(fields[9], "SpaceAfter=No"))
		}
	}
	return b.Sample()
}
