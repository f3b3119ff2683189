package hostile

import (
	"strings"
	"time"
)

// heads are hosts with bad response heads.
func heads() []Host {
	// alone answers with bytes and closes the connection.
	alone := func(answer string) func(*visit) {
		return func(v *visit) {
			v.say(answer)
			v.hangUp()
		}
	}
	return []Host{
		{Name: "head-drip", Does: "a head of a byte a second, for ever", answer: func(v *visit) {
			v.say("HTTP/1.1 200 OK\r\nX-Long: ")
			v.forever("a", time.Second)
		}},
		{Name: "head-endless", Does: "a head of lines without end", answer: func(v *visit) {
			v.say("HTTP/1.1 200 OK\r\n")
			v.forever("X-Line: "+strings.Repeat("a", 90)+"\r\n", 0)
		}},
		{Name: "head-line-endless", Does: "one line of a head, without end", answer: func(v *visit) {
			v.say("HTTP/1.1 200 OK\r\nX-Line: ")
			v.forever(strings.Repeat("a", 4096), 0)
		}},
		{Name: "status-endless", Does: "a status line without end", answer: func(v *visit) {
			v.say("HTTP/1.1 200 ")
			v.forever(strings.Repeat("O", 4096), 0)
		}},
		{Name: "head-large", Does: "a header of 1 MB", answer: func(v *visit) {
			v.head("200 OK", "X-Large: "+strings.Repeat("a", 1<<20), "Content-Length: 0")
		}},
		{Name: "head-lines", Does: "100 000 lines of header", answer: func(v *visit) {
			v.head("200 OK", strings.Repeat("A: b\r\n", 100_000)+"Content-Length: 0")
		}},
		{Name: "cookies", Does: "a thousand cookies", answer: func(v *visit) {
			v.reply("200 OK", "text/html", "<p>A page.", strings.Repeat("Set-Cookie: a="+strings.Repeat("b", 100)+"\r\n", 1000)+"A: b")
		}},
		{Name: "head-links", Does: "ten thousand links in a header", answer: func(v *visit) {
			v.reply("200 OK", "text/html", "<p>A page of links in its head.", "Link: "+strings.Repeat("</a>; rel=x; title=\"t\", ", 10_000))
		}},
		{Name: "interims", Does: "100 000 interim answers before the one that counts", answer: func(v *visit) {
			v.times(100_000, "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n")
			v.html("<p>A page.")
		}},
		{Name: "interims-slow", Does: "an interim answer now and then, for ever", answer: func(v *visit) {
			v.forever("HTTP/1.1 102 Processing\r\n\r\n", time.Second/3)
		}},
		{Name: "switch", Does: "switches protocols unasked", answer: alone("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")},
		{Name: "http-09", Does: "an answer without a head", answer: alone("<html><p>A page of 1991.")},
		{Name: "http-99", Does: "a version that is none", answer: alone("HTTP/9.9 200 OK\r\n\r\n<p>A page.")},
		{Name: "binary-head", Does: "bytes that are no HTTP", answer: alone("\x00\x01\x02\xff\xfe\r\n\r\n" + strings.Repeat("\x00", 4096))},
		{Name: "status-none", Does: "a status that is no number", answer: alone("HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n")},
		{Name: "status-long", Does: "a status of nine digits", answer: alone("HTTP/1.1 200000000 OK\r\nContent-Length: 0\r\n\r\n")},
		{Name: "status-999", Does: "a status that nobody knows", answer: func(v *visit) { v.reply("999 Request denied", "text/html", "<p>No.") }},
		{Name: "not-modified", Does: "304, though nothing was asked under a condition", answer: func(v *visit) { v.head("304 Not Modified") }},
		{Name: "nul-in-head", Does: "a NUL in a header", answer: alone("HTTP/1.1 200 OK\r\nX-A: a\x00b\r\nContent-Length: 0\r\n\r\n")},
		{Name: "no-colon", Does: "a line of header without a colon", answer: alone("HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n")},
		{Name: "location-split", Does: "a Location with a line feed in it", answer: alone("HTTP/1.1 302 Found\r\nLocation: /a\n/b\r\nContent-Length: 0\r\n\r\n")},
		{Name: "retry-after", Does: "asks to be left alone for three years", answer: func(v *visit) {
			v.reply("503 Service Unavailable", "text/plain", "later", "Retry-After: 99999999")
		}},
		{Name: "retry-after-huge", Does: "asks to be left alone for longer than a number can tell", answer: func(v *visit) {
			v.reply("429 Too Many Requests", "text/plain", "later", "Retry-After: 99999999999999999999999999")
		}},
	}
}
