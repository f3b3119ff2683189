package stream

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"orbweaver/internal/order"
	"orbweaver/kb/labels"
)

// A churn watches how much of what documents are about is new to the model: of the labels among a document's terms,
// the share that came into force within the latest 300 documents. In a stream where nothing changes the share falls
// as the model matures. When topics change it rises, and an adwin tells when it has left its own history. The first
// 300 documents have no history: they are not watched.
type churn struct {
	Window adwin           `json:"window"`
	Recent []turn          `json:"recent,omitempty"` // labels that came and went, oldest first
	Alarms []labels.Change `json:"alarms,omitempty"` // the latest
	Last   int64           `json:"last,omitempty"`   // item of the latest alarm

	came  map[string]int64 // labels that came, with the item: those of Recent
	tuned *tuning          // nil: as tuned
}

// A turn is the coming or going of a label.
type turn struct {
	Item  int64  `json:"item"`
	Label string `json:"label"`
	Gone  bool   `json:"gone,omitempty"`
}

// A tuning has the parameters of a churn, chosen on other topics than those that docs/explanation/labels.md reports.
type tuning struct {
	youth int64   // documents in which a label is new; from one alarm to the next there are as many at least
	delta float64 // of the adwin
}

func (c *churn) tuning() tuning {
	if c.tuned != nil {
		return *c.tuned
	}
	return tuning{youth: 300, delta: 0.002}
}

const (
	maxTurns  = 20_000 // kept
	maxAlarms = 100    // kept
	toldTurns = 8      // labels of each kind that an alarm names
)

// learned looks at an item that was learned, and appends an alarm to its changes if there is cause for one.
func (c *churn) learned(m *labels.Model, it labels.Item, changes []labels.Change) []labels.Change {
	now, p := m.Items(), c.tuning()
	for _, x := range changes {
		if x.Kind == labels.OfLabel {
			c.Recent = append(c.Recent, turn{now, x.Subject, x.New == ""})
			c.note(c.Recent[len(c.Recent)-1])
		}
	}
	c.forget(now - p.youth)
	share, has := c.young(m, it)
	if now <= p.youth || !has {
		return changes
	}
	risen, ok := c.Window.add(share, p.delta)
	if !ok || c.Last > 0 && now-c.Last < p.youth {
		return changes
	}
	c.Last = now
	alarm := c.alarm(m, it, risen)
	if c.Alarms = append(c.Alarms, alarm); len(c.Alarms) > maxAlarms {
		c.Alarms = slices.Clone(c.Alarms[1:])
	}
	return append(changes, alarm)
}

// note applies a turn to the labels that came.
func (c *churn) note(t turn) {
	if c.came == nil {
		c.came = map[string]int64{}
	}
	if t.Gone {
		delete(c.came, t.Label)
	} else {
		c.came[t.Label] = t.Item
	}
}

// forget drops turns up to an item, and more if there are too many.
func (c *churn) forget(until int64) {
	from := max(0, len(c.Recent)-maxTurns)
	for from < len(c.Recent) && c.Recent[from].Item <= until {
		from++
	}
	for _, t := range c.Recent[:from] {
		if c.came[t.Label] == t.Item {
			delete(c.came, t.Label)
		}
	}
	if from > 0 {
		c.Recent = append(c.Recent[:0], c.Recent[from:]...)
	}
}

// young returns the share of new labels among the labels that are terms of an item; false if it has none.
func (c *churn) young(m *labels.Model, it labels.Item) (share float64, has bool) {
	all, young := 0, 0
	for _, t := range it.Terms {
		if !m.Is(t.Text) {
			continue
		}
		all++
		if _, is := c.came[t.Text]; is {
			young++
		}
	}
	if all == 0 {
		return 0, false
	}
	return float64(young) / float64(all), true
}

// alarm describes what changed: the new labels of most items, and the latest that went.
func (c *churn) alarm(m *labels.Model, it labels.Item, at cut) labels.Change {
	var came, gone []string
	for _, t := range slices.Backward(c.Recent) {
		switch {
		case slices.Contains(came, t.Label) || slices.Contains(gone, t.Label):
		case t.Gone:
			gone = append(gone, t.Label)
		case m.Is(t.Label):
			came = append(came, t.Label)
		}
	}
	order.Stably(came, func(a, b string) int {
		return cmp.Or(cmp.Compare(m.Count(b, b), m.Count(a, a)), strings.Compare(a, b))
	})
	return labels.Change{
		Item: m.Items(), ID: it.ID, At: it.At, Kind: labels.OfAlarm,
		Subject: labels.Alarmed, New: strings.Join(first(came, toldTurns), ", "), Old: strings.Join(first(gone, toldTurns), ", "),
		P: at.after, Before: at.before, Since: m.Items() - int64(at.values) + 1,
	}
}

func first(all []string, n int) []string { return all[:min(n, len(all))] }

// Alarms returns the latest alarms, oldest first.
func (m *Model) Alarms() []labels.Change { return slices.Clone(m.churn.Alarms) }

// ShowAlarm describes an alarm in words.
func (m *Model) ShowAlarm(a labels.Change) string {
	shown := func(keys string) string {
		names := strings.Split(keys, ", ")
		for i := range names {
			names[i] = m.Show(names[i])
		}
		return strings.Join(names, ", ")
	}
	what := fmt.Sprintf("the labels of documents change: %.0f %% of them are new since document %d, before %.0f %%", 100*a.P, a.Since, 100*a.Before)
	if a.New != "" {
		what += "; new: " + shown(a.New)
	}
	if a.Old != "" {
		what += "; gone: " + shown(a.Old)
	}
	return what
}

// maxChurn bounds an encoded state, in bytes.
const maxChurn = 16 << 20

// snapshot writes the state as JSON.
func (c *churn) snapshot(w io.Writer) error {
	b, err := json.Marshal(c)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// restore replaces the state by a snapshot.
func (c *churn) restore(r io.Reader) error {
	b, err := io.ReadAll(io.LimitReader(r, maxChurn))
	if err == nil {
		*c, err = decodeChurn(b)
	}
	return err
}

// decodeChurn reads the state; none is that of a model that no version with a churn has learned.
func decodeChurn(b []byte) (c churn, err error) {
	if len(b) == 0 {
		return churn{}, nil
	}
	if err := json.Unmarshal(b, &c); err != nil || !c.Window.sound() || len(c.Recent) > maxTurns || len(c.Alarms) > maxAlarms {
		return churn{}, fmt.Errorf("state of the drift detector: %w", ErrDamaged)
	}
	for _, t := range c.Recent {
		c.note(t)
	}
	for i := range c.Alarms {
		c.Alarms[i].At = c.Alarms[i].At.In(time.UTC)
	}
	return c, nil
}
