package client_test

import (
	"bufio"
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
)

// A tapped connection keeps what its server writes.
type tapped struct {
	net.Conn
	mu    sync.Mutex
	wrote bytes.Buffer
}

func (c *tapped) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.wrote.Write(b)
	c.mu.Unlock()
	return c.Conn.Write(b)
}

// serverRandom is the random number of the ServerHello, which is the first message: record header (5), message header (4), version (2).
func (c *tapped) serverRandom() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.wrote.Bytes()[11:43])
}

// keysOf is the key log of a connection, from which the server's own keys follow.
type keysOf struct{ bytes.Buffer }

// randomAndMaster are the random number of the client and the master secret.
func (k *keysOf) randomAndMaster(t *testing.T) (random, master []byte) {
	t.Helper()
	fields := strings.Fields(k.String())
	if len(fields) != 3 || fields[0] != "CLIENT_RANDOM" {
		t.Fatalf("the key log has %q", fields)
	}
	random, err1 := hex.DecodeString(fields[1])
	master, err2 := hex.DecodeString(fields[2])
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	return random, master
}

// prf is P_SHA256 of RFC 5246, section 5.
func prf(secret []byte, label string, seed []byte, n int) (out []byte) {
	sum := func(b ...[]byte) []byte {
		h := hmac.New(sha256.New, secret)
		for _, part := range b {
			h.Write(part)
		}
		return h.Sum(nil)
	}
	seed = append([]byte(label), seed...)
	for a := sum(seed); len(out) < n; a = sum(a) {
		out = append(out, sum(a, seed)...)
	}
	return out[:n]
}

// helloRequest is the encrypted record by which a server of TLS 1.2 asks for another handshake (RFC 5246, 7.4.1.1), as the second
// record it encrypts with AES-128-GCM (RFC 5288).
func helloRequest(t *testing.T, master, clientRandom, serverRandom []byte) []byte {
	t.Helper()
	keys := prf(master, "key expansion", append(bytes.Clone(serverRandom), clientRandom...), 2*16+2*4)
	block, err := aes.NewCipher(keys[16:32])
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	message := []byte{0, 0, 0, 0} // HelloRequest, without a body
	sequence := binary.BigEndian.AppendUint64(nil, 1)
	additional := append(bytes.Clone(sequence), 22, 3, 3, 0, byte(len(message)))
	sealed := aead.Seal(nil, append(bytes.Clone(keys[36:40]), sequence...), message, additional)
	n := len(sequence) + len(sealed)
	return append(append([]byte{22, 3, 3, byte(n >> 8), byte(n)}, sequence...), sealed...)
}

// TestRenegotiation: a server that asks for another handshake instead of answering gets none; its page fails as cut short, with the reason, and the next
// server is asked as if nothing had been.
func TestRenegotiation(t *testing.T) {
	authority := newCA(t)
	certificates := []tls.Certificate{authority.issue("a.test"), authority.issue("b.test")}
	asked := make(chan error, 4)
	n := newNet(func(addr string, c net.Conn) {
		keys, tap := &keysOf{}, &tapped{Conn: c}
		s := tls.Server(tap, &tls.Config{
			Certificates: certificates, MaxVersion: tls.VersionTLS12, KeyLogWriter: keys,
			CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		})
		if _, err := http.ReadRequest(bufio.NewReader(s)); err != nil {
			return
		}
		if addr == public+":443" {
			random, master := keys.randomAndMaster(t)
			if _, err := c.Write(helloRequest(t, master, random, tap.serverRandom())); err != nil {
				asked <- err
				return
			}
			_, err := s.Read(make([]byte, 1)) // the client's alert is a warning; then comes the end
			asked <- err
			return
		}
		_, _ = io.WriteString(s, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	})
	n.names["b.test"] = []string{"8.8.8.8"}
	c := n.client(client.Options{Roots: authority.pool})
	_, _, err := get(c, "https://a.test/")
	wantFailure(t, err, orbweaver.ErrCut)
	if !strings.Contains(err.Error(), "no renegotiation") {
		t.Errorf("the reason is %v", err)
	}
	if err := <-asked; !errors.Is(err, io.EOF) {
		t.Errorf("the server reads %v", err)
	}
	if _, body, err := get(c, "https://b.test/"); err != nil || body != "ok" {
		t.Errorf("the next server: %q, %v", body, err)
	}
}
