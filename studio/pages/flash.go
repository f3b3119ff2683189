package pages

import (
	"bytes"
	"compress/flate"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
)

const (
	flashCookie = "flash"
	maxFlash    = 600 // bytes of a message; the rest is cut
)

// A Flash is a message about what was done, shown once on the next page.
type Flash struct {
	Text string `json:"t"`
	Bad  bool   `json:"b,omitempty"` // it was not done
	Undo string `json:"u,omitempty"` // path of the POST that undoes it

	Fields []Field `json:"f,omitempty"` // of that POST
}

// Button undoes what the message tells.
func (f Flash) Button(token string) Button {
	return Button{Action: f.Undo, Label: "Undo", Token: token, Fields: f.Fields}
}

// flashKey signs messages: other ports of this machine can set cookies too.
var flashKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails: see crypto/rand
	return key
})

// signed is the signature of a message.
func signed(text []byte) []byte {
	mac := hmac.New(sha256.New, flashKey())
	mac.Write(text)
	return mac.Sum(nil)
}

// flashOf is the message that a request carries; nil: none that this program wrote.
func flashOf(r *http.Request) *Flash {
	cookie, err := r.Cookie(flashCookie)
	if err != nil {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || len(text) < sha256.Size || !hmac.Equal(text[:sha256.Size], signed(text[sha256.Size:])) {
		return nil
	}
	var f Flash
	if json.NewDecoder(flate.NewReader(bytes.NewReader(text[sha256.Size:]))).Decode(&f) != nil || f.Text == "" {
		return nil
	}
	if !strings.HasPrefix(f.Undo, "/crawls/") && !strings.HasPrefix(f.Undo, "/trash/") && !strings.HasPrefix(f.Undo, "/ontology/") {
		f.Undo = ""
	}
	return &f
}

// maxCookie is the size of a message in its cookie, before it is encoded: browsers take 4096 bytes.
const maxCookie = 2800

// packed compresses a message: the URLs of one list are much alike, and fifty of them have room.
func packed(f Flash) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		err = errors.Join(json.NewEncoder(w).Encode(f), w.Close())
	}
	return b.Bytes(), err
}

// leave sends a browser to a page with a message.
func leave(w http.ResponseWriter, r *http.Request, to string, f Flash) {
	f.Text = cut(f.Text, maxFlash)
	text, err := packed(f)
	if len(text) > maxCookie { // rather no undo than no message
		f.Undo, f.Fields = "", nil
		text, err = packed(f)
	}
	if err == nil {
		http.SetCookie(w, &http.Cookie{
			Name: flashCookie, Value: base64.RawURLEncoding.EncodeToString(append(signed(text), text...)), Path: "/", MaxAge: 60,
			HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
		})
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// A deed is an action: it says where the browser goes on and what it is told.
type deed func(r *http.Request) (to string, said Flash, err error)

// maxForm is the size of a form without files.
const maxForm = 4 << 20

// post does a deed at a pattern. A deed that fails leads back to the page that it names, with the reason.
func (h *Handler) post(pattern string, d deed) {
	h.mux.HandleFunc("POST "+pattern, func(w http.ResponseWriter, r *http.Request) {
		if !h.MayWrite(r) {
			h.readOnly(w, r)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		to, said, err := "/", Flash{}, r.ParseForm()
		if err == nil {
			to, said, err = d(r)
		}
		switch {
		case err != nil && to == "":
			h.fail(w, r, err)
		case err != nil:
			leave(w, r, to, Flash{Text: err.Error(), Bad: true})
		default:
			leave(w, r, to, said)
		}
	})
}

// readOnly tells a reader that a page or a deed is not for readers.
func (h *Handler) readOnly(w http.ResponseWriter, r *http.Request) {
	v := failureView{Frame: h.frame(r, "You may only read"), Message: "Your token is one for reading.", Advice: "Log in with the token for everything."}
	_ = h.show(w, http.StatusForbidden, "failure", v)
}
