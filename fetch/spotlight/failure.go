package spotlight

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"orbweaver"
)

// A Class is why a call has no answer: one word. Each wraps the orbweaver.Failure that it is, if there
// is one.
type Class string

// The classes.
const (
	ErrRefused     Class = "text-refused"  // 4xx: the server cannot do with the text or the parameters; 400 is also how it says that it failed
	ErrForbidden   Class = "forbidden"     // not for us, or for those who log in
	ErrNoService   Class = "no-service"    // no such interface there
	ErrMoved       Class = "moved"         // a redirect; calls follow none
	ErrUnavailable Class = "unavailable"   // overloaded, or its proxy does not reach it
	ErrInternal    Class = "server-error"  // it failed and does not say why
	ErrTimedOut    Class = "timed-out"     // no answer in time: by the server, on the way, or by our own clock
	ErrFormat      Class = "no-format"     // something else than an answer: a page, JSON of something else
	ErrBroken      Class = "broken-answer" // a truncated or unreadable answer
	ErrAboveLimit  Class = "above-limit"   // an answer of too many bytes or entries
	ErrUnreached   Class = "unreached"     // nothing answered: the failure says why
	ErrResting     Class = "left-alone"    // it failed too often to be called now
	ErrNotKept     Class = "not-kept"      // no kept answer, and offline
)

// Error returns the word itself.
func (c Class) Error() string { return string(c) }

// Unwrap returns the failure that the class is, or nil.
func (c Class) Unwrap() error {
	switch c {
	case ErrRefused, ErrForbidden, ErrNoService, ErrUnavailable, ErrInternal:
		return orbweaver.ErrStatus
	case ErrMoved:
		return orbweaver.ErrRedirects
	case ErrTimedOut:
		return orbweaver.ErrTimeout
	case ErrFormat:
		return orbweaver.ErrUnreadable
	case ErrAboveLimit:
		return orbweaver.ErrTooLarge
	case ErrResting:
		return orbweaver.ErrGaveUp
	case ErrNotKept:
		return orbweaver.ErrAbsent
	}
	return nil
}

// An Error is a call without an answer. It wraps its class, and the failure of the class or of the
// network.
type Error struct {
	Base    string // the server's
	Class   Class
	Status  int    // HTTP status of a refusal; 0: none came
	Message string // what the server says, as plain text of a few hundred bytes; or what is wrong with its answer

	cause error         // may be nil
	after time.Duration // how long the server wants to be left alone; 0: it does not say
}

// Error names the server, the class and what was said.
func (e *Error) Error() string {
	text := "spotlight " + e.Base + ": " + string(e.Class)
	if e.Status != 0 {
		text += fmt.Sprintf(": %d", e.Status)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns the class and the cause.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Class}
	}
	return []error{e.Class, e.cause}
}

func (c *Client) failed(class Class, status int, message string, cause error) *Error {
	return &Error{Base: c.opt.Base, Class: class, Status: status, Message: message, cause: cause}
}

// unreached returns what it means that a request, or reading its answer, failed with err.
func (c *Client) unreached(err error) error {
	class := ErrUnreached
	switch orbweaver.FailureOf(err) {
	case orbweaver.ErrTimeout:
		class = ErrTimedOut
	case orbweaver.ErrCut, orbweaver.ErrMalformed:
		class = ErrBroken
	case orbweaver.ErrTooLarge:
		class = ErrAboveLimit
	}
	return c.failed(class, 0, plain([]byte(err.Error())), err)
}

// An unread is what is wrong with an answer.
type unread struct {
	class   Class
	message string
	cause   error
}

func (u *unread) Error() string { return u.message }

// reading returns what it means that an answer could not be read, with an error of read.
func (c *Client) reading(err error) error {
	var u *unread
	if errors.As(err, &u) {
		return c.failed(u.class, 0, u.message, u.cause)
	}
	return err
}

const (
	maxHead    = 16 << 10 // bytes of a refusal that are examined
	maxMessage = 300      // bytes of what a server says that are kept
)

// plain returns what bytes say as one line of printable text, without markup, cut to maxMessage.
func plain(b []byte) string {
	b = b[:min(len(b), maxHead)]
	s := string(b)
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("<")) {
		s = withoutMarkup(b)
	}
	s = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxMessage {
		return s
	}
	end := maxMessage
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// withoutMarkup returns the text of a page.
func withoutMarkup(page []byte) string {
	var s strings.Builder
	hidden := false
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return s.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			hidden = string(name) == "style" || string(name) == "script"
			s.WriteByte(' ')
		case html.EndTagToken:
			hidden = false
			s.WriteByte(' ')
		case html.TextToken:
			if !hidden {
				s.Write(z.Text())
			}
		}
	}
}
