package text

import "sync"

// Stemmers lends stemmers to any number of goroutines, each with the words it remembers. The zero
// value is ready.
type Stemmers struct {
	mu    sync.Mutex // asked for once a text
	pools map[string]*sync.Pool
}

// Get lends a stemmer for a language tag; give it back with Put.
func (s *Stemmers) Get(lang string) *Stemmer {
	return s.pool(lang).Get().(*Stemmer)
}

// Put takes a stemmer back that Get lent for the same language tag.
func (s *Stemmers) Put(lang string, stemmer *Stemmer) { s.pool(lang).Put(stemmer) }

func (s *Stemmers) pool(lang string) *sync.Pool {
	if lang = Primary(lang); !Stemmable(lang) {
		lang = unserved
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pools[lang]
	if p == nil {
		p = &sync.Pool{New: func() any { return NewStemmer(lang) }}
		if s.pools == nil {
			s.pools = map[string]*sync.Pool{}
		}
		s.pools[lang] = p
	}
	return p
}
