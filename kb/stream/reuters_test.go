package stream

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"html"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/realdata"
	"orbweaver/internal/tier"
	"orbweaver/kb/labels"
	"orbweaver/text/item"
)

// A story is one of Reuters-21578 that has a body.
type story struct {
	id     string
	at     time.Time
	topics []string
	draft  item.Draft
}

// stories are all of them by date.
func stories(t *testing.T) (all []story) {
	t.Helper()
	f, err := os.Open(realdata.File(t, "reuters-21578.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var reader item.Reader
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(h.Name, ".json") {
			all = append(all, readStories(t, &reader, r)...)
		}
	}
	slices.SortStableFunc(all, func(a, b story) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.id, b.id)) })
	return all
}

func readStories(t *testing.T, reader *item.Reader, r io.Reader) (all []story) {
	t.Helper()
	var file []struct {
		Attrs             struct{ NewID string }
		Body, Title, Date string
		Topics            []string
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		t.Fatal(err)
	}
	for _, s := range file {
		if strings.TrimSpace(s.Body) == "" {
			continue
		}
		day, _, _ := strings.Cut(strings.TrimSpace(s.Date), ".")
		at, err := time.Parse("2-Jan-2006 15:04:05", day)
		if err != nil { // one has an hour that is none
			day, _, _ = strings.Cut(day, " ")
			at, err = time.Parse("2-Jan-2006", day)
		}
		if err != nil {
			t.Fatal(err)
		}
		body := strings.TrimSuffix(strings.TrimRight(html.UnescapeString(s.Body), "\x03 \n"), "Reuter")
		all = append(all, story{s.Attrs.NewID, at, s.Topics, reader.Read(body, html.UnescapeString(s.Title), "en")})
	}
	return all
}

// subjectsOf are groups of topics of a thousand stories or more; the first topic of a story is its group's.
func subjectsOf() map[string][]string {
	return map[string][]string{
		"earnings": {"earn"}, "acquisitions": {"acq"},
		"commodities": {"crude", "grain", "ship", "sugar", "coffee", "gold", "nat-gas", "cocoa", "copper", "veg-oil", "livestock", "cotton", "rubber", "iron-steel", "alum", "oilseed", "gas", "meal-feed", "tin"},
		"economy":     {"trade", "money-fx", "interest", "cpi", "gnp", "money-supply", "bop", "reserves", "jobs", "ipi", "wpi", "retail"},
	}
}

// An exchange is a stream of stories of one subject, and then of another.
type exchange struct{ from, to string }

// tried are the exchanges by which the detector was tuned; held are the others.
func tried() []exchange {
	return []exchange{{"earnings", "acquisitions"}, {"acquisitions", "economy"}, {"economy", "commodities"}, {"commodities", "earnings"}}
}

func held() []exchange {
	return []exchange{
		{"acquisitions", "earnings"}, {"economy", "acquisitions"}, {"commodities", "economy"}, {"earnings", "commodities"},
		{"earnings", "economy"}, {"economy", "earnings"}, {"acquisitions", "commodities"}, {"commodities", "acquisitions"},
	}
}

func shuffled(list []story, seed uint64) []story {
	list = slices.Clone(list)
	rand.New(rand.NewPCG(seed, 21)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// stream returns the stories of an exchange, at most a number of each subject, and the place of the exchange.
func (e exchange) stream(all []story, most int) (list []story, place int) {
	for i, subject := range []string{e.from, e.to} {
		var own []story
		for _, s := range all {
			if len(s.topics) > 0 && slices.Contains(subjectsOf()[subject], s.topics[0]) {
				own = append(own, s)
			}
		}
		own = shuffled(own, uint64(i+5))
		if place = len(list); len(own) > most {
			own = own[:most]
		}
		list = append(list, own...)
	}
	return list, place
}

// alarmsIn are the alarms of a stream.
func alarmsIn(t *testing.T, list []story, p *tuning, shared bool) (alarms []labels.Change, m *Model) {
	t.Helper()
	m = newModel(t, Options{Shared: shared})
	m.churn.tuned = p
	for _, s := range list {
		_, changes := m.Learn(s.id, s.at, s.draft)
		for _, c := range changes {
			if c.Kind == labels.OfAlarm {
				alarms = append(alarms, c)
			}
		}
	}
	return alarms, m
}

// delay is how many documents after the exchange the first alarm came, -1 for none within 500; others are the
// number of alarms before the exchange.
func delay(alarms []labels.Change, place int) (after, before int) {
	after = -1
	for _, a := range alarms {
		switch d := int(a.Item) - place; {
		case d <= 0:
			before++
		case after < 0 && d <= 500:
			after = d
		}
	}
	return after, before
}

// TestDriftOnReuters: an exchange of topics is told within 500 documents, and a shuffled stream has one false
// alarm at most. ORBWEAVER_EFFECT=all measures all exchanges that were not used in tuning, longer and more orders, and the
// stream by date.
func TestDriftOnReuters(t *testing.T) {
	tier.Long(t, "learns some 25 000 stories")
	whole := os.Getenv("ORBWEAVER_EFFECT") == "all"
	all := stories(t)
	exchanges, orders, most := held()[:2], []uint64{11}, 1500
	if whole {
		exchanges, orders, most = held(), []uint64{11, 12, 13, 14}, len(all)
	}
	for _, e := range exchanges {
		list, place := e.stream(all, most)
		alarms, m := alarmsIn(t, list, nil, true)
		after, before := delay(alarms, place)
		t.Logf("%s, %d stories, then %s, %d: alarm after %d, %d before", e.from, place, e.to, len(list)-place, after, before)
		for _, a := range alarms {
			t.Logf("  %d: %s", a.Item, m.ShowAlarm(a))
		}
		if after < 0 {
			t.Errorf("%s, then %s: no alarm within 500 documents", e.from, e.to)
		}
	}
	for _, seed := range orders {
		list := shuffled(all, seed)
		if !whole {
			list = list[:len(list)/2]
		}
		alarms, _ := alarmsIn(t, list, nil, true)
		t.Logf("%d stories in order %d: %d alarms", len(list), seed, len(alarms))
		if len(alarms) > 1 {
			t.Errorf("%d false alarms in %d stories", len(alarms), len(list))
		}
	}
	if !whole {
		return
	}
	alarms, m := alarmsIn(t, all, nil, true)
	for _, a := range alarms {
		t.Logf("by date, %d, %s: %s", a.Item, a.At.Format(time.DateOnly), m.ShowAlarm(a))
	}
	alarms, _ = alarmsIn(t, shuffled(all, 11), nil, false)
	t.Logf("with the terms of a crawl, in order 11: %d alarms", len(alarms))
}

// TestDriftTuning shows the exchanges by which the parameters were chosen.
func TestDriftTuning(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("tries fifteen tunings: set ORBWEAVER_EFFECT=all")
	}
	all := stories(t)
	for _, youth := range []int64{100, 200, 300, 500} {
		for _, delta := range []float64{0.00001, 0.002, 0.05} {
			p := &tuning{youth, delta}
			var delays []int
			false1 := 0
			for _, e := range tried() {
				list, place := e.stream(all, 1500)
				alarms, _ := alarmsIn(t, list, p, true)
				after, before := delay(alarms, place)
				delays = append(delays, after)
				false1 += before
			}
			alarms, _ := alarmsIn(t, shuffled(all, 1), p, true)
			t.Logf("new for %d documents, δ %g: delays %v, %d alarms before, %d in a shuffled stream", youth, delta, delays, false1, len(alarms))
		}
	}
}
