package client

//lint:file-ignore SA1019 http.ClientConn dials by itself; http2.ClientConn takes the connection that passed the guard

import (
	"crypto/tls"
	"net/http"
	"time"

	"golang.org/x/net/http2"

	"orbweaver"
)

type (
	http2Transport = http2.Transport
	http2Conn      = http2.ClientConn
)

// newHTTP2 returns an HTTP/2 transport that never dials by itself.
func newHTTP2(stall time.Duration) *http2Transport {
	t := &http.Transport{
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHead,
		HTTP2: &http.HTTP2Config{
			MaxReceiveBufferPerStream: streamWindow,
			WriteByteTimeout:          stall,
		},
	}
	h2, err := http2.ConfigureTransports(t)
	if err != nil { // of a Transport configured twice alone
		return &http2Transport{DisableCompression: true, MaxHeaderListSize: maxHead, WriteByteTimeout: stall}
	}
	return h2
}

// upgrade starts HTTP/2 on a connection. From then on its own goroutine reads it, and deadlines are those of
// its streams.
func (c *Client) upgrade(x *exchange, k *conn, t *tls.Conn) error {
	err := k.until(x.phase())
	if err == nil {
		k.frames = newFramed(t, func() { c.floods.Add(1) })
		k.h2, err = c.h2.NewClientConn(k.frames)
	}
	if err != nil {
		return x.blame("HTTP/2", orbweaver.ErrCut, err)
	}
	k.Conn.SetDeadline(time.Time{})
	return nil
}
