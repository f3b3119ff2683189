package ledger

import (
	"errors"
	"reflect"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

// FuzzDecode: no record makes the decoder panic, and a decoded record survives a round trip.
func FuzzDecode(f *testing.F) {
	w := step.Waiting{ID: 7, Ahead: true}
	w.URL, w.Via, w.Redirects = "http://a/", &orbweaver.Link{To: "http://a/"}, []string{"http://b/"}
	w.Reasons, w.Keys = []orbweaver.Reason{{Rule: "r", Weight: 1}}, []string{"k"}
	f.Add(appendWaiting(nil, w))
	f.Add(appendOutcome(nil, &orbweaver.Outcome{N: 3, Err: orbweaver.ErrAbsent, Page: &orbweaver.Page{URL: "u"}}))
	f.Fuzz(func(t *testing.T, record []byte) {
		d := decoding(record)
		if o, err := done(&d, "outcome", d.outcome()); err == nil {
			_ = appendOutcome(nil, &o)
		}
		d = decoding(record)
		first, err := done(&d, "waiting", d.waiting(7))
		if err != nil {
			if !errors.Is(err, orbweaver.ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		d = decoding(appendWaiting(nil, first))
		again, err := done(&d, "waiting", d.waiting(7))
		if first.Score == first.Score && len(first.Reasons) == 0 && (err != nil || !reflect.DeepEqual(first, again)) {
			t.Errorf("%+v came back as %+v, %v", first, again, err)
		}
	})
}

func TestShortRecords(t *testing.T) {
	w := step.Waiting{ID: 7}
	w.URL = "http://a/"
	whole := appendWaiting(nil, w)
	for n := range whole {
		d := decoding(whole[:n])
		if _, err := done(&d, "waiting", d.waiting(7)); !errors.Is(err, orbweaver.ErrDamaged) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// TestOlderOutcome: a record of an earlier version, without a snippet, is read.
func TestOlderOutcome(t *testing.T) {
	o := orbweaver.Outcome{N: 3, Page: &orbweaver.Page{URL: "u", Title: "t"}, Snippet: "s"}
	whole := appendOutcome(nil, &o)
	d := decoding(whole[:len(whole)-len("\x01s\x00")])
	if got, err := done(&d, "outcome", d.outcome()); err != nil || got.Snippet != "" || got.Page.Title != "t" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, explored := range []bool{false, true} {
		o.Explored = explored
		d = decoding(appendOutcome(nil, &o))
		if got, err := done(&d, "outcome", d.outcome()); err != nil || got.Snippet != "s" || got.Explored != explored {
			t.Errorf("%+v, %v", got, err)
		}
	}
	d = decoding(whole[:len(whole)-1])
	if got, err := done(&d, "outcome", d.outcome()); err != nil || got.Snippet != "s" || got.Explored {
		t.Errorf("%+v, %v", got, err)
	}
}
