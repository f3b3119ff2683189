// Embed crawls the demo web by a focus of its own: pages that name a plane tree. Its argument is the archive to crawl.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

type gardens struct{}

func (gardens) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	n := float64(strings.Count(strings.ToLower(p.Text), "plane tree"))
	why := orbweaver.Reason{Rule: "tree", Evidence: fmt.Sprintf("plane tree ×%.0f", n), Weight: n}
	return orbweaver.Judgement{Score: n / (n + 1), Accepted: n > 0, Reasons: []orbweaver.Reason{why}}, nil
}

func (gardens) Plan(_ context.Context, p *orbweaver.Page, j orbweaver.Judgement) (plan []orbweaver.Proposal, _ error) {
	for _, l := range p.Links {
		plan = append(plan, orbweaver.Proposal{Request: orbweaver.Request{URL: l.To, Via: &l}, Judgement: orbweaver.Judgement{Score: j.Score}})
	}
	return plan, nil
}

func main() {
	c, err := crawl.New(
		crawl.Seeds("http://tidings.example/"), crawl.Archive(os.Args[1]), crawl.Requests(200), crawl.Folder("crawls/gardens"),
		crawl.Focus("gardens", func() (orbweaver.Focus, error) { return gardens{}, nil }))
	if err != nil {
		log.Fatal(err)
	}
	sum, err := c.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum.Accepted, "pages accepted; the best:", sum.Best[0].URL)
}
