package cluster

// Growth says when a worker tells others what it has learned, and takes what they tell: when the pages that it was learned from have
// become a quarter more. What is told is sums over all pages, so that the traffic grows with the logarithm of their number.
type Growth struct{ last int64 }

// leastGrowth is the least number of pages that are worth telling.
const leastGrowth = 20

// Due reports whether a number of pages is enough more than the last one for which Due was true.
func (g *Growth) Due(pages int64) bool {
	if pages < g.last+max(leastGrowth, g.last/4) {
		return false
	}
	g.last = pages
	return true
}
