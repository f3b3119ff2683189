package spotlight_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/fetch/spotlight"
)

const proxyPage = `<!DOCTYPE html><html><head><title>502 Bad Gateway</title><style>p{}</style></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>`

// TestMisbehaviour: each way in which a server fails is distinguished, and comes with a failure.
func TestMisbehaviour(t *testing.T) {
	whole := annotated("Berlin")
	for _, tc := range []struct {
		name    string
		instead http.HandlerFunc
		class   spotlight.Class
		failure orbweaver.Failure
		message string
	}{
		{"400 with text", says(400, "application/json", "java.lang.NullPointerException\n\tnull"), spotlight.ErrRefused, orbweaver.ErrStatus, ": 400: java.lang.NullPointerException null"},
		{"400 with a long text", says(400, "", "x"+strings.Repeat("é", 9000)), spotlight.ErrRefused, orbweaver.ErrStatus, "éé…"},
		{"401", says(401, "text/html", "<p>Log in</p>"), spotlight.ErrForbidden, orbweaver.ErrStatus, "401: Log in"},
		{"404", says(404, "text/html", ""), spotlight.ErrNoService, orbweaver.ErrStatus, ": 404"},
		{"406", says(406, "", ""), spotlight.ErrFormat, orbweaver.ErrUnreadable, ""},
		{"413", says(413, "", ""), spotlight.ErrRefused, orbweaver.ErrStatus, ""},
		{"429", says(429, "", "slow down"), spotlight.ErrUnavailable, orbweaver.ErrStatus, "slow down"},
		{"500", says(500, "text/html", ""), spotlight.ErrInternal, orbweaver.ErrStatus, ""},
		{"502 of a proxy", says(502, "text/html", proxyPage), spotlight.ErrUnavailable, orbweaver.ErrStatus, ": 502: 502 Bad Gateway 502 Bad Gateway nginx"},
		{"504", says(504, "text/html", proxyPage), spotlight.ErrTimedOut, orbweaver.ErrTimeout, ""},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://b.test/en/annotate", http.StatusMovedPermanently)
		}, spotlight.ErrMoved, orbweaver.ErrRedirects, "to https://b.test/en/annotate"},
		{"a page as an answer", says(200, "application/json", "\n"+proxyPage), spotlight.ErrFormat, orbweaver.ErrUnreadable, "502 Bad Gateway"},
		{"nothing", says(200, "application/json", " "), spotlight.ErrFormat, orbweaver.ErrUnreadable, "an empty answer"},
		{"204", says(204, "", ""), spotlight.ErrFormat, orbweaver.ErrUnreadable, "an empty answer"},
		{"other JSON", says(200, "application/json", `{"error":"no model"}`), spotlight.ErrFormat, orbweaver.ErrUnreadable, "no model"},
		{"a list", says(200, "application/json", `[]`), spotlight.ErrFormat, orbweaver.ErrUnreadable, ""},
		{"truncated JSON", says(200, "application/json", whole[:len(whole)-20]), spotlight.ErrBroken, orbweaver.ErrCut, "it ends early"},
		{"broken JSON", says(200, "application/json", `{"@text":"Berlin",}`), spotlight.ErrBroken, orbweaver.ErrUnreadable, ""},
		{"a list in place of a string", says(200, "application/json", `{"@text":"Berlin","Resources":[{"@URI":[]}]}`), spotlight.ErrBroken, orbweaver.ErrUnreadable, ""},
		{"deep JSON", says(200, "application/json", `{"a":`+strings.Repeat("[", 1<<20)), spotlight.ErrBroken, orbweaver.ErrUnreadable, ""},
		{"many entries", says(200, "application/json", `{"@text":"","Resources":[{}`+strings.Repeat(",{}", 1<<20)+`]}`), spotlight.ErrAboveLimit, orbweaver.ErrTooLarge, ""},
		{"a huge answer", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"@text":"`)
			for spaces := strings.Repeat(" ", 1<<20); ; {
				if _, err := io.WriteString(w, spaces); err != nil {
					return
				}
			}
		}, spotlight.ErrAboveLimit, orbweaver.ErrTooLarge, ""},
		{"a connection that ends", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "10000")
			io.WriteString(w, whole)
		}, spotlight.ErrBroken, orbweaver.ErrCut, ""},
		{"no HTTP", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			io.WriteString(conn, "hello\r\n\r\n")
			conn.Close()
		}, spotlight.ErrBroken, orbweaver.ErrMalformed, ""},
		{"said to be packed", coded("gzip", []byte("\x1f\x8b\x08junk")), spotlight.ErrBroken, orbweaver.ErrMalformed, ""},
		{"packed in a way nobody asked for", coded("compress", []byte(whole)), spotlight.ErrBroken, orbweaver.ErrMalformed, ""},
		{"packed five times", coded("gzip, gzip, gzip, gzip, gzip", []byte(whole)), spotlight.ErrBroken, orbweaver.ErrMalformed, ""},
		{"packed and without end", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			for nothing := bytes.Repeat(gzipped(nil), 1000); ; {
				if _, err := w.Write(nothing); err != nil {
					return
				}
			}
		}, spotlight.ErrAboveLimit, orbweaver.ErrTooLarge, ""},
		{"a bomb", coded("gzip", gzipped(bytes.Repeat([]byte(" "), 64<<20))), spotlight.ErrAboveLimit, orbweaver.ErrTooLarge, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, o := loopback(t)
			f.say(tc.instead)
			all, tally, err := newClient(t, o).Annotate(t.Context(), "Berlin")
			var failed *spotlight.Error
			if len(all) > 0 || tally != (spotlight.Tally{Asked: 1, Failed: 1}) || !errors.As(err, &failed) {
				t.Fatalf("%v %+v %v", all, tally, err)
			}
			if failed.Class != tc.class || orbweaver.FailureOf(err) != tc.failure || !strings.Contains(err.Error(), tc.message) || !strings.Contains(err.Error(), o.Base) {
				t.Errorf("%s, %s: %v", failed.Class, orbweaver.FailureOf(err), err)
			}
			if len(err.Error()) > 500 || !utf8.ValidString(err.Error()) {
				t.Errorf("an error of %d bytes: %q", len(err.Error()), err)
			}
		})
	}
}

func coded(coding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", coding)
		w.Write(body)
	}
}

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(body)
	z.Close()
	return b.Bytes()
}

// TestCodings: what is packed is unpacked, and what is only said to be passes.
func TestCodings(t *testing.T) {
	whole := []byte(annotated("Berlin"))
	var br bytes.Buffer
	b := brotli.NewWriter(&br)
	b.Write(whole)
	b.Close()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for coding, body := range map[string][]byte{
		"gzip": gzipped(whole), "GZIP , identity": gzipped(whole), "br": br.Bytes(), "zstd": z.EncodeAll(whole, nil), "identity": whole,
		"x-gzip": whole, "zstd, gzip": gzipped(z.EncodeAll(whole, nil)),
	} {
		f, o := loopback(t)
		f.say(coded(coding, body))
		if all, _, err := newClient(t, o).Annotate(t.Context(), "Berlin"); err != nil || len(all) != 1 {
			t.Errorf("%s: %v, %v", coding, all, err)
		}
	}
}

// TestLies: what does not stand where the answer says is left out, and numbers that make no sense are 0.
func TestLies(t *testing.T) {
	f, o := loopback(t)
	f.say(says(200, "application/json", `{"@text":"x","Resources":[
		{"@URI":"http://a.test/","@surfaceForm":"in Berlin","@offset":"10","@support":"1e9","@similarityScore":"Infinity","@types":null},
		{"@URI":"http://a.test/","@surfaceForm":"Berlin","@offset":"5"},
		{"@URI":"http://a.test/","@surfaceForm":"Berlin","@offset":"-1"},
		{"@URI":"http://a.test/","@surfaceForm":"Berlin","@offset":"99999999999999999999"},
		{"@URI":"http://a.test/","@surfaceForm":"Berlin","@offset":"9223372036854775807"},
		{"@URI":"http://a.test/","@surfaceForm":"Paris","@offset":"3"},
		{"@URI":"http://a.test/","@surfaceForm":"","@offset":"3"},
		{"@URI":"http://a.test/","@surfaceForm":" ","@offset":"2"},
		{"@URI":"http://a.test/","@surfaceForm":"\ude00","@offset":"1"},
		{"@URI":"","@surfaceForm":"Berlin","@offset":"3"},
		{"@URI":"http://a.test/> <b","@surfaceForm":"Berlin","@offset":"3"},
		{},
		{"@URI":"Berlin","@surfaceForm":"Berlin","@offset":3,"@support":"-7","@similarityScore":"NaN","@percentageOfSecondRank":"-1.0","@types":" , "},
		{"@URI":"http://z.test/","@surfaceForm":"Berlin","@offset":3},
		{"@URI":"Berlin","@surfaceForm":"Berlin","@offset":3}
	]}`))
	text := "😀 Berlin in\nBerlin"
	all, tally, err := newClient(t, o).Annotate(t.Context(), text)
	if err != nil || tally.Skipped != 11 || len(all) != 3 {
		t.Fatalf("%+v %+v %v", all, tally, err)
	}
	if b := all[0]; b.Start != 5 || b.URI != "http://dbpedia.org/resource/Berlin" || b.Support != 0 || b.Similarity != 0 || b.Second != 0 || b.Types != nil {
		t.Errorf("%+v", b)
	}
	if b := all[2]; b.Surface != "in\nBerlin" || b.Support != 0 || b.Similarity != 1 {
		t.Errorf("%+v", b)
	}
}

// TestCandidatesWithoutEnd: neither a surface nor all of an answer may have any number of candidates.
func TestCandidatesWithoutEnd(t *testing.T) {
	f, o := loopback(t)
	surface := func(n int) string {
		return `{"@name":"Berlin","@offset":"0","resource":[{"@uri":"a"}` + strings.Repeat(`,{"@uri":"a"}`, n-1) + `]}`
	}
	for _, tc := range []struct {
		surfaces, of int
		class        error
	}{{1, 5000, nil}, {1, 5001, spotlight.ErrAboveLimit}, {20, 5000, nil}, {21, 5000, spotlight.ErrAboveLimit}} {
		f.say(says(200, "", `{"annotation":{"@text":"","surfaceForm":[`+surface(tc.of)+strings.Repeat(","+surface(tc.of), tc.surfaces-1)+`]}}`))
		all, _, err := newClient(t, o).Candidates(t.Context(), "Berlin")
		if !errors.Is(err, tc.class) || err == nil && len(all) != tc.surfaces {
			t.Errorf("%d surfaces of %d candidates: %d, %v", tc.surfaces, tc.of, len(all), err)
		}
	}
}

// TestEmptyLists: nothing found is said in many ways.
func TestEmptyLists(t *testing.T) {
	f, o := loopback(t)
	for _, list := range []string{`""`, `null`, `[]`} {
		f.say(says(200, "", `{"@text":"","Resources":`+list+`,"annotation":{"@text":"","surfaceForm":`+list+`}}`))
		if all, tally, err := newClient(t, o).Annotate(t.Context(), "Berlin"); err != nil || len(all)+tally.Skipped > 0 {
			t.Errorf("%s: %v %+v %v", list, all, tally, err)
		}
		if all, tally, err := newClient(t, o).Candidates(t.Context(), "Berlin"); err != nil || len(all)+tally.Skipped > 0 {
			t.Errorf("%s: %v %+v %v", list, all, tally, err)
		}
	}
}

// TestRoom: the answers about one text are bounded together.
func TestRoom(t *testing.T) {
	f, o := loopback(t)
	long := `{"@text":"` + strings.Repeat(" ", 7<<20) + `"}`
	f.say(says(200, "application/json", long))
	_, tally, err := newClient(t, o).Annotate(t.Context(), strings.Repeat("a\n\n", 6))
	if !errors.Is(err, spotlight.ErrAboveLimit) || tally.Failed != 2 {
		t.Errorf("%+v %v", tally, err)
	}
}

func TestSlow(t *testing.T) {
	for name, slow := range map[string]http.HandlerFunc{
		"no answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"a byte now and then": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"@text":"`)
			for {
				select {
				case <-r.Context().Done():
					return
				case <-time.After(5 * time.Second):
					io.WriteString(w, " ")
					http.NewResponseController(w).Flush()
				}
			}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			f, o := inMemory(t)
			f.say(slow)
			begin := time.Now()
			_, _, err := newClient(t, o).Annotate(t.Context(), "Berlin")
			if !errors.Is(err, spotlight.ErrTimedOut) || orbweaver.FailureOf(err) != orbweaver.ErrTimeout || time.Since(begin) > 31*time.Second {
				t.Errorf("%s: %v after %v", name, err, time.Since(begin))
			}
		})
	}
}
