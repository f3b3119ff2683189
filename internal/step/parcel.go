package step

import (
	"slices"

	"orbweaver"
)

// A Parcel is what one worker of a crawl on several found for another: the proposal of a request that the other owns, with its Note and
// Keys. Ahead is as in Waiting.
//
// In a crawl whose workers go through rounds together, Lesson is what the page of the URL teaches; it is for all workers.
//
// When a partition goes to another worker, the one that had it sends all that it knows of it, as parcels: what waits is proposed again, and of each of the following
// one field says so.
type Parcel struct {
	orbweaver.Proposal
	Ahead   bool
	Known   bool     // the request was asked, or waits nowhere: it is not to be proposed again
	Account *Account // of a host; the URL is one of its
	Lesson  []byte
	Taken   *Delivery // up to which message of a worker the partition's were taken; only From, Partition and Last are set
}

// KnownParcel is the parcel that says that a request was asked.
func KnownParcel(r orbweaver.Request) Parcel {
	return Parcel{Proposal: orbweaver.Proposal{Request: orbweaver.Request{URL: r.URL, Accept: r.Accept, Query: r.Query, State: r.State}}, Known: true}
}

// A Delivery names messages with parcels: those that a worker sent to a partition, from its First-th to its Last-th; the first of all is 1.
type Delivery struct {
	From        string
	Partition   int
	First, Last uint64
}

// After returns what a delivery has after a message that was taken before, and its parcels, of those of all its messages; if it has nothing more, it stays as it is.
func (d Delivery) After(last uint64, messages [][]Parcel) (Delivery, []Parcel) {
	if d.First <= last && last < d.Last {
		messages = messages[min(last+1-d.First, uint64(len(messages))):]
		d.First = last + 1
	}
	return d, slices.Concat(messages...)
}
