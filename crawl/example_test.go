package crawl_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

// gardens is a focus of one's own: pages that name a plane tree, and links in the order found.
type gardens struct{}

func (gardens) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	n := float64(strings.Count(strings.ToLower(p.Text), "plane tree"))
	score := n / (n + 1)
	return orbweaver.Judgement{
		Score: score, Accepted: score >= 0.5,
		Reasons: []orbweaver.Reason{{Rule: "tree", Evidence: fmt.Sprintf("plane tree ×%.0f", n), Weight: score}},
	}, nil
}

func (gardens) Plan(_ context.Context, p *orbweaver.Page, j orbweaver.Judgement) (plan []orbweaver.Proposal, _ error) {
	for _, l := range p.Links {
		plan = append(plan, orbweaver.Proposal{
			Request: orbweaver.Request{URL: l.To, Via: &l}, Judgement: orbweaver.Judgement{Score: j.Score},
		})
	}
	return plan, nil
}

// A crawl by a focus of one's own.
func Example() {
	folder, _ := os.MkdirTemp("", "gardens")
	defer os.RemoveAll(folder)
	c, err := crawl.New(
		crawl.Seeds("http://tidings.example/"), crawl.Archive("../examples/demo.warc.gz"), crawl.Requests(200),
		crawl.Folder(folder+"/crawl"),
		crawl.Focus("gardens", func() (orbweaver.Focus, error) { return gardens{}, nil }),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	sum, err := c.Run(ctx)
	fmt.Println(sum.State, sum.Progress.Requests, err)
	list, _ := c.Pages(ctx, crawl.PageQuery{Accepted: true, Sort: "score", Limit: 1})
	for _, p := range list.Pages {
		fmt.Println(list.Total, "accepted; best:", p.URL, p.Reasons[0].Evidence)
	}
	// Output:
	// limit of requests 200 <nil>
	// 4 accepted; best: http://tidings.example/ plane tree ×1
}

// A crawl at rest is looked at by its folder.
func ExampleOpen() {
	folder, _ := os.MkdirTemp("", "aircraft")
	defer os.RemoveAll(folder)
	c, err := crawl.New(
		crawl.Seeds("http://tidings.example/"), crawl.Archive("../examples/demo.warc.gz"), crawl.Requests(100), crawl.Folder(folder+"/crawl"),
		crawl.Set("focus.keyword.terms", []string{"airplane", "aircraft"}),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err = c.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	again, err := crawl.Open(c.Folder())
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := again.Explain(context.Background(), "http://tidings.example/")
	fmt.Println(x.Kind, x.Why, err)
	// Output:
	// page It was fetched, as request 1: 200, text/html, 4.3 kB. <nil>
}
