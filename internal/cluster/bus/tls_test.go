package bus

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An authority signs certificates in a folder.
type authority struct {
	folder string
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
}

// found makes an authority.
func found(t *testing.T) *authority {
	t.Helper()
	a := &authority{folder: t.TempDir()}
	a.cert, a.key = a.issue(t, "ca", &x509.Certificate{IsCA: true, KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true})
	return a
}

// issue writes a certificate and its key.
func (a *authority) issue(t *testing.T, name string, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		name + ".pem": {Type: "CERTIFICATE", Bytes: der}, name + ".key": {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(filepath.Join(a.folder, file), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return parsed, key
}

// files issues a certificate for loopback.
func (a *authority) files(t *testing.T, name string) TLS {
	t.Helper()
	a.issue(t, name, &x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	at := func(file string) string { return filepath.Join(a.folder, file) }
	return TLS{Certificate: at(name + ".pem"), Key: at(name + ".key"), CA: at("ca.pem")}
}

// TestCredentials: who has not what the server wants, or does not trust it, is told so at once.
func TestCredentials(t *testing.T) {
	t.Parallel()
	ours, theirs := found(t), found(t)
	good, bad := ours.files(t, "one"), theirs.files(t, "one")
	password := start(t, func(o *ServerOptions) { o.Listen, o.User, o.Password = "127.0.0.1:0", "crawler", "secret" })
	token := start(t, func(o *ServerOptions) { o.Listen, o.Token = "127.0.0.1:0", "token" })
	secured := start(t, func(o *ServerOptions) { o.Listen, o.Token, o.TLS = "127.0.0.1:0", "token", good })
	for _, tc := range []struct {
		name   string
		server *Server
		o      Options
		want   error
	}{
		{"password", password, Options{User: "crawler", Password: "secret"}, nil},
		{"another password", password, Options{User: "crawler", Password: "x"}, ErrCredentials},
		{"another user", password, Options{User: "x", Password: "secret"}, ErrCredentials},
		{"nobody", password, Options{}, ErrCredentials},
		{"token", token, Options{Token: "token"}, nil},
		{"another token", token, Options{Token: "x"}, ErrCredentials},
		{"certificate", secured, Options{Token: "token", TLS: good}, nil},
		{"certificate, another token", secured, Options{Token: "x", TLS: good}, ErrCredentials},
		{"no TLS", secured, Options{Token: "token"}, ErrCredentials},
		{"no certificate", secured, Options{Token: "token", TLS: TLS{CA: good.CA}}, ErrCredentials},
		{"certificate of another", secured, Options{Token: "token", TLS: TLS{CA: good.CA, Certificate: bad.Certificate, Key: bad.Key}}, ErrCredentials},
		{"server not trusted", secured, Options{Token: "token", TLS: bad}, ErrCredentials},
		{"TLS not to be had", token, Options{Token: "token", TLS: good}, ErrCredentials},
	} {
		tc.o.Crawl, tc.o.Worker, tc.o.Partitions, tc.o.URLs = "c", "w", 256, []string{tc.server.URL()}
		b, err := Dial(soon(t), tc.o)
		if !errors.Is(err, tc.want) || tc.want == nil && err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if err == nil {
			b.Close()
		}
	}
	for _, s := range []*Server{password, token, secured} { // in the process nothing is asked for
		dial(t, "within", func(o *Options) { o.Server = s })
	}
	if _, err := Dial(soon(t), Options{Crawl: "c", Worker: "w", Partitions: 4, URLs: []string{"nats://127.0.0.1:1"}, TLS: TLS{CA: "absent.pem"}}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
