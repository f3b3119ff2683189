package pages

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
)

// TestFlashUndoesAList: what was said of a whole list of pages can be undone; what is too much for a cookie is told without an undo.
func TestFlashUndoesAList(t *testing.T) {
	kept := func(n int) (said, left Flash) {
		said = Flash{Text: "Your verdict", Undo: "/crawls/a/verdict"}
		for i := range n {
			said.Fields = append(said.Fields, Field{"url", fmt.Sprintf("https://encyclopaedia.example/wiki/The_%x_of_an_article_(disambiguation)", i*7919*7919)})
		}
		w := httptest.NewRecorder()
		leave(w, httptest.NewRequest(http.MethodPost, "/crawls/a/verdict", nil), "/", said)
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		for _, c := range w.Result().Cookies() {
			if len(c.Value) > 4000 {
				t.Errorf("a cookie of %d bytes", len(c.Value))
			}
			r.AddCookie(c)
		}
		f := flashOf(r)
		if f == nil {
			t.Fatal("nothing is told")
		}
		return said, *f
	}
	if said, left := kept(pageSize); !reflect.DeepEqual(said, left) {
		t.Errorf("of a list: %+v", left)
	}
	if said, left := kept(40 * pageSize); left.Text != said.Text || left.Undo != "" || left.Fields != nil {
		t.Errorf("of too much: %+v", left)
	}
}
