package item

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// mixed returns drafts of texts of few words and many, in several languages, with misspellings.
func mixed(n int) (drafts []Draft) {
	random := rand.New(rand.NewPCG(3, 4))
	common := strings.Fields("government market trade policy prime minister bank of England capital account surplus oil price the a and")
	var r Reader
	for range n {
		var words []string
		for range 1 + random.IntN(60) {
			word := common[random.IntN(len(common))]
			switch random.IntN(6) {
			case 0:
				word = fmt.Sprintf("word%dx", random.IntN(4000))
			case 1:
				word = word[:len(word)/2] + word[(len(word)+1)/2:] // a slip
			case 2:
				word += "s,"
			}
			words = append(words, word)
		}
		drafts = append(drafts, r.Read(strings.Join(words, " "), words[0], []string{"en", "en", "de", ""}[random.IntN(4)]))
	}
	return drafts
}

// TestTakeWeighed: what Weigh looked up changes nothing in what is learned, whether it is of now, of before other items, of another
// draft, of another State, or of before a table was full.
func TestTakeWeighed(t *testing.T) {
	opts := Options{MaxWords: 1, MaxGrams: 1} // as small as they may be, so that tables fill
	s, plain, other := NewState(opts), NewState(opts), NewState(opts)
	drafts := mixed(1500)
	s.opts.MaxWords, plain.opts.MaxWords, s.opts.MaxGrams, plain.opts.MaxGrams = 900, 900, 2500, 2500
	saved := 0
	var old Item
	for i, d := range drafts {
		weighed := s.Weigh(d)
		switch i % 7 {
		case 1:
			s.Weigh(drafts[i/2]) // between
		case 2:
			weighed = old
		case 3:
			weighed = other.Weigh(d)
		case 4:
			weighed = s.Weigh(drafts[i/2])
		}
		old = s.Weigh(d)
		before := s.steps
		got := s.TakeWeighed(d, weighed)
		took := s.steps - before
		before = plain.steps
		if want := plain.Take(d); !reflect.DeepEqual(got, want) {
			t.Fatalf("item %d: %+v, not %+v", i, got, want)
		}
		if took < plain.steps-before {
			saved++
		}
		other.Take(d)
	}
	if s.Digest() != plain.Digest() {
		t.Error("they went apart")
	}
	if saved < len(drafts)/3 || s.next <= uint32(len(s.units)+1) {
		t.Errorf("%d items took fewer look-ups; %d terms of %d left", saved, len(s.units), s.next)
	}
}
