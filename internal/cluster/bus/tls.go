package bus

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// TLS names files in PEM. The zero TLS is none.
//
// For a server, certificate and key are needed; with CA, clients and other servers need a certificate that it signed. For a client, CA
// says whom to trust, the system's roots unless said; certificate and key are for servers that want them.
type TLS struct {
	Certificate, Key, CA string
}

// used reports whether there is anything of TLS.
func (t TLS) used() bool { return t != TLS{} }

// config reads the files.
func (t TLS) config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if t.Certificate != "" || t.Key != "" {
		pair, err := tls.LoadX509KeyPair(t.Certificate, t.Key)
		if err != nil {
			return nil, fmt.Errorf("certificate %s, key %s: %w", t.Certificate, t.Key, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if t.CA == "" {
		return config, nil
	}
	pem, err := os.ReadFile(t.CA)
	if err != nil {
		return nil, fmt.Errorf("CA: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("CA %s: no certificate in PEM", t.CA)
	}
	config.RootCAs, config.ClientCAs = pool, pool
	return config, nil
}

// serverConfig is the configuration of a server, which is a client too among servers.
func (t TLS) serverConfig() (*tls.Config, error) {
	if t.Certificate == "" || t.Key == "" {
		return nil, fmt.Errorf("a server needs a certificate and a key")
	}
	config, err := t.config()
	if err == nil && t.CA != "" {
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return config, err
}
