package item

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"orbweaver/text"
)

// Guards of synonyms.
const (
	leastUses = 3   // occurrences of a sense in WordNet's texts, for a word with several
	dominant  = 0.9 // least share of a word's uses in its first sense
	leastWord = 4   // least bytes of a word replaced by a synonym: shorter ones are often names and codes
	maxLine   = 1 << 18
	maxSenses = 1 << 20 // senses of all words of a WordNet
)

// A Thesaurus maps English synonyms to one term and lists the known words. A nil Thesaurus is empty. It is immutable
// and safe for concurrent use.
type Thesaurus struct {
	words []string          // of one part, in order
	stems map[string]string // the stem of a word to the stem of its representative
}

// ReadThesaurus reads a WordNet of a folder, laid out as version 3.0 is: index.* and cntlist.rev. It returns nil if
// the folder does not exist: synonyms are then off. Other errors name the file, and the line where one is wrong.
//
// Two words are synonyms if they share a meaning that dominates both: the word has a single sense in all parts of
// speech, or at least 9 of 10 and at least 3 of the uses that WordNet counts are of one sense. The most used synonym
// represents the others, the alphabetically first of equals; a word of fewer than four letters is never replaced.
// Since terms are stems, a stem whose words have several meanings has no synonyms.
func ReadThesaurus(folder string) (*Thesaurus, error) {
	if _, err := os.Stat(folder); folder == "" || errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	r := senses{uses: map[sense]int{}, words: map[string][]meaning{}}
	if err := eachLine(filepath.Join(folder, "cntlist.rev"), r.readUses); err != nil {
		return nil, err
	}
	for _, part := range []struct{ name, letter string }{{"noun", "n"}, {"verb", "v"}, {"adj", "a"}, {"adv", "r"}} {
		err := eachLine(filepath.Join(folder, "index."+part.name), func(line string) error {
			return r.readWord(line, part.letter[0])
		})
		if err != nil {
			return nil, err
		}
	}
	return r.thesaurus(), nil
}

// fold returns the representative of a stem.
func (t *Thesaurus) fold(stem string) string {
	if t == nil {
		return stem
	}
	if to, ok := t.stems[stem]; ok {
		return to
	}
	return stem
}

// eachLine calls f with each line of a file except the licence, whose lines start with a space.
func eachLine(path string, f func(line string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if number, err := lines(file, f); err != nil {
		return fmt.Errorf("%s:%d: %w", path, number, err)
	}
	return nil
}

func lines(r io.Reader, f func(line string) error) (number int, err error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		number++
		if line := scanner.Text(); line != "" && line[0] != ' ' {
			if err := f(line); err != nil {
				return number, err
			}
		}
	}
	return number + 1, scanner.Err()
}

// A sense is one of a word's, by part of speech and number from 1.
type sense struct {
	word   string
	part   byte
	number int
}

// A synset is a meaning, by part of speech and place in WordNet.
type synset struct {
	part   byte
	offset int
}

// A meaning is a sense of a word with its count.
type meaning struct {
	synset
	uses int
}

// senses is a WordNet being read.
type senses struct {
	uses  map[sense]int
	words map[string][]meaning
	count int
}

// readUses reads a line of cntlist.rev: word%type:…, number of the sense, uses.
func (r *senses) readUses(line string) error {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return errors.New("no sense with its uses")
	}
	word, key, _ := strings.Cut(fields[0], "%")
	parts := " nvara" // by type, 1 to 5
	number, err1 := strconv.Atoi(fields[1])
	uses, err2 := strconv.Atoi(fields[2])
	if err1 != nil || err2 != nil || uses < 0 || key == "" || key[0] < '1' || key[0] > '5' {
		return errors.New("no sense with its uses")
	}
	part := parts[key[0]-'0']
	if r.count++; r.count > maxSenses {
		return errors.New("too many senses")
	}
	r.uses[sense{word, part, number}] = uses
	return nil
}

// readWord reads a line of an index: word, part of speech, how many synsets, how many pointers, these, how many
// senses, how many with uses, and a place for each synset.
func (r *senses) readWord(line string, part byte) error {
	fields := strings.Fields(line)
	if len(fields) < 6 {
		return errors.New("not a line of an index")
	}
	n, err := strconv.Atoi(fields[2])
	if err != nil || n < 1 || len(fields) < 6+n {
		return errors.New("a word without its senses")
	}
	if r.count += n; r.count > maxSenses {
		return errors.New("too many senses")
	}
	word := fields[0]
	if strings.Contains(word, "_") {
		return nil
	}
	for i, field := range fields[len(fields)-n:] {
		offset, err := strconv.Atoi(field)
		if err != nil {
			return errors.New("a sense that is nowhere")
		}
		r.words[word] = append(r.words[word], meaning{synset{part, offset}, r.uses[sense{word, part, i + 1}]})
	}
	return nil
}

// thesaurus finds the synonyms.
func (r *senses) thesaurus() *Thesaurus {
	t := &Thesaurus{stems: map[string]string{}}
	for word := range r.words {
		t.words = append(t.words, word)
	}
	slices.Sort(t.words)
	first := map[synset]string{} // the representative synonym
	for _, word := range t.words {
		if m, ok := only(r.words[word]); ok {
			if before, met := first[m.synset]; !met || r.used(word, m.synset) > r.used(before, m.synset) {
				first[m.synset] = word
			}
		}
	}
	stemmer := text.NewStemmer("en")
	unsure := map[string]bool{}
	for _, word := range t.words {
		from, to := stemmer.Stem([]byte(word)), ""
		if m, ok := only(r.words[word]); ok {
			if to = from; len(word) >= leastWord {
				to = stemmer.Stem([]byte(first[m.synset]))
			}
		}
		if before, met := t.stems[from]; met && before != to {
			unsure[from] = true
		}
		t.stems[from] = to
	}
	t.settle(unsure)
	return t
}

// settle drops stems that represent themselves and those with an ambiguous source or target.
func (t *Thesaurus) settle(unsure map[string]bool) {
	for from, to := range t.stems {
		if to == "" {
			unsure[from] = true
		}
	}
	for from, to := range t.stems {
		if unsure[from] || unsure[to] || from == to {
			delete(t.stems, from)
		}
	}
}

// used is the count of a word with a meaning.
func (r *senses) used(word string, of synset) int {
	for _, m := range r.words[word] {
		if m.synset == of {
			return m.uses
		}
	}
	return 0
}

// only returns the dominant meaning of a word.
func only(meanings []meaning) (meaning, bool) {
	if len(meanings) == 1 {
		return meanings[0], true
	}
	all := 0
	for _, m := range meanings {
		all += m.uses
	}
	best := slices.MaxFunc(meanings, func(a, b meaning) int { return cmp.Compare(a.uses, b.uses) })
	return best, best.uses >= leastUses && float64(best.uses) >= dominant*float64(all)
}
