package step

import (
	"time"

	"orbweaver"
)

// A Task is the purpose of a Turn.
type Task uint8

// The tasks. A host of the live Web is asked for nothing before its address and its robots.txt are
// known.
const (
	TakeRequest     Task = iota // make the waiting request ID
	TakeAddress                 // look up the address of Host
	TakeRobots                  // ask for URL, which is, or stands for, the robots.txt of For
	TakeSubresource             // make the subresource request ID
)

// A Turn is a step that may start now. It holds a slot of its host and address until it is done.
type Turn struct {
	Task Task
	ID   uint64 // of the waiting request, or a number of the frontier's own
	Host string // that is asked: scheme, name and port, as weburl.Host has it
	URL  string // of robots.txt, or of a subresource
	For  string // TakeRobots: the host whose rules are asked for
}

// A Reply is what an exchange shows of the host that was asked.
type Reply struct {
	Started    time.Time         // when the host can be taken to have had the request; zero: it never had it
	Ended      time.Time         // when the answer was there, or the failure
	Page       bool              // it counts against the host's budget of pages
	Bytes      int64             // of payload
	Failure    orbweaver.Failure // why there was no answer in good order; empty when there was
	Trouble    bool              // the failure is one of the host, not of what was asked for
	RetryAfter time.Duration     // how long the host asks to be left alone; 0: it did not say
}

// An Account is what a host was asked, over all sessions of a crawl, and how it answered.
type Account struct {
	Host     string                      `json:"host"`
	Address  string                      `json:"address,omitempty"`  // IP and port, when it was last looked up
	Robots   string                      `json:"robots,omitempty"`   // what became of its robots.txt
	Delay    time.Duration               `json:"delay"`              // in force between two starts, back-off left out
	Asked    int64                       `json:"asked"`              // all requests: pages, robots.txt, retries, subresources
	Pages    int64                       `json:"pages"`              // that count against its budget
	Bytes    int64                       `json:"bytes"`              // of payload
	Gap      time.Duration               `json:"gap,omitempty"`      // shortest time between two starts; 0: it was asked once
	Busy     time.Duration               `json:"busy,omitempty"`     // time its answers took, all together
	Last     time.Time                   `json:"last"`               // latest start
	Rest     time.Time                   `json:"rest,omitzero"`      // it is to be left alone until then: back-off, or its own wish
	Failures map[orbweaver.Failure]int64 `json:"failures,omitempty"` // by reason
	Down     orbweaver.Failure           `json:"down,omitempty"`     // why it is asked no more in this session
}
