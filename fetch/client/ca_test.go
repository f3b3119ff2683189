package client_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"testing"
	"time"
)

// A ca is a certificate authority of a test's own.
type ca struct {
	t    testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newCA(t testing.TB) *ca {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a test's authority"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Now().AddDate(50, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &ca{t, cert, key, pool}
}

// issue returns a certificate for a name or address, signed; that of expired.NAME is one for NAME
// whose time is over.
func (ca *ca) issue(name string) tls.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Unix(0, 0), NotAfter: time.Now().AddDate(50, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(name); ip != nil {
		template.DNSNames, template.IPAddresses = nil, []net.IP{ip}
	}
	if name == "expired.a.test" {
		template.DNSNames, template.NotAfter = []string{"a.test"}, time.Unix(1000, 0)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, &ca.key.PublicKey, ca.key)
	if err != nil {
		ca.t.Error(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: ca.key}
}

// server is how a server of that name speaks TLS.
func (ca *ca) server(name string, protocols ...string) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{ca.issue(name)}, NextProtos: protocols}
}

// pems returns a certificate and its key as files hold them.
func (ca *ca) pems(name string) (cert, key []byte) {
	issued := ca.issue(name)
	der, err := x509.MarshalECPrivateKey(ca.key)
	if err != nil {
		ca.t.Fatal(err)
	}
	cert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: issued.Certificate[0]})
	return cert, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
}

// root returns the authority's own certificate as a file holds it.
func (ca *ca) root() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.cert.Raw}))
}
