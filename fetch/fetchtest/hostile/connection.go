package hostile

import (
	"net"
	"time"
)

// connections are hosts that fail before a request, or never respond.
func connections() []Host {
	return []Host{
		{Name: "mute", Does: "accepts and never answers", meet: (*visit).wait},
		{Name: "gone", Does: "closes every connection at once", meet: (*visit).hangUp},
		{Name: "deaf", Does: "never reads, and drips blank lines", meet: func(v *visit) { v.forever("\r\n", time.Second/3) }},
		{Name: "hasty", Does: "answers before it is asked", meet: func(v *visit) {
			v.say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
			v.wait()
		}},
		{Name: "tls-hang", Does: "hangs in the handshake", Secure: true, meet: (*visit).wait},
		{Name: "tls-gone", Does: "closes in the handshake", Secure: true, meet: (*visit).hangUp},
		{Name: "tls-junk", Does: "speaks no TLS where it should", Secure: true, meet: func(v *visit) {
			v.say("HTTP/1.1 400 Bad Request\r\n\r\n")
		}},
		{Name: "tls-drip", Does: "drips a handshake without end", Secure: true, meet: func(v *visit) {
			v.say("\x16\x03\x03\x40\x00\x02\x00\x3f\xfc\x03\x03")
			v.forever("a", time.Second/3)
		}},
		{Name: "cut", Does: "ends in the midst of a body", answer: func(v *visit) {
			v.head("200 OK", "Content-Type: text/html", "Content-Length: 1000")
			v.say("<p>half of")
			v.hangUp()
		}},
		{Name: "reset", Does: "resets the connection in the midst of a body", answer: func(v *visit) {
			v.head("200 OK", "Content-Type: text/html", "Content-Length: 1000")
			v.say("<p>half of")
			if tcp, ok := v.conn.(*net.TCPConn); ok {
				tcp.SetLinger(0)
			}
			v.hangUp()
		}},
		{Name: "once-only", Does: "answers robots.txt, and then nothing on the same connection", answer: func(v *visit) {
			v.hangUp()
		}},
		{Name: "junk-after", Does: "says more than it was asked, on a connection that stays open", answer: func(v *visit) {
			v.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\r\n<a href=/a>a</a><p>a page." +
				"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 18\r\n\r\n<a href=/forged>b")
		}},
	}
}
