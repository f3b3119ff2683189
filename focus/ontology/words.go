package ontology

import (
	"math"
	"strconv"
)

// RuleWords is the rule of learned words: a word in the anchors of a link (its stem), and how the
// pages scored that were asked for by such links.
const RuleWords = "words"

const (
	prior    = 2      // pages of the crawl's mean score that every word starts with
	step     = 0.02   // by how much a word's lift moves until what waits under it is ranked again
	settled  = 48     // pages of a word from which on one more moves its lift by less than a step: 1/step − prior
	maxWords = 50_000 // words that are learned
	maxKeys  = 4      // words by which one waiting request is found again
)

// words is what the crawl learned of the words in anchors: how well the pages scored that were asked
// for by them. Scores are the focus's own, so that no one has to say what is relevant. Once maxWords
// are known no new ones are learned, and none is forgotten: what is common was met by then.
type words struct {
	pages int64            // all that were learned from
	sum   float64          // of their scores
	list  []word           // as first met
	index map[string]int32 // by stem
}

// A word is known from the first page on that was asked for by it.
type word struct {
	key      string  // keyPrefix and the stem
	pages    int64   // asked for by it, at least 1
	sum      float64 // of their scores
	told     float64 // the lift, as last declared stale
	evidence string  // memo, as of pages
}

// keyPrefix begins the keys of words.
const keyPrefix = "word:"

func newWords() *words { return &words{index: map[string]int32{}} }

func (w *word) stem() string { return w.key[len(keyPrefix):] }

// lift is how much better pages asked for by the word are than the mean, 0 where they are no better.
// A word of few pages is weak evidence: its mean is shrunk towards the global mean.
func (w *word) lift(mean float64) float64 {
	return max(0, (w.sum+prior*mean)/(float64(w.pages)+prior)-mean)
}

// why is the evidence of the word.
func (w *word) why() string {
	if w.evidence == "" {
		score := strconv.FormatFloat(w.sum/float64(w.pages), 'f', 2, 64)
		if w.pages == 1 {
			w.evidence = w.stem() + ": 1 page scores " + score
		} else {
			w.evidence = w.stem() + ": " + strconv.FormatInt(w.pages, 10) + " pages score " + score
		}
	}
	return w.evidence
}

// mean is the mean score of all pages.
func (ws *words) mean() float64 { return ws.sum / float64(max(ws.pages, 1)) }

// find returns a known word, else nil.
func (ws *words) find(stem []byte) *word {
	if i, ok := ws.index[string(stem)]; ok {
		return &ws.list[i]
	}
	return nil
}

// meet returns a word, known or new; nil when there are too many.
func (ws *words) meet(stem []byte) *word {
	if w := ws.find(stem); w != nil {
		return w
	}
	if len(ws.list) == maxWords {
		return nil
	}
	return ws.add(word{key: keyPrefix + string(stem)})
}

func (ws *words) add(w word) *word {
	ws.index[w.stem()] = int32(len(ws.list))
	ws.list = append(ws.list, w)
	return &ws.list[len(ws.list)-1]
}

// best returns the word of highest lift, of equals the first, and its lift. There is none when no
// word lifts. The highest counts, not the mean: an anchor has one word that matters, the others are
// particles and names.
func (ws *words) best(s stems) (best *word, lift float64) {
	mean := ws.mean()
	for stem := range s.all() {
		if w := ws.find(stem); w != nil {
			if l := w.lift(mean); l > lift {
				best, lift = w, l
			}
		}
	}
	return best, lift
}

// learn counts a page of some score under the words that it was asked for by, and returns the keys
// of those whose lift has moved by a step since they were last returned.
func (ws *words) learn(s stems, score float64) (stale []string) {
	ws.pages++
	ws.sum += score
	mean := ws.mean()
	for stem := range s.all() {
		w := ws.meet(stem)
		if w == nil {
			continue
		}
		w.pages++
		w.sum += score
		w.evidence = ""
		if lift := w.lift(mean); math.Abs(lift-w.told) > step {
			w.told = lift
			stale = append(stale, w.key)
		}
	}
	return stale
}

// appendKeys appends the keys that a new request waits under: those of its first words that are known
// and may still move. It is not found again by other words: a key costs memory as long as the request
// waits, and of the words that are not known yet most are names that never come twice.
func (ws *words) appendKeys(keys []string, s stems) []string {
	n := 0
	for stem := range s.all() {
		if w := ws.find(stem); w != nil && w.pages < settled && n < maxKeys {
			keys = append(keys, w.key)
			n++
		}
	}
	return keys
}
