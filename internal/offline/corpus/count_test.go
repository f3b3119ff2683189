package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/internal/console"
	"orbweaver/internal/services/wire"
)

// TestCount: level 0 has two pages, a person and a redirect to one of the two; level 1 a page without text, which only
// fetching it would tell, and a redirect to a page that is in no category.
func TestCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newTestWiki(t)
		count := func(job Job, asJSON bool) (string, error) {
			var out bytes.Buffer
			k.requests, k.last = nil, time.Time{}
			job.Wire = wire.Wire{Options: client.Options{Resolve: k.network.Resolve, Dial: k.network.Dial}}
			job.API, job.AllowPrivate, job.Contact = "http://wiki.test/w/api.php", anyPrivate(), "me@example.org"
			err := Count(t.Context(), &console.Console{Out: &out, Err: &out}, job, asJSON)
			return out.String(), err
		}
		text, err := count(Job{Category: "Diabetes", Depth: 1}, true)
		var levels []Level
		if err = errors.Join(err, json.Unmarshal([]byte(text), &levels)); err != nil {
			t.Fatal(err)
		}
		want := []Level{{0, 2, 2, 1, 1}, {1, 4, 2, 1, 1}}
		if !reflect.DeepEqual(levels, want) {
			t.Errorf("%+v", levels)
		}
		checkList(t, "asked", k.requests, "Category:Diabetes", "Category:Types", "subjects 1|2|3|4|5|6")
		if text, err = count(Job{Category: "Diabetes", Persons: true}, false); err != nil || !strings.Contains(text, "    0         3         3         0         1\n") {
			t.Errorf("with persons: %s %v", text, err)
		}
		if _, err := count(Job{Category: "Nobody"}, false); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("no such category: %v", err)
		}
	})
}
