package changes

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"orbweaver/internal/atomicfile"
)

// HookFile holds how far the webhook has been sent, in the crawl folder.
const HookFile = "webhook.json"

// Headers of a message. The signature is "sha256=" and the HMAC-SHA256, in hex, of the time, a full stop and the body, under the secret.
const (
	HeaderID        = "Orbweaver-Id"        // the same whenever the message is sent again
	HeaderTime      = "Orbweaver-Time"      // seconds since 1970, when it is sent
	HeaderSignature = "Orbweaver-Signature" // missing without a secret
)

// A Message is the body of a request to the webhook, as JSON.
type Message struct {
	ID      string   `json:"id"` // that of the first change
	Crawl   string   `json:"crawl"`
	Changes []Change `json:"changes"` // in the order in which they were found; each has an ID of its own
}

// inMessage is how many changes a message has at most.
const inMessage = 20

// Waits between tries: each twice the one before.
const (
	firstWait = 5 * time.Second
	longest   = time.Hour
)

// A Hook sends the changes of a crawl folder to a URL, in order, at least once each.
type Hook struct {
	Folder, Crawl string
	URL           string
	Secret        []byte // empty: messages are not signed
	// Do makes a request. Redirects count as failures.
	Do func(*http.Request) (*http.Response, error)
	// Tell is called when a message could not be sent, and when one could again. May be nil.
	Tell func(err error)
}

// position is the content of HookFile.
type position struct {
	URL  string `json:"url"`
	Sent int64  `json:"sent"` // bytes of the log
}

// position returns how far the log has been sent. A URL that is new is sent what is found from now on.
func (h *Hook) position(length int64) (position, error) {
	var p position
	text, err := os.ReadFile(filepath.Join(h.Folder, HookFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p = position{URL: h.URL, Sent: length}
		return p, h.keep(p)
	case err != nil:
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("%s: %w", filepath.Join(h.Folder, HookFile), err)
	}
	if p.URL != h.URL {
		p = position{URL: h.URL, Sent: length}
		return p, h.keep(p)
	}
	p.Sent = min(p.Sent, length)
	return p, nil
}

func (h *Hook) keep(p position) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(h.Folder, HookFile), append(text, '\n'), 0o600)
}

// Run sends changes until ctx is done: those that were not sent when it begins, length being that of the log, then what lies before each length that comes. What could
// not be sent is tried again after a wait that doubles up to an hour; nothing overtakes it.
func (h *Hook) Run(ctx context.Context, length int64, lengths <-chan int64) error {
	p, err := h.position(length)
	if err != nil {
		return err
	}
	wait := time.Duration(0)
	for {
		for p.Sent < length && wait == 0 {
			next, err := h.send(ctx, p, length)
			switch {
			case ctx.Err() != nil:
				return nil
			case err != nil:
				wait = firstWait
				h.tell(err)
			default:
				p = next
			}
		}
		var again <-chan time.Time
		if wait > 0 {
			again = time.After(wait)
		}
		select {
		case <-ctx.Done():
			return nil
		case length = <-lengths:
		case <-again:
			next, err := h.send(ctx, p, length)
			switch {
			case ctx.Err() != nil:
				return nil
			case err != nil:
				wait = min(2*wait, longest)
			default:
				p, wait = next, 0
				h.tell(nil)
			}
		}
	}
}

func (h *Hook) tell(err error) {
	if h.Tell != nil {
		h.Tell(err)
	}
}

// send sends the next message of the log before a length, and keeps that it was sent.
func (h *Hook) send(ctx context.Context, p position, length int64) (position, error) {
	list, to, err := Read(h.Folder, p.Sent, length, inMessage)
	if err != nil || len(list) == 0 {
		p.Sent = length // a damaged part is passed over
		return p, errors.Join(err, h.keep(p))
	}
	body, err := json.Marshal(Message{ID: list[0].ID, Crawl: h.Crawl, Changes: list})
	if err != nil {
		return p, err
	}
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return p, err
	}
	at := strconv.FormatInt(time.Now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(HeaderID, list[0].ID)
	request.Header.Set(HeaderTime, at)
	if len(h.Secret) > 0 {
		request.Header.Set(HeaderSignature, Sign(h.Secret, at, body))
	}
	response, err := h.Do(request)
	if err != nil {
		return p, err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) // so that the connection can be used again
	if err := response.Body.Close(); err != nil {
		return p, err
	}
	if response.StatusCode/100 != 2 {
		return p, fmt.Errorf("the webhook answered %d", response.StatusCode)
	}
	p.Sent = to
	return p, h.keep(p)
}

// Sign returns the signature of a message.
func Sign(secret []byte, at string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
