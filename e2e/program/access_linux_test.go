//go:build e2e

package program_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"orbweaver/internal/database"
	"orbweaver/server/door/doortest"
)

// secretsUsed are what accessSite wants, and what must be nowhere.
func secretsUsed() map[string]string {
	return map[string]string{
		"form": "password-of-the-form-41", "steps": "password-of-the-steps-42", "basic": "password-of-basic-43", "bearer": "token-of-bearer-44",
		"header": "key-in-a-header-45", "file cookie": "cookie-of-the-file-46", "cookie": "cookie-of-a-session-47", "jar": "the-key-of-the-jar-that-is-long-48",
	}
}

// An accessSite wants a login by a form, one that only a browser can make, credentials, a header, and a cookie.
type accessSite struct {
	club     string      // base of the server with the form
	grants   atomic.Bool // logins by the form
	mu       sync.Mutex
	refused  int
	unlocked map[string]bool // what was shown
}

func (s *accessSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secret := secretsUsed()
	cookie := func(name, value string) bool {
		c, err := r.Cookie(name)
		return err == nil && c.Value == value
	}
	user, password, _ := r.BasicAuth()
	w.Header().Set("Content-Type", "text/html")
	area, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	allowed, login := false, ""
	switch area {
	case "":
		fmt.Fprintf(w, "<a href=%s/form/1>airplane</a>", s.club)
		for _, area := range []string{"steps", "basic", "bearer", "header", "jar"} {
			fmt.Fprintf(w, "<a href=/%s/1>airplane</a>", area)
		}
		return
	case "form-login":
		fmt.Fprint(w, `<form method=post action=/form-session><input name=user><input type=password name=password></form>`)
		return
	case "form-session", "steps-session":
		kind := strings.TrimSuffix(area, "-session")
		if r.PostFormValue("password") != secret[kind] || kind == "form" && !s.grants.Load() || kind == "steps" && r.PostFormValue("proof") != "made by a script" {
			s.mu.Lock()
			s.refused++
			s.mu.Unlock()
			fmt.Fprint(w, "no")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: kind, Value: secret["cookie"], HttpOnly: true, Path: "/"})
		http.Redirect(w, r, "/"+kind+"/1", http.StatusSeeOther)
		return
	case "steps-login":
		fmt.Fprint(w, `<body><script>setTimeout(() => { document.body.innerHTML = '<form method=post action=/steps-session><input id=u name=user><input id=p type=password name=password><input type=hidden id=proof name=proof><button id=b>in</button></form>';
			document.getElementById("p").addEventListener("input", () => { document.getElementById("proof").value = "made by a script"; }); }, 50)</script>`)
		return
	case "form", "steps":
		allowed, login = cookie(area, secret["cookie"]), "/"+area+"-login"
	case "basic":
		allowed = user == "anna" && password == secret["basic"]
	case "bearer":
		allowed = r.Header.Get("Authorization") == "Bearer "+secret["bearer"]
	case "header":
		allowed = r.Header.Get("X-Key") == secret["header"]
	case "jar":
		allowed = cookie("kept", secret["file cookie"])
	default:
		http.NotFound(w, r)
		return
	}
	switch {
	case !allowed && login != "":
		http.Redirect(w, r, login, http.StatusFound)
	case !allowed:
		w.WriteHeader(http.StatusUnauthorized)
	default:
		s.mu.Lock()
		s.unlocked[area] = true
		s.mu.Unlock()
		fmt.Fprintf(w, "<a class=logout>out</a> airplane inside %s", area)
	}
}

// accessFile writes the crawl file of an accessSite, with what it names.
func accessFile(t *testing.T, folder, base, club string, browser bool) {
	t.Helper()
	secret, name := secretsUsed(), strings.TrimPrefix(base, "http://")
	for file, text := range map[string]string{
		"form.txt": secret["form"], "steps.txt": secret["steps"] + "\n", "jar.key": secret["jar"],
		"cookies.txt": strings.Join([]string{"127.0.0.1", "FALSE", "/", "FALSE", "0", "kept", secret["file cookie"]}, "\t") + "\n",
	} {
		write(t, filepath.Join(folder, file), text)
	}
	steps := ""
	if browser {
		steps = fmt.Sprintf(`
  - hosts: ["http://%[1]s/steps/*", "http://%[1]s/steps-login", "http://%[1]s/steps-session"]
    login:
      url: http://%[1]s/steps-login
      steps: [{wait: "#p"}, {fill: "#u", with: anna}, {fill: "#p", with: {file: steps.txt}}, {click: "#b"}]
      when: a.logout`, name)
	}
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`seeds: http://%[1]s/
focus: {keyword: {terms: [airplane]}}
allow_private: [127.0.0.0/8]
politeness: {delay: 10ms, contact: me@example.org, robots: false}
explore: 0
duplicates: off
output: crawl
http:
  - hosts: ["%[3]s"]
    login:
      url: %[3]s/form-login
      post: {user: anna, password: {file: form.txt}}
      when: a.logout
      tries: 1
      wait: 1s%[2]s
  - {hosts: ["http://%[1]s/basic/*"], auth: {basic: {user: anna, password: {env: ACCESS_BASIC}}}}
  - {hosts: ["http://%[1]s/bearer/*"], auth: {bearer: {env: ACCESS_BEARER}}}
  - {hosts: ["http://%[1]s/header/*"], headers: {X-Key: {env: ACCESS_HEADER}}}
  - {hosts: ["http://%[1]s/jar/*"], cookies: {file: cookies.txt, key: jar.key}}
`, name, steps, club))
}

// secretForms are the secrets in the forms in which they may be found.
func secretForms() map[string][]byte {
	forms := map[string][]byte{}
	for name, text := range secretsUsed() {
		forms[name] = []byte(text)
		forms[name+" in base64"] = []byte(base64.StdEncoding.EncodeToString([]byte(text)))
		forms[name+" in a URL"] = []byte(url.QueryEscape(text))
	}
	forms["basic credentials"] = []byte(base64.StdEncoding.EncodeToString([]byte("anna:" + secretsUsed()["basic"])))
	return forms
}

// betrays reports secrets in a text.
func betrays(t *testing.T, where string, text []byte) {
	t.Helper()
	for name, form := range secretForms() {
		if bytes.Contains(text, form) {
			t.Errorf("%s tells the secret of %s", where, name)
		}
	}
}

// searchFolder looks for secrets in the bytes of all files of a crawl folder, compressed ones unpacked, and in the keys and values of its databases.
func searchFolder(t *testing.T, folder string) {
	t.Helper()
	files, records := 0, 0
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSocket != 0 {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "CURRENT")); err == nil || len(matches(t, filepath.Join(path, "marker.manifest.*"))) > 0 {
				records += searchDatabase(t, path)
			}
			return nil
		}
		text := read(t, path)
		files++
		betrays(t, path, text)
		if strings.HasSuffix(path, ".gz") {
			r, err := gzip.NewReader(bytes.NewReader(text))
			if err != nil {
				return err
			}
			plain, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			if !bytes.Contains(plain, []byte("airplane inside")) {
				t.Errorf("%s holds no page", path)
			}
			betrays(t, path, plain)
		}
		return nil
	})
	if err != nil || files < 5 || records < 10 {
		t.Errorf("%d files, %d records of databases: %v", files, records, err)
	}
}

func matches(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// searchDatabase looks for secrets in a database, and returns how many records it has.
func searchDatabase(t *testing.T, path string) (records int) {
	t.Helper()
	db, err := database.Open(path, database.Options{ReadOnly: true})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer db.Close()
	all, err := db.NewIter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for all.First(); all.Valid(); all.Next() {
		betrays(t, path, all.Key())
		betrays(t, path, all.Value())
		records++
	}
	return records
}

// searchProcesses looks for secrets in the command lines of all processes, and in the environments of those below one.
func searchProcesses(t *testing.T, parent int) (browser bool) {
	t.Helper()
	for _, path := range matches(t, "/proc/[0-9]*/cmdline") {
		line, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		betrays(t, path, line)
		environ, err := os.ReadFile(filepath.Join(filepath.Dir(path), "environ"))
		if err == nil && bytes.Contains(environ, []byte("HOME=")) && bytes.Contains(environ, []byte("orbweaver-browser-")) && !strings.Contains(path, fmt.Sprintf("/%d/", parent)) {
			browser = true
			betrays(t, path+" (environment)", environ)
		}
	}
	return browser
}

// searchStudio looks for secrets in pages and answers of the studio of a folder.
func searchStudio(t *testing.T, folder string) {
	t.Helper()
	k := studioOf(t, folder)
	for _, path := range []string{"/", "/crawls/crawl", "/crawls/crawl/pages", "/crawls/crawl/file", "/api/v1/crawls/crawl", "/api/v1/crawls/crawl/pages", "/api/v1/files/f.yaml", "/api/v1/workspace", "/crawls/crawl/failures"} {
		response, err := http.Get(k.url + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		betrays(t, "the studio at "+path, text)
	}
}

// TestSecrets: a crawl that uses each kind of secret pauses while a login is lost, is resumed, gets everything, and leaves no secret in
// its folder, log, archive, report, status, explanation, on command lines, in the browser's environment, or in the studio.
func TestSecrets(t *testing.T) {
	t.Parallel()
	browser := doortest.FindChromium() != ""
	site := &accessSite{unlocked: map[string]bool{}}
	server, club := httptest.NewServer(site), httptest.NewServer(site)
	defer server.Close()
	defer club.Close()
	site.club = club.URL
	folder := t.TempDir()
	accessFile(t, folder, server.URL, club.URL, browser)
	secret := secretsUsed()
	ask := func(args ...string) string {
		c := program(t, folder, args...)
		out, err := c.CombinedOutput()
		if err != nil && args[0] != "status" {
			t.Errorf("%v: %v: %s", args, err, out)
		}
		betrays(t, strings.Join(args, " "), out)
		return string(out)
	}
	c := program(t, folder, "crawl", "f.yaml", "--log-format", "json")
	c.Env = append(c.Env, "ACCESS_BASIC="+secret["basic"], "ACCESS_BEARER="+secret["bearer"], "ACCESS_HEADER="+secret["header"])
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	again := time.NewTicker(300 * time.Millisecond)
	defer again.Stop()
	for paused := false; !paused; {
		select {
		case err := <-ended:
			t.Fatalf("it ended: %v\n%s", err, &out)
		case <-again.C:
			status := ask("status", "crawl")
			paused = strings.Contains(status, "paused") && strings.Contains(status, "it waits for orbweaver resume")
		case <-time.After(5 * time.Minute):
			t.Fatalf("it does not pause: %s", &out)
		}
	}
	if searchProcesses(t, c.Process.Pid) != browser {
		t.Error("no process of the browser was seen")
	}
	site.grants.Store(true)
	ask("resume", "crawl")
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
	case <-time.After(5 * time.Minute):
		t.Fatalf("it does not end: %s", &out)
	}
	for _, area := range []string{"form", "steps", "basic", "bearer", "header", "jar"} {
		if !site.unlocked[area] && (browser || area != "steps") {
			t.Errorf("%s was never shown\n%s", area, &out)
		}
	}
	betrays(t, "the output", out.Bytes())
	ask("explain", "crawl", club.URL+"/form/1")
	ask("explain", "crawl", server.URL+"/basic/1")
	ask("report", "crawl")
	ask("status", "crawl", "--json")
	searchFolder(t, filepath.Join(folder, "crawl"))
	searchStudio(t, folder)
	if !browser {
		t.Skip("without Chromium no steps were taken: it is not installed")
	}
}
