package hostile

import (
	"strings"
	"time"
)

// bodies are hosts whose responses do not end, or not at the announced length.
func bodies() []Host {
	const chunked = "Transfer-Encoding: chunked"
	// after answers with a head of the given fields, then calls do.
	after := func(do func(v *visit), fields ...string) func(*visit) {
		return func(v *visit) {
			v.head("200 OK", append(fields, "Content-Type: text/html")...)
			do(v)
		}
	}
	// alone answers with a body and closes the connection.
	alone := func(body string) func(*visit) {
		return func(v *visit) {
			v.say(body)
			v.hangUp()
		}
	}
	large := "<p>" + strings.Repeat("a word ", 10_000)
	return []Host{
		{Name: "body-drip", Does: "a byte now and then, for ever", answer: after(func(v *visit) { v.forever("a", time.Second/3) })},
		{Name: "body-stalls", Does: "half a body, and then nothing", answer: after(func(v *visit) {
			v.say("<p>half of")
			v.wait()
		}, "Content-Length: 100")},
		{Name: "body-endless", Does: "a body without length or end", answer: after(func(v *visit) { v.forever(large, 0) })},
		{Name: "chunks-endless", Does: "chunks without end", answer: after(func(v *visit) {
			v.forever("2000\r\n"+strings.Repeat("b", 0x2000)+"\r\n", 0)
		}, chunked)},
		{Name: "chunks-tiny", Does: "chunks of one byte without end", answer: after(func(v *visit) {
			v.forever(strings.Repeat("1\r\na\r\n", 1000), 0)
		}, chunked)},
		{Name: "chunk-huge", Does: "a chunk of eight exabytes", answer: after(func(v *visit) {
			v.say("7fffffffffffffff\r\n")
			v.forever(large, 0)
		}, chunked)},
		{Name: "chunks-broken", Does: "a chunk whose size is none", answer: after(alone("zz\r\nabc\r\n"), chunked)},
		{Name: "chunk-extension", Does: "an extension of a chunk without end", answer: after(func(v *visit) {
			v.say("1;a=")
			v.forever(large, 0)
		}, chunked)},
		{Name: "chunk-extensions", Does: "chunks that are extensions above all", answer: after(func(v *visit) {
			v.forever("1;"+strings.Repeat("e", 1000)+"\r\na\r\n", 0)
		}, chunked)},
		{Name: "trailers", Does: "trailers without end", answer: after(func(v *visit) {
			v.say("1\r\na\r\n0\r\n")
			v.forever("X-Trailer: "+strings.Repeat("t", 90)+"\r\n", 0)
		}, chunked)},
		{Name: "transfer-coding", Does: "a transfer coding that nobody knows", answer: after(alone("abc"), "Transfer-Encoding: bogus")},
		{Name: "length-large", Does: "a length larger than the body", answer: after(alone("<p>A page."), "Content-Length: 1000")},
		{Name: "length-huge", Does: "a length of eight exabytes, and a body without end", answer: after(func(v *visit) { v.forever(large, 0) }, "Content-Length: 9223372036854775807")},
		{Name: "length-small", Does: "a length smaller than the body", answer: after(alone("<p>A page."+large), "Content-Length: 10")},
		{Name: "length-negative", Does: "a negative length", answer: after(alone("<p>A page."), "Content-Length: -1")},
		{Name: "length-none", Does: "a length that is no number", answer: after(alone("<p>A page."), "Content-Length: ten")},
		{Name: "lengths", Does: "two lengths that differ", answer: after(alone("<p>A page."), "Content-Length: 10", "Content-Length: 5")},
		{Name: "length-chunked", Does: "a length, and chunks", answer: after(alone("a\r\n<p>A page.\r\n0\r\n\r\n"), "Content-Length: 5", chunked)},
		{Name: "no-content", Does: "204 with a body", answer: func(v *visit) {
			v.reply("204 No Content", "text/html", "<p>A page.")
			v.hangUp()
		}},
		{Name: "as-to-head", Does: "answers as to HEAD: a length, and no body", answer: after((*visit).wait, "Content-Length: 1000")},
	}
}
