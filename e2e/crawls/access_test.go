//go:build e2e

package crawls_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services"
)

// TestOpenAccess: each secret that cannot be read is a problem of its key; no problem repeats a secret.
func TestOpenAccess(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "\n", "lines": "SECRET-1\nSECRET-2", "short.key": "SECRET", "me.pem": "SECRET"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	t.Setenv("ACCESS_TEST_TOKEN", "SECRET")
	f := &crawlfile.Crawl{HTTP: []crawlfile.HTTP{
		{Hosts: []string{"a.test"}, Auth: &crawlfile.Auth{Bearer: &crawlfile.Secret{Env: "ACCESS_TEST_NONE"}}},
		{Hosts: []string{"a.test"}, Auth: &crawlfile.Auth{Basic: &crawlfile.Basic{User: "u", Password: crawlfile.Secret{File: at("empty")}}}},
		{Hosts: []string{"a.test"}, Headers: crawlfile.Values{{Name: "X-Key", Phrase: crawlfile.Phrase{Secret: crawlfile.Secret{File: at("lines")}}}}},
		{Hosts: []string{"a.test"}, Certificate: &crawlfile.Certificate{File: at("me.pem")}, Authorities: []string{at("me.pem")}},
		{Hosts: []string{"a.test"}, Login: &crawlfile.Login{Check: "https://a.test/", When: crawlfile.When{Selector: "a["}}},
		{Hosts: []string{"a.test"}, Proxy: &crawlfile.Proxy{URL: "socks5://p.test", User: "u", Password: crawlfile.Secret{Env: "ACCESS_TEST_NONE"}}},
	}}
	_, err := services.OpenAccess("f.yaml", f, dir)
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatal(err)
	}
	for _, want := range []string{
		"f.yaml: http[1].auth.bearer.env: the environment has no ACCESS_TEST_NONE", "http[2].auth.basic.password.file: " + at("empty") + " is empty",
		"http[3].headers.X-Key: the secret holds a line's end", "http[4].certificate: ", "http[4].authorities: " + at("me.pem") + " holds no certificate",
		"http[5].login.when: no CSS selector", "http[6].proxy.password.env: the environment has no",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "SECRET") {
		t.Errorf("a secret is told: %v", err)
	}
	key := &crawlfile.Crawl{HTTP: []crawlfile.HTTP{{Hosts: []string{"a.test"}, Cookies: &crawlfile.Cookies{Key: at("short.key")}}}}
	if _, err := services.OpenAccess("f.yaml", key, dir); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "32 bytes") {
		t.Errorf("a short key: %v", err)
	}
	good := &crawlfile.Crawl{HTTP: []crawlfile.HTTP{{Hosts: []string{"a.test"}, Auth: &crawlfile.Auth{Bearer: &crawlfile.Secret{Env: "ACCESS_TEST_TOKEN"}}}}}
	a, err := services.OpenAccess("f.yaml", good, dir)
	if err != nil {
		t.Fatal(err)
	}
	if e := a.For("https://a.test/"); len(e.Fields) != 1 || e.Fields[0].Value != "Bearer SECRET" {
		t.Errorf("%+v", e)
	}
	good.Web = &crawlfile.Web{}
	if a, err := services.OpenAccess("f.yaml", good, dir); a != nil || err != nil {
		t.Errorf("an archive is asked with secrets: %v, %v", a, err)
	}
}
