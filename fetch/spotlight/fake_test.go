package spotlight_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/spotlight"
)

// A fake is a server of Spotlight that knows some names. Instead answers in its place, if it is there.
type fake struct {
	mu      sync.Mutex
	texts   []string // that it was asked about
	forms   []string
	instead http.HandlerFunc
}

// names are what a fake knows.
var names = []string{"Berlin", "São Paulo", "𝔸lef", "東京"}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text := r.PostFormValue("text")
	f.mu.Lock()
	f.texts, f.forms = append(f.texts, text), append(f.forms, r.PostForm.Encode())
	instead := f.instead
	f.mu.Unlock()
	switch {
	case instead != nil:
		instead(w, r)
	case r.Method != http.MethodPost || r.URL.Path != "/en/annotate" && r.URL.Path != "/en/candidates":
		http.NotFound(w, r)
	case r.Header.Get("Accept") != "application/json":
		io.WriteString(w, "<html><body>annotated</body></html>")
	case strings.TrimSpace(text) == "":
		http.Error(w, "org.dbpedia.spotlight.exceptions.InputException: No text was specified in the &text parameter.", 400)
	case r.URL.Path == "/en/annotate":
		io.WriteString(w, annotated(text))
	default:
		io.WriteString(w, candidates(text))
	}
}

// say lets all that follow be answered in another way; nil: as usual.
func (f *fake) say(instead http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.instead = instead
}

func (f *fake) asked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.texts)
}

// says answers everything alike.
func says(status int, mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// A found is a name in a text, and at which UTF-16 unit.
type found struct {
	name string
	at   int
}

// find looks in units, as Java does.
func find(text string) (all []found) {
	units := utf16.Encode([]rune(text))
	for at := range units {
		for _, name := range names {
			n := utf16.Encode([]rune(name))
			if at+len(n) <= len(units) && string(utf16.Decode(units[at:at+len(n)])) == name {
				all = append(all, found{name, at})
			}
		}
	}
	return all
}

// annotated is an answer of /annotate: all values are strings, and Resources is there if there are any.
func annotated(text string) string {
	answer := map[string]any{
		"@text": text, "@confidence": "0.5", "@support": "0", "@types": "", "@sparql": "", "@policy": "whitelist",
	}
	var resources []map[string]string
	for _, f := range find(text) {
		resources = append(resources, map[string]string{
			"@URI": uri(f.name), "@support": "74040", "@types": "Schema:Place,DBpedia:Place", "@surfaceForm": f.name,
			"@offset": strconv.Itoa(f.at), "@similarityScore": "0.9999203720889515", "@percentageOfSecondRank": "7.564391175472872E-5",
		})
	}
	if resources != nil {
		answer["Resources"] = resources
	}
	return marshal(answer)
}

// candidates is an answer of /candidates, in which lists of one are objects.
func candidates(text string) string {
	var surfaces []any
	for i, f := range find(text) {
		one := map[string]string{
			"@label": f.name, "@uri": strings.ReplaceAll(f.name, " ", "_"), "@contextualScore": "0.5", "@percentageOfSecondRank": "0.25",
			"@support": "7", "@priorScore": "2.9E-8", "@finalScore": "0.75", "@types": "DBpedia:Agent, Schema:Organization",
		}
		surface := map[string]any{"@name": f.name, "@offset": strconv.Itoa(f.at), "resource": one}
		if i > 0 {
			surface["resource"] = []any{one, map[string]string{"@uri": "Other", "@label": "Other"}}
		}
		surfaces = append(surfaces, surface)
	}
	inner := map[string]any{"@text": text}
	switch len(surfaces) {
	case 0:
	case 1:
		inner["surfaceForm"] = surfaces[0]
	default:
		inner["surfaceForm"] = surfaces
	}
	return marshal(map[string]any{"annotation": inner})
}

func uri(name string) string {
	return "http://dbpedia.org/resource/" + strings.ReplaceAll(name, " ", "_")
}

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// A memory is a Kept, of which a failure can be made.
type memory struct {
	mu  sync.Mutex
	all map[string]string
	err error
}

func (m *memory) Get(key string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	answer, known := m.all[key]
	return []byte(answer), known, nil
}

func (m *memory) Put(key string, answer []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.all[key] = string(answer)
	}
	return m.err
}

// loopback returns a fake on loopback and options to ask it by.
func loopback(t testing.TB) (*fake, spotlight.Options) {
	f := &fake{}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	own := client.New(client.Options{Guard: guard.New(true, nil)})
	t.Cleanup(func() { own.Close() })
	return f, spotlight.Options{Base: server.URL + "/en", Poster: own, Parameters: spotlight.Parameters{Confidence: 0.5}}
}

// inMemory is loopback in a synctest bubble, with a timeout of 30 s.
func inMemory(t testing.TB) (*fake, spotlight.Options) {
	f, n := &fake{}, fetchtest.NewNetwork()
	t.Cleanup(n.Close)
	n.Serve("spotlight.test", netip.MustParseAddrPort("127.0.0.1:80"), f)
	own := client.New(client.Options{Guard: guard.New(true, nil), Resolve: n.Resolve, Dial: n.Dial, Timeout: 30 * time.Second})
	t.Cleanup(func() { own.Close() })
	return f, spotlight.Options{Base: "http://spotlight.test/en", Poster: own, Parameters: spotlight.Parameters{Confidence: 0.5}}
}

func newClient(t testing.TB, o spotlight.Options) *spotlight.Client {
	t.Helper()
	c, err := spotlight.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// show prints resources as their places.
func show(text string, all []spotlight.Resource) string {
	var s strings.Builder
	for _, r := range all {
		if text[r.Start:r.End] != r.Surface {
			return fmt.Sprintf("%+v does not stand there", r)
		}
		fmt.Fprintf(&s, "%d %s;", r.Start, strings.TrimPrefix(r.URI, spotlight.Namespace))
	}
	return s.String()
}
