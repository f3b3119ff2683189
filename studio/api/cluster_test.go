package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/api"
	"orbweaver/studio/nodes"
)

// pair is a cluster of two nodes, one of which has no crawl.
type pair struct{}

func (pair) Nodes(context.Context) ([]nodes.Node, error) {
	works := []nodes.Work{{Crawl: "planes", Runs: true, Partitions: []int{0, 255}, Moving: 1, Lag: 3}, {Crawl: "boats", Error: "no disk"}}
	return []nodes.Node{{Name: "a", Version: "1", Server: true, Present: true, Works: works}, {Name: "b"}}, nil
}

func (pair) Drain(_ context.Context, node string) error {
	if node != "a" {
		return fmt.Errorf("the cluster has no node %s (%w)", node, orbweaver.ErrInput)
	}
	return nil
}

func (pair) Status(context.Context, string) (s crawl.Status, err error) {
	s.Progress.Pages, s.Rate = 12, 1.5
	return s, nil
}

// clustered looks at the cluster, and drains a node.
func (d *desk) clustered(want func(code int, method, path, kind, body string) []byte) {
	d.t.Helper()
	if text := string(want(200, "GET", "/cluster", "", "")); !strings.Contains(text, `"pages":12`) || !strings.Contains(text, `"partitions":[0,255]`) || !strings.Contains(text, `"error":"no disk"`) {
		d.t.Errorf("%s", text)
	}
	want(202, "POST", "/cluster/nodes/a/drain", "", "")
	want(400, "POST", "/cluster/nodes/none/drain", "", "")
}

// TestNoCluster: a studio without a cluster answers 404.
func TestNoCluster(t *testing.T) {
	a := api.New(nil, nil)
	for _, r := range []*http.Request{
		httptest.NewRequest("GET", api.Base+"/cluster", http.NoBody),
		httptest.NewRequest("POST", api.Base+"/cluster/nodes/a/drain", http.NoBody),
	} {
		rec := httptest.NewRecorder()
		if a.ServeHTTP(rec, r); rec.Code != 404 || !strings.Contains(rec.Body.String(), "--cluster") {
			t.Errorf("%s: %d %s", r.URL, rec.Code, rec.Body)
		}
	}
}
