package text

import "sync"

// Stemmers is a pool of stemmers, each with its cache, safe for concurrent use. The zero value is ready.
type Stemmers struct {
	mu    sync.Mutex // locked once per text
	pools map[string]*sync.Pool
}

// Get takes a stemmer for a language tag from the pool; return it with Put.
func (s *Stemmers) Get(lang string) *Stemmer {
	return s.pool(lang).Get().(*Stemmer)
}

// Put returns a stemmer that Get returned for the same language tag.
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
