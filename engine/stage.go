package engine

import (
	"time"

	"orbweaver/internal/pipeline"
)

// The stages of a request that Config.Meter receives. The first six run on many goroutines, the others on
// the one that decides.
const (
	StageFetch   = "fetch"               // to the last byte of the response
	StagePack    = "pack"                // compression and records for the archive
	StageRead    = pipeline.StageRead    // bytes to page
	StageData    = pipeline.StageData    // data of a page that needs other documents
	StagePrepare = pipeline.StagePrepare // the focus's CPU-bound work
	StageTake    = "take"                // data of a page taken in by the ledger
	StageJudge   = "judge"               // the focus's judgement and plan
	StageOffer   = "offer"               // the plan compared with known and waiting requests
	StageLearn   = "learn"               // the focus's learning, with reranking
	StageRerank  = "rerank"              // reranking, part of learn
	StageCommit  = "commit"              // the batch
	StageFlush   = "flush"               // batches handed to the operating system
)

// begun is when a stage begins; the clock is read only for a Meter.
func (c *Crawl) begun() time.Time {
	if c.cfg.Meter == nil {
		return time.Time{}
	}
	return time.Now()
}

// took reports the duration of a stage.
func (c *Crawl) took(stage string, begun time.Time) {
	if c.cfg.Meter != nil {
		c.cfg.Meter(stage, time.Since(begun))
	}
}
