package metadata

import "orbweaver"

// Judging decides which candidates belong to the terms given.
type Judging interface{}

func (f *Focus) candidates(orbweaver.Known, []Found) ([]orbweaver.Proposal, error) { return nil, nil }
func (f *Focus) judge(orbweaver.Known) ([]orbweaver.Proposal, error)               { return nil, nil }
