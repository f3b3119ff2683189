package storage

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"
)

// emptySum is the SHA-256 of no bytes.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// sign adds the headers of Signature Version 4 for S3 to a request whose body has the SHA-256 sum, in hex. All headers
// that the request has are signed. Its path and query must be escaped by escapePath and by sorted.
func sign(r *http.Request, k credentials, region, sum string, at time.Time) {
	stamp := at.UTC().Format("20060102T150405Z")
	r.Header.Set("X-Amz-Date", stamp)
	r.Header.Set("X-Amz-Content-Sha256", sum)
	if k.token != "" {
		r.Header.Set("X-Amz-Security-Token", k.token)
	}
	names := []string{"host"}
	for name := range r.Header { // sorted below
		names = append(names, strings.ToLower(name))
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString(r.Method + "\n" + r.URL.EscapedPath() + "\n" + r.URL.RawQuery + "\n")
	for _, name := range names {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.URL.Host
		}
		b.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	signed := strings.Join(names, ";")
	b.WriteString("\n" + signed + "\n" + sum)
	canonical := sha256.Sum256([]byte(b.String()))

	scope := stamp[:8] + "/" + region + "/s3/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + stamp + "\n" + scope + "\n" + hex.EncodeToString(canonical[:])
	key := []byte("AWS4" + k.secret)
	for part := range strings.SplitSeq(scope, "/") {
		key = mac(key, part)
	}
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+k.id+"/"+scope+
		", SignedHeaders="+signed+", Signature="+hex.EncodeToString(mac(key, text)))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// escapePath escapes a path as signatures have it: all but letters, digits, "-._~" and the slash.
func escapePath(path string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	return b.String()
}

// sorted returns a query in the order and with the escapes of signatures.
func sorted(parameters ...string) string {
	escape := func(s string) string { return strings.ReplaceAll(escapePath(s), "/", "%2F") }
	var pairs []string
	for i := 0; i+1 < len(parameters); i += 2 {
		pairs = append(pairs, escape(parameters[i])+"="+escape(parameters[i+1]))
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}
