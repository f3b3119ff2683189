package sinks

import "time"

// Kept is the folder of a crawl folder in which it stands what sinks have, a file for each sink.
const Kept = "sinks"

// A State is how a sink stands.
type State struct {
	Name      string        `json:"name"`
	To        string        `json:"to"`
	Behind    int64         `json:"behind"`             // accepted pages that it lacks
	Bound     int64         `json:"bound"`              // those that it may lack before the crawl waits for it
	Delivered int64         `json:"delivered"`          // items, since the session began
	Failures  int64         `json:"failures,omitempty"` // deliveries that failed, likewise
	Waits     bool          `json:"waits,omitempty"`    // the crawl waits for it
	Held      time.Duration `json:"held,omitempty"`     // that the crawl waited for it in this session, in ns
	Error     string        `json:"error,omitempty"`    // the last failure, until a delivery succeeds
	Next      time.Time     `json:"next,omitzero"`      // the next try after it
	Gone      bool          `json:"gone,omitempty"`     // it takes nothing any more
}
