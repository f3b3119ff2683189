package ledger

import (
	"bufio"
	"encoding/json"
	"io"

	"orbweaver/internal/step"
)

// A head is what comes before the entries of an excerpt that is written.
type head struct {
	To       Position        `json:"to"`
	More     bool            `json:"more,omitempty"`
	Progress step.Progress   `json:"progress"`
	Archive  json.RawMessage `json:"archive,omitempty"`
}

// Write writes the excerpt, for ReadExcerpt: a line of JSON, and the entries.
func (x *Excerpt) Write(to io.Writer) error {
	if err := json.NewEncoder(to).Encode(head{x.To, x.More, x.Progress, x.Archive}); err != nil {
		return err
	}
	_, err := to.Write(x.Entries)
	return err
}

// ReadExcerpt reads an excerpt to its end.
func ReadExcerpt(from io.Reader) (*Excerpt, error) {
	in := bufio.NewReader(from)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, err
	}
	entries, err := io.ReadAll(in)
	return &Excerpt{Entries: entries, To: h.To, More: h.More, Progress: h.Progress, Archive: h.Archive}, err
}
