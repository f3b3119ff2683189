package access

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"orbweaver"
	"orbweaver/internal/order"
)

const (
	maxCookies  = 3000 // of a jar
	maxOfHost   = 180  // that one host may set
	maxSetting  = 4096 // bytes of a Set-Cookie header
	maxSent     = 16 << 10
	saveAtMost  = 5 * time.Second // between two writings while cookies come
	maxJarBytes = 64 << 20
)

// A Jar keeps cookies by the rules of RFC 6265bis and the public suffix list. With a file and a key it survives the session. It is safe
// for concurrent use.
type Jar struct {
	file, keyFile, from string // from: cookies to begin with
	key                 []byte // nil: cookies stay in memory

	mu     sync.Mutex
	jar    *cookiejar.Jar
	kept   map[string]setting // by domain, path and name
	ofHost map[string]int     // settings of each host
	ended  map[string]string  // of logins by their URL, the page they ended at
	saved  time.Time
	dirty  bool
	writes bool
	read   time.Time // modification of from when it was read
}

// A setting is a cookie as a host set it.
type setting struct {
	URL  string `json:"url"`
	Line string `json:"line"` // as a Set-Cookie header, with an absolute time of expiry
}

// contents is what the file of a jar holds, sealed.
type contents struct {
	Cookies []setting         `json:"cookies"`
	Ended   map[string]string `json:"ended,omitempty"`
}

// OpenJar opens the jar in a file, sealed by the content of keyFile; without a keyFile, nothing is kept in the file. from is a
// Netscape cookie file to begin with, which also counts if it is newer than the jar; empty: none. Errors wrap
// orbweaver.ErrInput if a file cannot be read, and name it.
func OpenJar(file, keyFile, from string) (*Jar, error) {
	jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
	if err != nil {
		return nil, err
	}
	j := &Jar{file: file, keyFile: keyFile, from: from, jar: jar, kept: map[string]setting{}, ofHost: map[string]int{}, ended: map[string]string{}}
	var written time.Time
	if keyFile != "" {
		if j.key, err = readKey(keyFile); err != nil {
			return nil, err
		}
		if written, err = j.load(); err != nil {
			return nil, err
		}
	}
	return j, j.begin(written)
}

// load reads the file. It returns when that was written.
func (j *Jar) load() (written time.Time, err error) {
	info, err := os.Stat(j.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return written, nil
	case err != nil:
		return written, err
	case info.Size() > maxJarBytes:
		return written, fmt.Errorf("%s: larger than %d bytes (%w)", j.file, maxJarBytes, orbweaver.ErrInput)
	}
	var c contents
	if err := unseal(j.file, j.keyFile, j.key, &c); err != nil {
		return written, err
	}
	for _, s := range c.Cookies {
		j.keep(s.URL, s.Line)
	}
	for login, page := range c.Ended {
		j.ended[login] = page
	}
	j.dirty = false
	return info.ModTime(), nil
}

// begin reads the cookies to begin with, unless the jar was written since they were.
func (j *Jar) begin(written time.Time) error {
	if j.from == "" {
		return nil
	}
	info, err := os.Stat(j.from)
	if err != nil {
		return fmt.Errorf("cookies: %w (%w)", err, orbweaver.ErrInput)
	}
	if !info.ModTime().After(written) {
		j.read = info.ModTime()
		return nil
	}
	file, err := os.Open(j.from)
	if err != nil {
		return fmt.Errorf("cookies: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	all, err := readNetscape(j.from, file, time.Now())
	if err != nil {
		return err
	}
	for _, s := range all {
		j.keep(s.URL, s.Line)
	}
	j.read = info.ModTime()
	return nil
}

// Refresh reads the cookies to begin with again if a person has changed them.
func (j *Jar) Refresh() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.begin(j.read)
}

// set keeps the cookies that an answer sets, and saves the jar now and then.
func (j *Jar) set(from string, lines []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, line := range lines[:min(len(lines), maxOfHost)] {
		j.keep(from, line)
	}
	if j.dirty && time.Since(j.saved) >= saveAtMost {
		_ = j.save() // Close tells of a disk that is full
	}
}

// keep keeps one cookie within the bounds. What is no cookie is ignored, as browsers do.
func (j *Jar) keep(from, line string) {
	at, err := url.Parse(from)
	if err != nil {
		return
	}
	c, ok := parseCookie(line, time.Now())
	if !ok || !mayStand(c, at) || !isSecure(at) && j.hides(c, at) {
		return
	}
	gone := c.MaxAge < 0
	host := at.Hostname()
	key := strings.Join([]string{strings.ToLower(cmp.Or(strings.TrimPrefix(c.Domain, "."), host)), cmp.Or(c.Path, folderOf(at.Path)), c.Name}, "\x00")
	before, known := j.kept[key]
	switch {
	case gone && known:
		delete(j.kept, key)
		j.forget(before)
	case gone:
	case !known && (len(j.kept) >= maxCookies || j.ofHost[host] >= maxOfHost):
		return
	default:
		if !known {
			j.ofHost[host]++
		}
		j.kept[key] = setting{from, written(c)}
	}
	j.jar.SetCookies(at, []*http.Cookie{c})
	j.dirty = true
}

// hides reports whether a cookie that came over plain http would take the place of a Secure one: of the same name, for
// the same URLs (RFC 6265bis, section 5.7).
func (j *Jar) hides(c *http.Cookie, at *url.URL) bool {
	secure := *at
	secure.Scheme = "https"
	if c.Path != "" {
		secure.Path = c.Path
	}
	names := func(at *url.URL) (n int) {
		for _, sent := range j.jar.Cookies(at) {
			if sent.Name == c.Name {
				n++
			}
		}
		return n
	}
	plain := secure
	plain.Scheme = "http"
	return names(&secure) > names(&plain)
}

// forget gives the place of a setting back to its host.
func (j *Jar) forget(s setting) {
	if at, err := url.Parse(s.URL); err == nil {
		if host := at.Hostname(); j.ofHost[host] > 0 {
			j.ofHost[host]--
		}
	}
}

// folderOf is the path that a cookie without one is for (RFC 6265, section 5.1.4).
func folderOf(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "/"
}

// line is the Cookie header for a URL; empty: there are none.
func (j *Jar) line(to string) string {
	at, err := url.Parse(to)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, c := range j.jar.Cookies(at) {
		one := c.Value
		if c.Name != "" {
			one = c.Name + "=" + c.Value
		}
		if b.Len()+len(one) > maxSent {
			break
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		b.WriteString(one)
	}
	return b.String()
}

// end notes the page that a login ended at.
func (j *Jar) end(login, page string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ended[login], j.dirty = page, true
}

// endOf returns that page; empty: it is not known.
func (j *Jar) endOf(login string) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.ended[login]
}

// Save writes the jar into its file, if it has a key and anything has changed.
func (j *Jar) Save() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.save()
}

func (j *Jar) save() error {
	if j.key == nil || !j.dirty || !j.writes {
		return nil
	}
	c := contents{Ended: j.ended}
	for _, s := range j.kept {
		c.Cookies = append(c.Cookies, s)
	}
	order.By(c.Cookies, func(a, b setting) int {
		return cmp.Or(cmp.Compare(a.URL, b.URL), cmp.Compare(a.Line, b.Line))
	})
	if err := seal(j.file, j.key, c); err != nil {
		return fmt.Errorf("save cookies: %w", err)
	}
	j.dirty, j.saved = false, time.Now()
	return nil
}
