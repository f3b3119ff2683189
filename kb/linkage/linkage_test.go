package linkage

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/kb/catalog"
)

// small is a catalogue of two circles of datasets, of which each links to its own hub, and all to the most popular one.
func small() (all []catalog.Dataset) {
	for _, topic := range []string{"music", "fish"} {
		for i := range 6 {
			all = append(all, catalog.Dataset{
				Name: fmt.Sprint(topic, i), Title: strings.ToUpper(topic), Keywords: []string{topic, "lod"}, Domain: topic,
				Links: []string{"everything", topic + "-hub", fmt.Sprint(topic, (i+1)%6)},
			})
		}
		all = append(all, catalog.Dataset{Name: topic + "-hub", Title: "Hub", Keywords: []string{topic}, Links: []string{"everything"}})
	}
	return all
}

// TestRank: what is like a dataset says what to link to; popularity decides where nothing is known; neither the dataset nor its links are ranked.
func TestRank(t *testing.T) {
	m := New(small())
	got := m.Rank(catalog.Dataset{Name: "new", Title: "Fish of the lakes", Keywords: []string{"fish"}}, nil, 3)
	if len(got) != 3 || got[0].Name != "everything" || got[1].Name != "fish-hub" || !strings.HasPrefix(got[2].Name, "fish") {
		t.Errorf("%+v", got)
	}
	if hub := got[1]; hub.Linked != 6 || len(hub.Like) != 3 || !slices.Equal(hub.Shared, []string{"fish"}) || hub.Title != "Hub" || hub.Score <= 0 || hub.Score > 1 {
		t.Errorf("%+v", hub)
	}
	if got := m.Rank(catalog.Dataset{Name: "blank"}, nil, 1); got[0].Name != "everything" || got[0].Linked != 14 || len(got[0].Like) != 0 {
		t.Errorf("of an empty description: %+v", got)
	}
	d := small()[7]
	for _, one := range m.Rank(d, nil, 0) {
		if one.Name == d.Name || slices.Contains(d.Links, one.Name) {
			t.Errorf("%s is ranked for %+v", one.Name, d)
		}
	}
	covered := m.Rank(catalog.Dataset{}, map[string]float64{"fish1": 1, "fish2": .5}, 2)
	if covered[0].Name != "everything" || covered[1].Name != "fish-hub" || !slices.Equal(covered[1].Like, []string{"fish1", "fish2"}) {
		t.Errorf("by coverage: %+v", covered)
	}
	known := m.Rank(catalog.Dataset{Name: "new", Links: []string{"music-hub", "music1"}}, nil, 0)
	at := func(name string) int {
		return slices.IndexFunc(known, func(one Target) bool { return one.Name == name })
	}
	if at("music2") > at("fish2") || at("music1") >= 0 {
		t.Errorf("by links alone: %+v", known)
	}
	if a, b := fmt.Sprint(m.Rank(d, nil, 0)), fmt.Sprint(New(small()).Rank(d, nil, 0)); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}

// lodCloud is the catalogue of the LOD cloud of 2020.
func lodCloud(t testing.TB) []catalog.Dataset {
	file, err := os.Open(realdata.File(t, "lod-cloud-2020.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c, err := catalog.Read(file, catalog.Options{Name: "lod-cloud-2020.json.gz"})
	if err != nil {
		t.Fatal(err)
	}
	return c.Datasets
}

// TestLODCloud: hidden links of the LOD cloud are found better than by popularity, also on the half of the datasets on which no weight was chosen (that
// of odd places). All of them take ORBWEAVER_EFFECT=all, else it is one in five.
func TestLODCloud(t *testing.T) {
	all := lodCloud(t)
	m := New(all)
	places := m.measurable()
	if len(all) != 296 || len(places) != 155 {
		t.Fatalf("%d datasets, %d with links enough", len(all), len(places))
	}
	step := 10
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		step = 2
	}
	for half := range 2 {
		var of []int
		for i := half; i < len(places); i += step {
			of = append(of, places[i])
		}
		popular, hidden := m.measure(of, ByPopularity, false), m.measure(of, ByPopularity, true)
		f, h := m.measure(of, ByWitnesses, false), m.measure(of, ByWitnesses, true)
		t.Logf("half %d, %d datasets: popularity %.3f, %.3f", half, len(of), popular, hidden)
		t.Logf("half %d, %d datasets: witnesses  %.3f, %.3f", half, len(of), f, h)
		c := m.measure(of, ByCoverage, false)
		t.Logf("half %d, %d datasets: coverage   %.3f, %.3f", half, len(of), c, m.measure(of, ByCoverage, true))
		if c.MRR < popular.MRR+.1 || c.Recall < popular.Recall+.15 {
			t.Errorf("half %d: by coverage %+v; by popularity %+v", half, c, popular)
		}
		if f.MRR < popular.MRR+.1 || f.Recall < popular.Recall+.15 || h.MRR < hidden.MRR+.15 || h.Recall < hidden.Recall+.15 {
			t.Errorf("half %d: %+v, %+v; by popularity %+v, %+v", half, f, h, popular, hidden)
		}
	}
}

// TestMeasure: a ranking that knows the circles of the small catalogue beats popularity.
func TestMeasure(t *testing.T) {
	got, err := Measure(small())
	if err != nil || got.Datasets != 14 || got.Measured != 12 || len(got.Rows) != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	popular, ours := got.Rows[0], got.Rows[3]
	if popular.Ranking != ByPopularity || ours.Ranking != ByWitnesses || ours.All.MRR != 1 || ours.All.Recall < popular.All.Recall || ours.Half.MRR < popular.Half.MRR {
		t.Errorf("%+v", got)
	}
}

// TestChosen chooses the weights on one half of the datasets by going through them one by one, from equal ones, and measures them on the other.
func TestChosen(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("takes minutes: ORBWEAVER_EFFECT=all")
	}
	all := lodCloud(t)
	places := New(all).measurable()
	worth := func(w Weighing, half int) float64 {
		m := newModel(all, w)
		var of []int
		for i := half; i < len(places); i += 2 {
			of = append(of, places[i])
		}
		f, h := m.measure(of, ByWitnesses, false), m.measure(of, ByWitnesses, true)
		return f.MRR + f.Recall + h.MRR + h.Recall
	}
	for half := range 2 {
		w := Weighing{Features: [features]float64{1, 1, 1, 0.5, 1}, Links: 1, Power: 2, Prior: 1, Itself: 0.01}
		most := worth(w, half)
		for k := range int(features) + 4 {
			values := []float64{0, .25, .5, 1, 2, 4}
			value := func(w *Weighing) *float64 {
				if k < int(features) {
					return &w.Features[k]
				}
				return []*float64{&w.Links, &w.Power, &w.Prior, &w.Itself}[k-int(features)]
			}
			switch k - int(features) {
			case 1:
				values = []float64{1, 1.5, 2, 3, 4}
			case 2:
				values = []float64{.01, .1, .3, 1, 3}
			case 3:
				values = []float64{0, .003, .01, .03, .1}
			}
			for _, v := range values {
				try := w
				*value(&try) = v
				if got := worth(try, half); got > most+1e-9 {
					most, w = got, try
				}
			}
		}
		t.Logf("half %d: %+v, worth %.3f of 4; on the other half %.3f, the present weights %.3f", half, w, most, worth(w, 1-half), worth(Weights(), 1-half))
		if worth(w, 1-half) > worth(Weights(), 1-half)+.1 {
			t.Errorf("half %d: its weights are better by far", half)
		}
	}
}

// TestUnmeasured: catalogues without links.
func TestUnmeasured(t *testing.T) {
	for _, all := range [][]catalog.Dataset{nil, {{Name: "a", Links: []string{"b"}}}} {
		if got, err := Measure(all); !errors.Is(err, ErrUnmeasured) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
