package external

// The bounds of a Breaker.
const (
	manyFailures = 3    // in a row, from which on the judge is left alone
	shortestRest = 16   // pages for which it is left alone then
	longestRest  = 1024 // twice as many with each further failure, up to these
)

// A Breaker leaves a judge that keeps failing alone for some pages. It counts pages, not time, so that the same
// failures give the same crawl. The zero Breaker admits all.
type Breaker struct {
	Failures int `json:"failures"` // in a row
	Rest     int `json:"rest"`     // pages for which the judge is left alone from now on
}

// Admits reports whether the judge may be asked about the next page.
func (b Breaker) Admits() bool { return b.Rest == 0 }

// Passed counts a page about which the judge was not asked.
func (b *Breaker) Passed() { b.Rest = max(0, b.Rest-1) }

// Answered ends a row of failures.
func (b *Breaker) Answered() { *b = Breaker{} }

// Failed counts a failure: manyFailures of them give a rest of 16 pages, each further one twice as many as before.
func (b *Breaker) Failed() {
	b.Failures++
	if b.Failures < manyFailures {
		return
	}
	b.Rest = shortestRest
	for range b.Failures - manyFailures {
		if b.Rest *= 2; b.Rest >= longestRest {
			b.Rest = longestRest
			return
		}
	}
}
