package engine

import (
	"time"

	"orbweaver/internal/pipeline"
)

// The stages of a request that Config.Meter hears of. The first five run in many goroutines at a time,
// the others on the one that decides.
const (
	StageFetch   = "fetch"               // until the answer's last byte
	StagePack    = "pack"                // its records made ready for the archive
	StageRead    = pipeline.StageRead    // bytes to page
	StageData    = pipeline.StageData    // the data in a page, where other documents are needed for it
	StagePrepare = pipeline.StagePrepare // the focus's heavy work
	StageJudge   = "judge"               // its opinion of the page, and of the links on it
	StageOffer   = "offer"               // links compared with what is known and waits
	StageLearn   = "learn"               // what it learns, and what is ranked again by it
	StageRerank  = "rerank"              // ranking again, part of learn
	StageCommit  = "commit"              // the batch
	StageFlush   = "flush"               // batches handed to the operating system
)

// begun is when a stage begins; nobody looks at the clock for nothing.
func (c *Crawl) begun() time.Time {
	if c.cfg.Meter == nil {
		return time.Time{}
	}
	return time.Now()
}

// took tells how long a stage took.
func (c *Crawl) took(stage string, begun time.Time) {
	if c.cfg.Meter != nil {
		c.cfg.Meter(stage, time.Since(begun))
	}
}
