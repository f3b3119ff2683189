package text

// Bounds of what is counted in a text.
const (
	maxTerms = 5000 // different stems
	maxTerm  = 64   // bytes of a word; longer words are ignored
)

// Terms are the different stems of a text in the order of their first occurrence, and how often each occurs. Only the
// first 5 000 distinct stems are counted. Stop words, words of more than 64 bytes and words without a stem are no
// terms.
type Terms struct {
	Stems  []string
	Counts []int32 // parallel to Stems, above 0
	Total  int     // the sum of Counts
}

// A Counter counts the terms of texts. The zero Counter is ready and safe for concurrent use.
type Counter struct{ stemmers Stemmers }

// Count returns the terms of the parts of one text, such as title and body, all in the language that a tag names.
func (c *Counter) Count(lang string, parts ...string) Terms {
	stemmer := c.stemmers.Get(lang)
	defer c.stemmers.Put(lang, stemmer)
	var t Terms
	at := map[string]int32{}
	var words Scanner
	for _, part := range parts {
		for words.Reset(part); words.Next(); {
			word := words.Word()
			if len(word) <= maxTerm && !StopWord(lang, word) {
				t.count(stemmer.Stem(word), at)
			}
		}
	}
	return t
}

// count counts one stem; at maps each of t.Stems to its index.
func (t *Terms) count(stem string, at map[string]int32) {
	i, known := at[stem]
	if !known {
		if stem == "" || len(t.Stems) == maxTerms {
			return
		}
		i = int32(len(t.Stems))
		at[stem] = i
		t.Stems, t.Counts = append(t.Stems, stem), append(t.Counts, 0)
	}
	t.Counts[i]++
	t.Total++
}
