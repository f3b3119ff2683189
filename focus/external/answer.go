package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"orbweaver"
)

// The bounds of an answer. Longer texts are cut, further reasons are left out; a number out of range makes the
// answer none.
const (
	MaxLine     = 1 << 20 // bytes of a line
	maxReasons  = 20
	maxRule     = 40
	maxEvidence = 300
	maxClass    = 100
	maxLack     = 400
	maxWeight   = 1e6 // of a reason, either side of 0
	maxCost     = 1e9
)

// An Answer is what a judge says of a page, or why it says nothing.
type Answer struct {
	Score    float64            // 0..1
	Accepted *bool              // nil: the judge gives no verdict
	Class    string             // may be empty
	Reasons  []orbweaver.Reason // at most 20
	Links    map[int]float64    // scores, 0..1, by position among the links that the judge saw
	Cost     float64            // from 0
	Took     time.Duration
	Lack     string // why there is no answer; empty: there is one
	Down     bool   // of a Lack: the judge failed, not its answer
	Unasked  bool   // of a Lack: the judge was left alone
}

// Lacking returns the lack of an answer.
func Lacking(why string) Answer { return Answer{Lack: plain(why, maxLack)} }

// A Line is a line of a judge that is a JSON object with an id.
type Line struct {
	ID  string
	raw rawLine
}

type rawLine struct {
	ID       json.RawMessage `json:"id"`
	Score    json.RawMessage `json:"score"`
	Accepted json.RawMessage `json:"accepted"`
	Class    json.RawMessage `json:"class"`
	Reasons  json.RawMessage `json:"reasons"`
	Links    json.RawMessage `json:"links"`
	Cost     json.RawMessage `json:"cost"`
	Error    json.RawMessage `json:"error"`
}

// ReadLine reads a line. The error says why it is no answer to anything.
func ReadLine(line []byte) (*Line, error) {
	var l Line
	if len(line) > MaxLine {
		return nil, fmt.Errorf("a line of more than %d bytes", MaxLine)
	}
	if err := json.Unmarshal(line, &l.raw); err != nil {
		return nil, fmt.Errorf("no JSON object: %w", err)
	}
	if err := json.Unmarshal(l.raw.ID, &l.ID); err != nil || l.ID == "" {
		return nil, errors.New("no id: it is to be the string that the page's line has")
	}
	return &l, nil
}

// Answer reads the answer to a question. An answer that makes no sense is a Lack that names the key and says why.
func (l *Line) Answer(q *Question) Answer {
	var a Answer
	if said := textOf(l.raw.Error); given(l.raw.Error) {
		return Lacking("the judge says: " + said)
	}
	var err error
	if a.Score, err = share(l.raw.Score); err != nil {
		return Lacking("score: " + err.Error())
	}
	if given(l.raw.Accepted) {
		a.Accepted = new(bool)
		if json.Unmarshal(l.raw.Accepted, a.Accepted) != nil {
			return Lacking("accepted: neither true nor false")
		}
	}
	if given(l.raw.Cost) {
		if a.Cost, err = number(l.raw.Cost, 0, maxCost); err != nil {
			return Lacking("cost: " + err.Error())
		}
	}
	a.Class = plain(textOf(l.raw.Class), maxClass)
	if a.Reasons, err = reasonsOf(l.raw.Reasons); err != nil {
		return Lacking("reasons: " + err.Error())
	}
	if a.Links, err = q.scores(l.raw.Links); err != nil {
		return Lacking("links: " + err.Error())
	}
	return a
}

// given reports whether a key is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && !bytes.Equal(raw, []byte("null")) }

// textOf returns a string, or any other value as it is written; empty where there is none.
func textOf(raw json.RawMessage) (s string) {
	if !given(raw) {
		return ""
	}
	if json.Unmarshal(raw, &s) != nil {
		return string(raw[:min(len(raw), maxLack)])
	}
	return s
}

// share reads a number from 0 to 1.
func share(raw json.RawMessage) (float64, error) {
	if !given(raw) {
		return 0, errors.New("is missing")
	}
	return number(raw, 0, 1)
}

// number reads a number in a range.
func number(raw json.RawMessage, low, high float64) (x float64, err error) {
	if json.Unmarshal(raw, &x) != nil {
		return 0, fmt.Errorf("%s is no number", plain(string(raw[:min(len(raw), maxRule)]), maxRule))
	}
	if !(x >= low && x <= high) {
		return 0, fmt.Errorf("%v is not between %v and %v", x, low, high)
	}
	return x + 0, nil // no -0
}

// reasonsOf reads reasons, at most maxReasons of them.
func reasonsOf(raw json.RawMessage) ([]orbweaver.Reason, error) {
	if !given(raw) {
		return nil, nil
	}
	var list []struct{ Rule, Evidence, Weight json.RawMessage }
	if json.Unmarshal(raw, &list) != nil {
		return nil, errors.New("no list of objects with rule, evidence and weight")
	}
	var all []orbweaver.Reason
	for i, r := range list[:min(len(list), maxReasons)] {
		reason := orbweaver.Reason{Rule: RuleJudge, Evidence: plain(textOf(r.Evidence), maxEvidence)}
		if rule := plain(textOf(r.Rule), maxRule); rule != "" {
			reason.Rule += ":" + rule
		}
		if given(r.Weight) {
			var err error
			if reason.Weight, err = number(r.Weight, -maxWeight, maxWeight); err != nil {
				return nil, fmt.Errorf("%d: weight: %w", i+1, err)
			}
		}
		all = append(all, reason)
	}
	return all, nil
}

// scores reads the scores of links: a list with a score or null for each link that the judge saw, in their order, or an
// object with scores by URL or by position. URLs that the judge did not see are ignored.
func (q *Question) scores(raw json.RawMessage) (map[int]float64, error) {
	if !given(raw) {
		return nil, nil
	}
	scores := map[int]float64{}
	put := func(at int, name string, value json.RawMessage) error {
		if !given(value) {
			return nil
		}
		x, err := number(value, 0, 1)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		scores[at] = x
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		if len(list) > len(q.sent) {
			return nil, fmt.Errorf("%d scores for %d links", len(list), len(q.sent))
		}
		for i, value := range list {
			if err := put(i, strconv.Itoa(i), value); err != nil {
				return nil, err
			}
		}
		return scores, nil
	}
	var table map[string]json.RawMessage
	if json.Unmarshal(raw, &table) != nil {
		return nil, errors.New("neither a list of scores nor an object with scores by URL or position")
	}
	return scores, q.byName(table, put)
}

// byName passes the scores of an object to put, in the order of the links. A score by position counts before one by URL.
func (q *Question) byName(table map[string]json.RawMessage, put func(at int, name string, value json.RawMessage) error) error {
	found := 0
	for at, target := range q.sent {
		for _, name := range [...]string{q.targets[target].To, strconv.Itoa(at)} {
			if value, ok := table[name]; ok {
				found++
				if err := put(at, plain(name, maxEvidence), value); err != nil {
					return err
				}
			}
		}
	}
	if found == len(table) {
		return nil
	}
	for name := range table {
		if at, err := strconv.Atoi(name); err == nil && (at < 0 || at >= len(q.sent)) {
			return fmt.Errorf("there is a score for a position beyond the %d links", len(q.sent))
		}
	}
	return nil
}

// plain returns a text on one line, without characters that do not print, of at most n bytes.
func plain(s string, n int) string {
	s = strings.ToValidUTF8(short(s, 4*n), "�")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	return short(strings.Join(strings.Fields(s), " "), n)
}

// recordVersion changes when older records can no longer be read.
const recordVersion = 1

// A record is an Answer as it is kept.
type record struct {
	Version  int                `json:"v"`
	Score    float64            `json:"score"`
	Accepted *bool              `json:"accepted,omitempty"`
	Class    string             `json:"class,omitempty"`
	Reasons  []orbweaver.Reason `json:"reasons,omitempty"`
	Links    map[int]float64    `json:"links,omitempty"`
	Cost     float64            `json:"cost,omitempty"`
	Took     time.Duration      `json:"took,omitempty"`
	Lack     string             `json:"lack,omitempty"`
	Down     bool               `json:"down,omitempty"`
	Unasked  bool               `json:"unasked,omitempty"`
}

// Encode returns the answer as bytes to be recorded: equal answers give equal bytes.
func (a Answer) Encode() ([]byte, error) {
	return json.Marshal(record{recordVersion, a.Score, a.Accepted, a.Class, a.Reasons, a.Links, a.Cost, a.Took, a.Lack, a.Down, a.Unasked})
}

// Decode reads what Encode wrote. Other bytes wrap orbweaver.ErrDamaged.
func Decode(b []byte) (Answer, error) {
	var r record
	err := json.Unmarshal(b, &r)
	switch {
	case err != nil:
		return Answer{}, fmt.Errorf("recorded answer: %w: %w", orbweaver.ErrDamaged, err)
	case r.Version != recordVersion || !(r.Score >= 0 && r.Score <= 1) || math.IsInf(r.Cost, 0):
		return Answer{}, fmt.Errorf("recorded answer of version %d, score %v: %w", r.Version, r.Score, orbweaver.ErrDamaged)
	}
	return Answer{r.Score, r.Accepted, r.Class, r.Reasons, r.Links, r.Cost, r.Took, r.Lack, r.Down, r.Unasked}, nil
}
