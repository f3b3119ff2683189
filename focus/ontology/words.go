package ontology

import (
	"math"
	"strconv"
)

// RuleWords is the rule of learned words: a word (its stem) in the anchors of a link, and the scores of the
// pages that were requested by such links.
const RuleWords = "words"

const (
	prior    = 2      // pseudo-count of pages with the crawl's mean score for every word
	step     = 0.02   // minimum change in a word's lift that reranks its waiting requests
	settled  = 48     // pages of a word after which another one changes its lift by less than step: 1/step − prior
	maxWords = 50_000 // words learned
	maxKeys  = 4      // keys per waiting request
)

// words is what the crawl learned about anchor words: the scores of the pages requested by them. Scores are
// the focus's own, so that no relevance feedback is needed. Beyond maxWords no words are added, and none is
// evicted: frequent ones are known by then.
type words struct {
	pages int64            // number of pages learned from
	sum   float64          // of their scores
	list  []word           // in order of first occurrence
	index map[string]int32 // by stem
}

// A word is known from the first page that was requested by it.
type word struct {
	key      string  // keyPrefix and the stem
	pages    int64   // requested by it, at least 1
	sum      float64 // of their scores
	reported float64 // the lift when last declared stale
	evidence string  // cached, for the current pages
}

// keyPrefix is the prefix of words' keys.
const keyPrefix = "word:"

func newWords() *words { return &words{index: map[string]int32{}} }

func (w *word) stem() string { return w.key[len(keyPrefix):] }

// lift returns by how much the mean score of pages requested by the word exceeds the global mean, at least 0.
// A word of few pages is weak evidence: its mean is shrunk towards the global mean.
func (w *word) lift(mean float64) float64 {
	return max(0, (w.sum+prior*mean)/(float64(w.pages)+prior)-mean)
}

// why returns the evidence of the word.
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

// mean returns the mean score of all pages.
func (ws *words) mean() float64 { return ws.sum / float64(max(ws.pages, 1)) }

// find returns a known word, or nil.
func (ws *words) find(stem []byte) *word {
	if i, ok := ws.index[string(stem)]; ok {
		return &ws.list[i]
	}
	return nil
}

// meet returns a word, adding it if it is new; nil if there are too many.
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

// best returns the word of highest lift, the first among equals, and its lift; nil if no word has a lift. The
// maximum counts and not the mean: of an anchor's words usually one matters, the others are particles and
// names.
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

// learn counts a page with a score under the words by which it was requested, and returns the keys of those
// whose lift has changed by a step since they were last returned.
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
		stale = w.moved(mean, stale)
	}
	return stale
}

// moved appends the word's key if its lift has changed by a step since it was last declared stale.
func (w *word) moved(mean float64, stale []string) []string {
	if lift := w.lift(mean); math.Abs(lift-w.reported) > step {
		w.reported = lift
		stale = append(stale, w.key)
	}
	return stale
}

// appendKeys appends the keys of a new request: those of its first words that are known and may still change.
// Other words do not rerank it: a key costs memory as long as the request waits, and most unknown words are
// names that never recur.
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
