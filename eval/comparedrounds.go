package eval

// maxRounds bounds the reported rounds of a comparison; more are merged.
const maxRounds = 50

// Rounds are the figures of a run, in total and by round, with their differences to the other runs.
type Rounds struct {
	Size  int // requests per round; 0: no run has rounds
	Whole RunRound
	Each  []RunRound // up to the last request of the run
}

// A RunRound is a run's stretch, and its differences to all runs over the same requests, by index of the run;
// those to itself have N = 0.
type RunRound struct {
	Stretch
	Against [][stretchFigures]Difference
}

// Rounds measures all runs, in their order; nil if the crawls were not compared with an item. Rounds are the
// run's own, or else have the size of those of the first run that has some. More than 50 rounds are merged.
// Rounds count requests: a round of the crawl is shorter if its queue was empty.
func (c *Comparison) Rounds() []Rounds {
	if !c.likened() {
		return nil
	}
	all := make([]Rounds, len(c.Runs))
	bySize := map[int][]int{} // runs, by their order
	for i, round := range c.stretch(1, c.budget()) {
		all[i] = Rounds{Size: c.roundSize(i), Whole: round}
		bySize[all[i].Size] = append(bySize[all[i].Size], i)
	}
	for size, runs := range bySize { // each fills runs of its own
		c.addRounds(all, size, runs)
	}
	return all
}

// addRounds measures runs with rounds of one size.
func (c *Comparison) addRounds(all []Rounds, size int, runs []int) {
	last := 0
	for _, i := range runs {
		last = max(last, c.Runs[i].requests())
	}
	for from := 1; size > 0 && from <= min(c.budget(), last); from += size {
		measured := c.stretch(from, min(from+size-1, c.budget()))
		for _, i := range runs {
			if from <= c.Runs[i].requests() {
				all[i].Each = append(all[i].Each, measured[i])
			}
		}
	}
}

// likened reports whether all crawls were compared with an item.
func (c *Comparison) likened() bool {
	for i := range c.Runs {
		for _, curve := range c.Runs[i].Curves {
			if curve.cosines == nil {
				return false
			}
		}
	}
	return true
}

// roundSize is the number of requests per round of a run.
func (c *Comparison) roundSize(run int) int {
	size := c.Runs[run].Round
	for i := 0; size <= 1 && i < len(c.Runs); i++ {
		size = c.Runs[i].Round
	}
	if size <= 1 {
		return 0
	}
	rounds := (c.budget() + size - 1) / size
	return size * ((rounds + maxRounds - 1) / maxRounds)
}

// stretch measures all runs in a stretch of requests, and each against all others.
func (c *Comparison) stretch(from, to int) []RunRound {
	samples := make([]sample, len(c.Runs))
	for i := range c.Runs {
		samples[i] = c.Runs[i].sample(from, to)
	}
	rounds := make([]RunRound, len(c.Runs))
	for i := range samples {
		r := RunRound{Stretch: samples[i].stretch(from, to), Against: make([][stretchFigures]Difference, len(c.Runs))}
		for k := range samples {
			for f := StretchFigure(0); f < stretchFigures && k != i; f++ {
				r.Against[k][f] = samples[i].minus(&samples[k], f)
			}
		}
		rounds[i] = r
	}
	return rounds
}

// The JSON form of rounds. The order of fields is the order of keys, and a promise.
type (
	jsonRounds struct {
		Size  int         `json:"requests,omitempty"`
		Whole jsonRound   `json:"whole"`
		Each  []jsonRound `json:"each,omitempty"`
	}
	jsonRound struct {
		From    int           `json:"from"`
		To      int           `json:"to"`
		Pages   float64       `json:"pages"`
		Figures []jsonFigure  `json:"figures"`
		Against []jsonAgainst `json:"against,omitempty"`
	}
	jsonFigure struct {
		Figure   string   `json:"figure"`
		Mean     float64  `json:"mean"`
		Interval *float64 `json:"ci95,omitempty"`
		Items    int      `json:"items"`
	}
	jsonAgainst struct {
		Run     string           `json:"run"`
		Figures []jsonDifference `json:"figures"`
	}
	jsonDifference struct {
		jsonFigure
		Better int `json:"better"`
		Worse  int `json:"worse"`
	}
)

func (c *Comparison) jsonRounds(r Rounds) *jsonRounds {
	j := &jsonRounds{Size: r.Size, Whole: c.jsonRound(r.Whole)}
	for _, round := range r.Each {
		j.Each = append(j.Each, c.jsonRound(round))
	}
	return j
}

func (c *Comparison) jsonRound(r RunRound) jsonRound {
	j := jsonRound{From: r.From, To: r.To, Pages: rounded(r.Pages.Mean), Figures: []jsonFigure{}}
	for f, e := range r.Figures {
		if e.N > 0 {
			j.Figures = append(j.Figures, jsonFigureOf(StretchFigure(f), e))
		}
	}
	for i, differences := range r.Against {
		against := jsonAgainst{Run: c.Runs[i].Name}
		for f, d := range differences {
			if d.N > 0 {
				against.Figures = append(against.Figures, jsonDifference{jsonFigureOf(StretchFigure(f), d.Estimate), d.Better, d.Worse})
			}
		}
		if len(against.Figures) > 0 {
			j.Against = append(j.Against, against)
		}
	}
	return j
}

func jsonFigureOf(f StretchFigure, e Estimate) jsonFigure {
	j := jsonFigure{Figure: f.Name(), Mean: rounded(e.Mean), Items: e.N}
	if e.N > 1 {
		half := rounded(e.Half)
		j.Interval = &half
	}
	return j
}

// roundDefinitions defines the figures of rounds.
func roundDefinitions() string {
	return "in the requests of a round alone, and in all: harvest_rate: relevant pages / pages; cos_item: mean cosine of the pages, the item " +
		"itself left out, to the item, by the idf of the whole archive; cos_above_X: pages whose cosine is above X, the item itself left out / pages; " +
		"means over the items that have a page there; against: the differences to another run, item by item"
}
