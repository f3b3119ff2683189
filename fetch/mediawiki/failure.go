package mediawiki

import (
	"strings"
	"unicode"

	"orbweaver"
)

// An Error is an error of the API. It wraps ErrStatus.
type Error struct {
	API  string // its address
	Code string // the API's code: "invalidcategory", "ratelimited"
	Info string // the API's message
}

// Error names the API, the code and the message.
func (e *Error) Error() string { return "mediawiki " + e.API + ": " + e.Code + ": " + e.Info }

// Unwrap returns ErrStatus: the API responded with an error.
func (e *Error) Unwrap() error { return orbweaver.ErrStatus }

// passing reports whether a later retry may succeed.
func (e *Error) passing() bool {
	return e.Code == "maxlag" || e.Code == "ratelimited" || strings.HasPrefix(e.Code, "internal_api_error")
}

const maxSaying = 200 // bytes of a server's message that are quoted

// saying is a server's message as a line of text.
func saying(body []byte) string {
	text := strings.ToValidUTF8(string(body[:min(len(body), maxSaying)]), "")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
