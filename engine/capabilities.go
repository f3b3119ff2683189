package engine

import "orbweaver"

// capabilities are a focus and its optional interfaces. The engine asserts them in capabilitiesOf alone; a
// Preparer is the business of package pipeline.
type capabilities struct {
	orbweaver.Focus
	seeder    orbweaver.Seeder
	recoverer orbweaver.Recoverer
	rephraser orbweaver.Rephraser
	learner   orbweaver.Learner
	rounder   orbweaver.Rounder
	reranker  orbweaver.Reranker
	merger    orbweaver.Merger
	decider   orbweaver.Decider
	relearner orbweaver.Relearner
}

func capabilitiesOf(f orbweaver.Focus) capabilities {
	all := capabilities{Focus: f}
	all.seeder, _ = f.(orbweaver.Seeder)
	all.recoverer, _ = f.(orbweaver.Recoverer)
	all.rephraser, _ = f.(orbweaver.Rephraser)
	all.learner, _ = f.(orbweaver.Learner)
	all.rounder, _ = f.(orbweaver.Rounder)
	all.reranker, _ = f.(orbweaver.Reranker)
	all.merger, _ = f.(orbweaver.Merger)
	all.decider, _ = f.(orbweaver.Decider)
	all.relearner, _ = f.(orbweaver.Relearner)
	return all
}
