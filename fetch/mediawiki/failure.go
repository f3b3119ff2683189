package mediawiki

import (
	"strings"
	"unicode"

	"orbweaver"
)

// An Error is what the API says instead of an answer. It wraps ErrStatus.
type Error struct {
	API  string // its address
	Code string // as the API has it: "invalidcategory", "ratelimited"
	Info string // what it says to people
}

// Error names the API, the code and what was said.
func (e *Error) Error() string { return "mediawiki " + e.API + ": " + e.Code + ": " + e.Info }

// Unwrap returns ErrStatus: something answered, and not what was asked for.
func (e *Error) Unwrap() error { return orbweaver.ErrStatus }

// passing reports whether the same question may be answered later.
func (e *Error) passing() bool {
	return e.Code == "maxlag" || e.Code == "ratelimited" || strings.HasPrefix(e.Code, "internal_api_error")
}

const maxSaying = 200 // bytes of what a server says that are repeated

// saying is what a server says as a line of text.
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
