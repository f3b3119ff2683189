package step

import "orbweaver"

// A Parcel is what one worker of a crawl on several found for another: the proposal of a request that the other owns, with its Note and
// Keys. Ahead is as in Waiting.
type Parcel struct {
	orbweaver.Proposal
	Ahead bool
}

// A Delivery names messages with parcels: those that a worker sent to a partition, from its First-th to its Last-th; the first of all is 1.
type Delivery struct {
	From        string
	Partition   int
	First, Last uint64
}
