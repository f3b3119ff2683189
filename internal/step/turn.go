package step

import (
	"time"

	"orbweaver"
)

// A Task is the purpose of a Turn.
type Task uint8

// The tasks. On the live Web a host's address and robots.txt must be known before other requests to it.
const (
	TakeRequest     Task = iota // make the waiting request ID
	TakeAddress                 // look up the address of Host
	TakeRobots                  // request URL, the robots.txt of For or a redirect target of it
	TakeSubresource             // make the subresource request ID
	TakeProbe                   // ask Host for anything, to learn whether the network is there
	TakeRequisite               // make the request for a Requisite
)

// A Turn is permission for one step to start now. It holds a slot of its host and address until it is
// done.
type Turn struct {
	Task Task
	ID   uint64 // of the waiting request, or assigned by the frontier
	Host string // scheme, name and port of the requested host, as in weburl.Host
	URL  string // for robots.txt or a subresource
	For  string // TakeRobots: the host whose rules are requested
	Need uint64 // TakeRequisite: the number of the Requisite
}

// A Reply describes how a host answered one request.
type Reply struct {
	Started    time.Time         // time by which the host has received the request; zero: never
	Ended      time.Time         // time of the complete answer or of the failure
	Page       bool              // counts against the host's budget of pages
	Bytes      int64             // size of the payload
	Failure    orbweaver.Failure // failure; empty: a well-formed answer
	Fault      Fault             // what the failure says about the host
	RetryAfter time.Duration     // pause that the host requests; 0: none
}

// A Fault is what the failure of an exchange says about its host.
type Fault uint8

// The faults.
const (
	FaultNone     Fault = iota // nothing: it answered
	FaultDocument              // of the requested document alone: its body ended early
	FaultAnswer                // of the document or the host: no answer in time, none at all, or overload; the same of several documents is the host's
	FaultHost                  // of the host, whatever was requested: no connection
)

// An Account holds the figures of a host over all sessions of a crawl.
type Account struct {
	Host     string                      `json:"host"`
	Address  string                      `json:"address,omitempty"`  // IP and port of the latest lookup
	Robots   string                      `json:"robots,omitempty"`   // result of the robots.txt request
	Delay    time.Duration               `json:"delay"`              // minimum time between two starts, without back-off
	Asked    int64                       `json:"asked"`              // all requests: pages, robots.txt, retries, subresources
	Pages    int64                       `json:"pages"`              // pages that count against its budget
	Bytes    int64                       `json:"bytes"`              // size of payloads
	Gap      time.Duration               `json:"gap,omitempty"`      // shortest time between two starts; 0: fewer than two requests
	Busy     time.Duration               `json:"busy,omitempty"`     // total time of its answers
	Last     time.Time                   `json:"last"`               // latest start
	Rest     time.Time                   `json:"rest,omitzero"`      // no request before this time: back-off, or the host's Retry-After
	Failures map[orbweaver.Failure]int64 `json:"failures,omitempty"` // by failure
	Down     orbweaver.Failure           `json:"down,omitempty"`     // why the host is down: it gets a probe now and then, and no other request
}
