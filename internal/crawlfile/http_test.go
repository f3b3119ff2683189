package crawlfile_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const httpTail = "\nseeds: https://a.test\nfocus: {best_first: {terms: x}}\n"

// TestHTTPIsKept: what crawl.yaml keeps of http names where secrets are, relative to the folder, and reads back as it was.
func TestHTTPIsKept(t *testing.T) {
	dir := folder(t)
	for _, name := range []string{"p.txt", "c.txt", "jar.key", "me.pem", "ca.pem"} {
		write(t, dir, name, "content\n")
	}
	c := mustLoad(t, dir, `http:
- hosts: a.test
  headers: {Accept-Language: "de", X-Key: {env: KEY}}
  auth: {basic: {user: anna, password: {file: p.txt}}}
  cookies: c.txt
- hosts: [https://b.test/in/*, '/^https:\/\/c\.test\//']
  auth: {bearer: {env: TOKEN}}
  cookies: {key: jar.key}
  login: {url: "https://b.test/in/form", post: {user: anna, pass word: {file: p.txt}}, when: {text: Log out}, tries: 2}
  certificate: {file: me.pem}
  authorities: ca.pem
  proxy: socks5://p.test:1080
- hosts: [d.test]
  cookies: {}
  login: {url: "https://D.test/form", steps: [{fill: "#p", with: {env: P}}, {click: b}, {wait: i}], when: a.out}
  proxy: {url: "http://p.test", user: anna, password: {env: PROXY}}
  archive: on
`+httpTail)
	if got := c.HTTP[2].Login.URL; got != "https://d.test/form" {
		t.Errorf("the login is at %s", got)
	}
	text, path := printed(t, c)
	for _, want := range []string{"env: KEY", "file: ../../p.txt", "cookies: {}", "key: ../../jar.key", `text: "Log out"`, "Accept-Language: de"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	again, err := schema().LoadRun(path)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(again.HTTP, c.HTTP) {
		t.Errorf("read back as\n%+v, not\n%+v", again.HTTP, c.HTTP)
	}
	again.HTTP = nil
	if d := c.Differences(again); len(d) > 0 {
		t.Errorf("a crawl cannot go on without %v", d)
	}
}

func TestProblemsOfHTTP(t *testing.T) {
	dir := folder(t)
	write(t, dir, "key1", "k")
	write(t, dir, "key2", "k")
	for _, tc := range []struct{ name, file, want string }{
		{"no hosts", "http: [{cookies: {}}]", "f.yaml:1: http[1].hosts: is missing (list of patterns)"},
		{"a bad pattern", "http: [{hosts: ['*.a.test']}]", `f.yaml:1: http[1].hosts[1]: bad pattern "*.a.test": a host covers its subdomains, write "a.test"`},
		{"an expression that may match anywhere", "http: [{hosts: ['/a.test/']}]", `f.yaml:1: http[1].hosts[1]: bad pattern "/a.test/": it says who gets secrets, and may match anywhere in a URL (begin it with ^http`},
		{"a password", "http: [{hosts: a.test, auth: {basic: {user: anna, password: hunter2-SECRET}}}]", "f.yaml:1: http[1].auth.basic.password: must name a variable of the environment or a file (write {env: NAME} or {file: PATH}: a crawl file holds no secret)"},
		{"a token", "http: [{hosts: a.test, auth: {bearer: SECRET}}]", "f.yaml:1: http[1].auth.bearer: must name a variable"},
		{"a token for a name", "http: [{hosts: a.test, auth: {bearer: {env: 'SECRET token'}}}]", "f.yaml:1: http[1].auth.bearer.env: is no name of a variable"},
		{"a token in a header", "http: [{hosts: a.test, headers: {X-Auth-Token: SECRET}}]", "f.yaml:1: http[1].headers.X-Auth-Token: looks like a secret, and a crawl file holds none (write {env: NAME} or {file: PATH})"},
		{"a password in a form", "http: [{hosts: a.test, login: {url: 'https://a.test/', post: {Password: SECRET}, when: a}}]", "f.yaml:1: http[1].login.post.Password: looks like a secret"},
		{"a password in a step", "http: [{hosts: a.test, login: {url: 'https://a.test/', steps: [{fill: '#password', with: SECRET}], when: a}}]", "f.yaml:1: http[1].login.steps[1].with: looks like a secret"},
		{"a password of a proxy", "http: [{hosts: a.test, proxy: 'socks5://u:SECRET@p.test'}]", "f.yaml:1: http[1].proxy.url: holds a user name or password (write {url: URL, user: NAME, password: {env: NAME}})"},
		{"two credentials", "http: [{hosts: a.test, auth: {basic: {user: u, password: {env: P}}, bearer: {env: T}}}]", "f.yaml:1: http[1].auth: takes exactly one of basic and bearer"},
		{"no credentials", "http: [{hosts: a.test, auth: {}}]", "f.yaml:1: http[1].auth: takes exactly one of basic and bearer"},
		{"a header of ours", "http: [{hosts: a.test, headers: {host: b.test}}]", "f.yaml:1: http[1].headers.host: is not a crawl file's to set"},
		{"a cookie as a header", "http: [{hosts: a.test, headers: {Cookie: {env: C}}}]", "f.yaml:1: http[1].headers.Cookie: is not set here (use auth or cookies)"},
		{"a line's end", "http: [{hosts: a.test, headers: {X: \"a\\nHost: b\"}}]", "f.yaml:1: http[1].headers.X: holds a control character"},
		{"two keys", "http: [{hosts: a.test, cookies: {key: key1}}, {hosts: b.test, cookies: {key: key2}}]", "f.yaml:1: http[2].cookies.key: is another key than that of a section before (a crawl has one jar, and one key)"},
		{"a login elsewhere", "http: [{hosts: a.test, login: {url: 'https://b.test/', post: {u: v}, when: a}}]", "f.yaml:1: http[1].login.url: is at none of the section's hosts (its cookies and fields are sent to these alone)"},
		{"a login without a mark", "http: [{hosts: a.test, login: {url: 'https://a.test/', post: {u: v}}}]", "f.yaml:1: http[1].login.when: is missing"},
		{"a login without a way", "http: [{hosts: a.test, login: {when: a}}]", "f.yaml:1: http[1].login: has neither post nor steps (with cookies that a person provides, name a page to check them by: check: URL)"},
		{"a step that is none", "http: [{hosts: a.test, login: {url: 'https://a.test/', steps: [{fill: a, click: b}], when: a}}]", "f.yaml:1: http[1].login.steps[1]: has 2 of fill, click and wait (a step has one)"},
		{"a missing file", "http: [{hosts: a.test, cookies: nowhere.txt}]", "f.yaml:1: http[1].cookies.file: no such file: DIR/nowhere.txt"},
		{"another proxy", "http: [{hosts: a.test, proxy: 'ftp://p.test'}]", `f.yaml:1: http[1].proxy.url: "ftp://p.test" is no proxy`},
	} {
		got := problemsOf(t, dir, tc.file+httpTail, false)
		if !strings.HasPrefix(got, tc.want) || strings.Contains(got, "SECRET") {
			t.Errorf("%s:\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

// TestHTTPConfined: who may use the files of a folder alone reads no variable of the environment and no file elsewhere.
func TestHTTPConfined(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "outside.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"{env: HOME}", "{file: ../outside.txt}"} {
		_, err := schema().Confined("f.yaml", dir, []byte("http: [{hosts: a.test, auth: {bearer: "+secret+"}}]"+httpTail))
		if err == nil || !strings.Contains(err.Error(), "not allowed here") && !strings.Contains(err.Error(), "leads out of") {
			t.Errorf("%s: %v", secret, err)
		}
	}
}

// TestConfinedStores: who may use the files of a folder alone has nothing sent to a server with the keys or the user of this process, and nothing
// written elsewhere.
func TestConfinedStores(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ text, want string }{
		{"sinks: [{s3: 's3://b/p?endpoint=elsewhere.example'}]", "sinks[1].s3.to: needs the keys in the environment"},
		{"cluster: {storage: 's3://b/p?endpoint=elsewhere.example'}", "cluster.storage: needs the keys in the environment"},
		{"cluster: {storage: /tmp/elsewhere}", "cluster.storage: leads out of"},
		{"sinks: [{postgres: {url: 'postgres://me@/d?host=/run/postgresql'}}]", "sinks[1].postgres.url: is a socket"},
		{"sinks: [{postgres: {url: 'postgres://me@h/d?sslrootcert=/etc/passwd'}}]", "sinks[1].postgres.url: has the parameter sslrootcert"},
		{"sinks: [{postgres: {url: 'postgres://me@h/d', authorities: /etc/passwd}}]", "sinks[1].postgres.authorities: leads out of"},
		{"sinks: [{postgres: {url: 'postgres://me@h/d', password: {env: PGPASSWORD}}}]", "sinks[1].postgres.password.env: names a variable"},
		{"sinks: [{postgres: {url: 'postgres://me@h/d', password: {file: password}}}]", ""},
		{"cluster: {storage: here}", ""},
	} {
		_, err := schema().Confined("f.yaml", dir, []byte(tc.text+httpTail))
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %s", tc.text, err, tc.want)
		}
	}
}

// TestOlderDatabase: a crawl folder can be read whose crawl.yaml has a sink that cannot be delivered to any more.
func TestOlderDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.yaml")
	if err := os.WriteFile(path, []byte("sinks: [{postgres: {url: 'postgres://h/d?passfile=x'}}]"+httpTail), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := schema().LoadRun(path); err != nil {
		t.Error(err)
	}
}
