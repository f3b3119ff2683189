package notation

import (
	"slices"
	"strings"
)

// OwnHeaders are headers that follow from a request or a connection.
func OwnHeaders() []string {
	return []string{
		"host", "accept", "accept-encoding", "connection", "content-length", "content-type", "expect", "if-match", "if-modified-since",
		"if-none-match", "if-range", "if-unmodified-since", "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade",
	}
}

// Secretive reports whether what has this name is likely to be a secret.
func Secretive(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"passw", "passphrase", "pwd", "secret", "token", "api-key", "apikey", "api_key", "auth", "session"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// A Secret names where a secret is; a crawl file does not hold one. The zero value names nothing.
type Secret struct {
	Env  string // variable of the environment
	File string // absolute path of a file, whose content without the line's end counts
}
