package step

import "orbweaver"

// ForRequisite is the Purpose of a request for what an accepted page needs to be shown. It is never in the ranked queue.
const ForRequisite = orbweaver.ForContext + 1

// A Requisite is something that an accepted page needs to be shown, such as an image, a style sheet, a font or a script.
// Each URL is one once a crawl.
type Requisite struct {
	N     uint64 // number, from 1
	URL   string // canonical
	Page  uint64 // number of the request of the page that needed it first
	Level int    // 1: the page names it; one more for what a style sheet of the level before names
	Hops  int    // redirects that led there
}

// A Fate is what became of a Requisite.
type Fate uint8

// The fates. One that was left out for the budget of a page may still be fetched for another.
const (
	RequisiteWaits   Fate = iota
	RequisiteFetched      // it is archived: 2xx, or a redirect
	RequisiteFailed       // no answer, or an error; not asked again
	RequisiteRefused      // robots.txt, a private address or the form of its URL forbids it
	RequisiteLeft         // no budget
)

// A Met is the end of a Requisite.
type Met struct {
	Requisite
	Fate  Fate
	Bytes int64 // of payload, read for it
}

// Requisites counts those of a crawl.
type Requisites struct {
	Waiting int64 `json:"waiting"`
	Fetched int64 `json:"fetched"`
	Failed  int64 `json:"failed,omitempty"`   // no answer, or an error
	Refused int64 `json:"refused,omitempty"`  // robots.txt, a private address or the form of the URL forbids them
	LeftOut int64 `json:"left_out,omitempty"` // beyond a budget
	Bytes   int64 `json:"bytes"`              // of payload, as received
}

// Count counts those of a batch.
func (r *Requisites) Count(b *Batch) {
	r.Waiting += int64(len(b.Needs) - len(b.Met))
	for _, m := range b.Met {
		r.Bytes += m.Bytes
		switch m.Fate {
		case RequisiteFetched:
			r.Fetched++
		case RequisiteFailed:
			r.Failed++
		case RequisiteRefused:
			r.Refused++
		default:
			r.LeftOut++
		}
	}
}
