package spell_test

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"sort"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/text"
	"orbweaver/text/spell"
)

// news returns the bodies of Reuters-21578 in order.
func news(tb testing.TB) []string {
	tb.Helper()
	var bodies []string
	for _, content := range unpack(tb, "reuters-21578.tar.gz", ".json") {
		var items []struct{ Body string }
		if err := json.Unmarshal(content, &items); err != nil {
			tb.Fatal(err)
		}
		for _, item := range items {
			if item.Body != "" {
				bodies = append(bodies, item.Body)
			}
		}
	}
	return bodies
}

// unpack returns the files of an archive with a name suffix, sorted by name.
func unpack(tb testing.TB, archive, end string) [][]byte {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, archive))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	found := map[string][]byte{}
	var names []string
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		if !strings.HasSuffix(header.Name, end) {
			continue
		}
		if found[header.Name], err = io.ReadAll(r); err != nil {
			tb.Fatal(err)
		}
		names = append(names, header.Name)
	}
	sort.Strings(names)
	var contents [][]byte
	for _, name := range names {
		contents = append(contents, found[name])
	}
	return contents
}

// A token is a word of a text with its context.
type token struct {
	word     string
	ordinary bool
}

func tokens(body string) (ts []token) {
	var words text.Scanner
	for words.Reset(body); words.Next(); {
		ts = append(ts, token{string(words.Word()), spell.Ordinary(body, words.Start(), words.End())})
	}
	return ts
}

// misspell makes one typing error of four equally frequent kinds: a letter omitted, doubled or replaced by a
// neighbouring key, or two letters exchanged. All positions are equally likely.
func misspell(word string, random *rand.Rand) string {
	rows := "qwertyuiop asdfghjkl zxcvbnm"
	b := []byte(word)
	i := random.IntN(len(b))
	near := b[i]
	if at := strings.IndexByte(rows, b[i]); at > 0 && at+1 < len(rows) {
		if near = rows[at-1+2*random.IntN(2)]; near == ' ' {
			near = 'e'
		}
	}
	switch random.IntN(4) {
	case 0:
		return string(b[:i]) + string(b[i+1:])
	case 1:
		return string(b[:i]) + string(near) + string(b[i:])
	case 2:
		b[i] = near
	default:
		i = min(i, len(b)-2)
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

// A tally counts the results for the ordinary ASCII words of texts.
type tally struct {
	words, damaged                      int // right ones
	typos, corrected, wrong, candidates int // of typos: candidates have five letters and are not words themselves
}

// spoil misspells 1 word in 100 and corrects all words, while learning; it counts from the text at from on.
func spoil(d *spell.Dictionary, texts []string, from int, examples map[string]int) (got tally) {
	random := rand.New(rand.NewPCG(1, 2))
	for i, body := range texts {
		ts := tokens(body)
		right := make([]string, len(ts))
		for k := range ts {
			right[k] = ts[k].word
			if ts[k].ordinary && len(right[k]) > 1 && isASCII(right[k]) && random.IntN(100) == 0 {
				ts[k].word = misspell(right[k], random)
			}
		}
		if i >= from {
			for k, tk := range ts {
				got.count(d, tk, right[k], examples)
			}
		}
		for _, tk := range ts {
			d.Add([]byte(tk.word), tk.ordinary)
		}
	}
	return got
}

func (c *tally) count(d *spell.Dictionary, tk token, right string, examples map[string]int) {
	to, changed := "", false
	if tk.ordinary {
		to, changed = d.Correct([]byte(tk.word))
	}
	if tk.word == right {
		c.words++
		if changed {
			c.damaged++
			if examples != nil {
				examples[right+"→"+to]++
			}
		}
		return
	}
	c.typos++
	if len(tk.word) >= 5 && d.Count([]byte(tk.word)) == 0 {
		c.candidates++
	}
	switch {
	case changed && to == right:
		c.corrected++
	case changed:
		c.wrong++
		if examples != nil {
			examples["!"+right+":"+tk.word+"→"+to]++
		}
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// realWords returns the words of a vocabulary and of treebanks, except annotated misspellings.
func realWords(tb testing.TB) map[string]bool {
	words := map[string]bool{}
	for _, content := range unpack(tb, "porter-vocabulary.tar.gz", "voc.txt") {
		for word := range strings.FieldsSeq(string(content)) {
			words[word] = true
		}
	}
	for _, ts := range treebanks(tb, "train.conllu", "dev.conllu", "test.conllu", "pud.conllu") {
		for _, w := range ts {
			if w.meant == w.word {
				words[w.word] = true
			}
		}
	}
	if len(words) < 20_000 {
		tb.Fatalf("%d words", len(words))
	}
	return words
}

// A treebankWord is a word as written, in lower case, with its annotated correction.
type treebankWord struct {
	token
	meant string
}

func treebanks(tb testing.TB, names ...string) (sentences [][]treebankWord) {
	tb.Helper()
	for _, name := range names {
		for _, content := range unpack(tb, "ud-english.tar.gz", "/"+name) {
			for sentence := range strings.SplitSeq(string(content), "\n\n") {
				sentences = append(sentences, readSentence(sentence))
			}
		}
	}
	return sentences
}

// readSentence reads the annotated corrections, which a conllu.Reader skips. It skips words written as one.
func readSentence(lines string) (words []treebankWord) {
	var text strings.Builder
	var starts []int
	for line := range strings.SplitSeq(lines, "\n") {
		cols := strings.Split(line, "\t")
		if len(cols) != 10 || strings.Trim(cols[0], "0123456789") != "" {
			continue
		}
		w := treebankWord{token{word: strings.ToLower(cols[1])}, strings.ToLower(cols[1])}
		joined := false
		for note := range strings.SplitSeq(cols[9], "|") {
			if meant, ok := strings.CutPrefix(note, "CorrectForm="); ok {
				w.meant = strings.ToLower(meant)
			}
			joined = joined || note == "SpaceAfter=No"
		}
		words, starts = append(words, w), append(starts, text.Len())
		text.WriteString(cols[1])
		if !joined {
			text.WriteByte(' ')
		}
	}
	for i, start := range starts {
		end := start + len(words[i].word)
		words[i].ordinary = end <= text.Len() && spell.Ordinary(text.String(), start, end)
	}
	return words
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// TestNews measures correction over the second half of the news, learned from the first text on, with one
// word in a hundred misspelt. The damaged words include the many misspellings of the news itself; certain
// words are counted separately.
func TestNews(t *testing.T) {
	texts, real := news(t), realWords(t)
	changed := map[string]int{}
	got := spoil(spell.New(spell.Options{}), texts, len(texts)/2, changed)
	sure, names := 0, []string(nil)
	for change, n := range changed {
		if from, _, _ := strings.Cut(change, "→"); real[from] {
			sure += n
			names = append(names, change)
		}
	}
	sort.Strings(names)
	t.Logf("%+v: %.4f %% of right words changed, %.4f %% are words for sure; of slips %.1f %% corrected, %.2f %% to another word",
		got, percent(got.damaged, got.words), percent(sure, got.words), percent(got.corrected, got.typos), percent(got.wrong, got.typos))
	t.Logf("of slips in words of five letters: %.1f %% corrected", percent(got.corrected, got.candidates))
	t.Log(names[:min(100, len(names))])
	if got.words < 1_000_000 || got.damaged*1000 > got.words || sure*2000 > got.words {
		t.Errorf("%d of %d right words changed, %d of them for sure", got.damaged, got.words, sure)
	}
	if got.corrected*5 < got.typos || got.wrong*100 > got.typos {
		t.Errorf("of %d slips %d corrected, %d wrongly", got.typos, got.corrected, got.wrong)
	}
}

// TestTreebank measures real, annotated misspellings in web texts, after learning from the news and the
// treebank's training part.
func TestTreebank(t *testing.T) {
	d := spell.New(spell.Options{})
	for _, body := range news(t) {
		for _, tk := range tokens(body) {
			d.Add([]byte(tk.word), tk.ordinary)
		}
	}
	for _, sentence := range treebanks(t, "train.conllu") {
		for _, w := range sentence {
			d.Add([]byte(w.word), w.ordinary)
		}
	}
	var got tally
	examples := map[string]int{}
	for _, sentence := range treebanks(t, "dev.conllu", "test.conllu", "pud.conllu") {
		for _, w := range sentence {
			got.count(d, w.token, w.meant, examples)
		}
	}
	t.Logf("%+v: %.4f %% of right words changed; of slips %.1f %% corrected, %.2f %% to another word\n%v", got,
		percent(got.damaged, got.words), percent(got.corrected, got.typos), percent(got.wrong, got.typos), examples)
	if got.words < 60_000 || got.damaged*2000 > got.words || got.corrected < 20 {
		t.Errorf("%+v", got)
	}
}

func BenchmarkCorrect(b *testing.B) {
	d := spell.New(spell.Options{})
	texts := news(b)
	for _, body := range texts {
		for _, tk := range tokens(body) {
			d.Add([]byte(tk.word), tk.ordinary)
		}
	}
	known := tokens(texts[len(texts)-1])
	random := rand.New(rand.NewPCG(7, 8))
	var slips []token
	for _, tk := range known {
		if len(tk.word) > 4 && isASCII(tk.word) {
			slips = append(slips, token{misspell(tk.word, random), true})
		}
	}
	for _, bench := range []struct {
		name   string
		tokens []token
	}{{"known", known}, {"slips", slips}} {
		words := make([][]byte, len(bench.tokens))
		for i, tk := range bench.tokens {
			words[i] = []byte(tk.word)
		}
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				d.Correct(words[i%len(words)])
			}
		})
	}
}
