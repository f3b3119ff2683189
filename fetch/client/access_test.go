package client_test

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/fetch/access"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/fetch/guard"
	"orbweaver/internal/step"
)

const accessServer = `
	location = /auth { internal; if ($cookie_sid = "cookie-of-the-session") { return 204; } return 401; }
	location /members/ { auth_request /auth; }
	location = /enter { add_header Set-Cookie "sid=cookie-of-the-session; Path=/; HttpOnly" always; return 303 /members/page.txt; }
	location /basic/ { auth_basic "staff"; auth_basic_user_file %[1]s/users; }
	location = /bearer { if ($http_authorization != "Bearer token-of-the-api") { return 401; } return 200 "api"; }
	location = /echo { return 200 "you sent $http_x_key"; }
	location = /shown { return 200 "language $http_accept_language"; }
	ssl_client_certificate %[1]s/ca.pem; ssl_verify_client optional;
	location /certified/ { if ($ssl_client_verify != "SUCCESS") { return 403; } }
`

// membersOnly is an nginx whose pages want cookies, credentials and certificates.
func membersOnly(t *testing.T, ca *ca) *fetchtest.Nginx {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"members", "basic", "certified"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		save(t, filepath.Join(root, folder, "page.txt"), "inside "+folder)
	}
	save(t, filepath.Join(root, "users"), "anna:{PLAIN}password-of-anna\n")
	save(t, filepath.Join(root, "ca.pem"), ca.root())
	cert, key := ca.pems("127.0.0.1")
	return fetchtest.StartNginx(t, fetchtest.NginxConfig{Root: root, Cert: cert, Key: key, Server: fmt.Sprintf(accessServer, root)})
}

func save(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// person returns a certificate for clients.
func (ca *ca) person(name string) *tls.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: name}, NotBefore: time.Unix(0, 0), NotAfter: time.Now().AddDate(50, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, &ca.key.PublicKey, ca.key)
	if err != nil {
		ca.t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: ca.key}
}

// entering returns a client with an access of sections.
func entering(t *testing.T, sections ...access.Section) *client.Client {
	t.Helper()
	jar, err := access.OpenJar("", "", "")
	if err != nil {
		t.Fatal(err)
	}
	a, err := access.New(sections, jar)
	if err != nil {
		t.Fatal(err)
	}
	c := client.New(client.Options{UserAgent: "orbweaver", Access: a, Guard: guard.New(false, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})})
	t.Cleanup(func() { c.Close() })
	return c
}

// asks makes one request.
func asks(t *testing.T, c *client.Client, to string) (*step.Response, string, error) {
	t.Helper()
	resp, err := c.Fetch(t.Context(), orbweaver.Request{URL: to})
	if err != nil {
		return nil, "", err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	return resp, string(body), err
}

// TestAccessToNginx: cookies behind auth_request, basic and bearer credentials, certificates of clients and an authority of one's own;
// no response has a secret.
func TestAccessToNginx(t *testing.T) {
	ca, other := newCA(t), newCA(t)
	n := membersOnly(t, ca)
	key := access.Field{Name: "X-Key", Value: "key-of-the-api", Secret: true}
	basic := access.Section{Hosts: []string{n.Secure + "/basic/*"}, Authorization: "Basic YW5uYTpwYXNzd29yZC1vZi1hbm5h", Hidden: []string{"password-of-anna", "YW5uYTpwYXNzd29yZC1vZi1hbm5h"}}
	bearer := access.Section{Hosts: []string{n.Secure + "/bearer"}, Authorization: "Bearer token-of-the-api", Hidden: []string{"token-of-the-api"}}
	language := access.Section{Hosts: []string{n.Secure + "/shown"}, Headers: []access.Field{{Name: "Accept-Language", Value: "gl"}}}
	known := access.Section{Hosts: []string{"127.0.0.1"}, Authorities: ca.pool}
	c := entering(t, basic, bearer, language,
		access.Section{Hosts: []string{n.Secure + "/certified/*"}, Certificate: ca.person("anna")},
		access.Section{Hosts: []string{n.Secure + "/members/*", n.Secure + "/enter"}, Cookies: true},
		access.Section{Hosts: []string{n.Secure + "/echo"}, Headers: []access.Field{key}, Hidden: []string{key.Value}}, known)
	bare := entering(t, known)
	stranger := entering(t, access.Section{Hosts: []string{n.Secure}, Certificate: other.person("mallory")}, known)
	for _, tc := range []struct {
		name   string
		c      *client.Client
		path   string
		status int
		body   string
	}{
		{"no cookie yet", c, "/members/page.txt", 401, ""},
		{"the cookie is set", c, "/enter", 303, ""},
		{"the cookie is sent", c, "/members/page.txt", 200, "inside members"},
		{"by nobody else", bare, "/members/page.txt", 401, ""},
		{"basic", c, "/basic/page.txt", 200, "inside basic"},
		{"basic, without", bare, "/basic/page.txt", 401, ""},
		{"bearer", c, "/bearer", 200, "api"},
		{"bearer, without", bare, "/bearer", 401, ""},
		{"a header", c, "/shown", 200, "language gl"},
		{"certificate", c, "/certified/page.txt", 200, "inside certified"},
		{"on a connection of its own", c, "/bearer", 200, "api"},
		{"certificate, without", bare, "/certified/page.txt", 403, ""},
		{"another's certificate", stranger, "/certified/page.txt", 400, ""},
	} {
		resp, body, err := asks(t, tc.c, n.Secure+tc.path)
		if err != nil || resp.Status != tc.status || tc.body != "" && !strings.Contains(body, tc.body) {
			t.Errorf("%s: %v, %q, %v", tc.name, resp, body, err)
			continue
		}
		for _, secret := range []string{"cookie-of-the-session", "YW5uYTpw", "password-of-anna", "token-of-the-api"} {
			if text := fmt.Sprint(resp.Asked, resp.Header, body); strings.Contains(text, secret) {
				t.Errorf("%s: shows %s: %s", tc.name, secret, text)
			}
		}
	}
	if resp, _, _ := asks(t, c, n.Secure+"/shown"); resp.Asked.Get("Accept-Language") != "gl" {
		t.Errorf("a header that is no secret is not told: %v", resp.Asked)
	}
	if _, _, err := asks(t, c, n.Secure+"/echo"); orbweaver.FailureOf(err) != orbweaver.ErrMalformed || strings.Contains(err.Error(), key.Value) {
		t.Errorf("an answer that repeats a secret: %v", err)
	}
	if _, _, err := asks(t, entering(t), n.Secure+"/"); orbweaver.FailureOf(err) != orbweaver.ErrTLS {
		t.Errorf("without its authority: %v", err)
	}
}

// running runs a program until the test ends, once it listens on a port.
func running(t *testing.T, port string, name string, args ...string) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	cmd := exec.Command(path, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", "127.0.0.1:"+port)
		if err == nil {
			c.Close()
			return
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("%s does not listen: %v", name, err)
		}
	}
}

// freePort is a port on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// TestProxies: hosts of a section are reached through a real proxy, with its password, plainly and over TLS; others are not, and the
// guard holds.
func TestProxies(t *testing.T) {
	for _, program := range []string{"microsocks", "tinyproxy"} {
		t.Run(program, func(t *testing.T) {
			ca, port := newCA(t), freePort(t)
			n := membersOnly(t, ca)
			scheme := "http"
			if program == "microsocks" {
				scheme = "socks5"
				running(t, port, program, "-i", "127.0.0.1", "-p", port, "-u", "anna", "-P", "password-of-the-proxy")
			} else {
				file := filepath.Join(t.TempDir(), "conf")
				save(t, file, "Port "+port+"\nListen 127.0.0.1\nTimeout 20\nMaxClients 10\nAllow 127.0.0.1\nBasicAuth anna password-of-the-proxy\n")
				running(t, port, program, "-d", "-c", file)
			}
			through := func(password string) *client.Client {
				via := &url.URL{Scheme: scheme, Host: "127.0.0.1:" + port, User: url.UserPassword("anna", password)}
				return entering(t, access.Section{Hosts: []string{"127.0.0.1", "localhost", "10.0.0.1"}, Proxy: via, Authorities: ca.pool, Hidden: []string{password}})
			}
			c := through("password-of-the-proxy")
			for _, to := range []string{n.Plain + "/shown", n.Secure + "/shown", n.Plain + "/shown"} {
				if resp, body, err := asks(t, c, to); err != nil || resp.Status != 200 || !strings.HasPrefix(body, "language") {
					t.Errorf("%s: %v, %q, %v", to, resp, body, err)
				}
			}
			if _, _, err := asks(t, c, "http://10.0.0.1/"); orbweaver.FailureOf(err) != orbweaver.ErrPrivate {
				t.Errorf("a private address: %v", err)
			}
			resp, _, err := asks(t, through("another-password"), n.Secure+"/shown")
			if err == nil || strings.Contains(err.Error(), "another-password") {
				t.Errorf("a wrong password: %v, %v", resp, err)
			}
		})
	}
}
