package replay

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// The validity of certificates: clock skew before now, a long session after.
const (
	validBefore = 24 * time.Hour
	validAfter  = 30 * 24 * time.Hour
)

// An authority issues certificates for any host. Its keys never leave memory.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	host *ecdsa.PrivateKey // of all hosts
	now  time.Time
}

func newAuthority(now time.Time) (*authority, error) {
	a := &authority{now: now}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, fmt.Errorf("key of the certificate authority: %w", err)
	}
	if a.host, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, fmt.Errorf("key of the certificates: %w", err)
	}
	template := a.template("Orbweaver replay, throw-away authority")
	template.IsCA, template.BasicConstraintsValid, template.MaxPathLenZero = true, true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err == nil {
		a.cert, err = x509.ParseCertificate(der)
	}
	if err != nil {
		return nil, fmt.Errorf("certificate authority: %w", err)
	}
	return a, nil
}

// template is the common part of all certificates. Serial numbers are random, since clients remember them
// across authorities.
func (a *authority) template(name string) *x509.Certificate {
	var serial [16]byte
	rand.Read(serial[:]) // never fails
	serial[0] &= 0x7f    // RFC 5280, section 4.1.2.2: positive
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(serial[:]),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    a.now.Add(-validBefore),
		NotAfter:     a.now.Add(validAfter),
	}
}

func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// config is the TLS configuration for the host that the client names, or requested a tunnel to. It offers
// HTTP/1.1 alone.
func (a *authority) config(asked string) *tls.Config {
	return &tls.Config{
		NextProtos: []string{"http/1.1"},
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if hello.ServerName != "" {
				return a.issue(hello.ServerName)
			}
			return a.issue(asked)
		},
	}
}

// issue issues a certificate for a host name or address. It takes a tenth of a millisecond, less than a
// handshake, so certificates are not cached.
func (a *authority) issue(host string) (*tls.Certificate, error) {
	template := a.template("Orbweaver replay")
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.host.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("certificate for %.80q: %w", host, err)
	}
	return &tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: a.host}, nil
}
