package crawl

import (
	"context"
	"path/filepath"

	"orbweaver/internal/inspect"
	"orbweaver/internal/judge"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/store"
	"orbweaver/kb/labels"
)

// What a label model is asked, and what it answers.
type (
	LabelModel    = inspect.LabelModel // the labels of a crawl or of a folder, with the rules that give them
	LabelFigures  = labelmodel.Figures
	LabelQuery    = labelmodel.LabelQuery // a part of the hierarchy
	LabelPart     = labelmodel.LabelPart
	LabelNode     = labelmodel.LabelNode
	RuleQuery     = labelmodel.RuleQuery
	RulePart      = labelmodel.RulePart
	LabelTimeline = labelmodel.Timeline // how a model changed along its stream
	ChangeQuery   = labelmodel.ChangeQuery
	ChangePart    = labelmodel.ChangePart
	ChangeKind    = labels.Kind
)

// LabelModel returns the label model of the crawl as it is now: of a running crawl whose focus learns labels the one in its memory,
// and otherwise the one in its folder. Its calls wrap orbweaver.ErrInput if there is none.
func (c *Crawl) LabelModel() *LabelModel { return c.at.LabelModel() }

// OpenLabelModel returns the label model in a folder: that of a crawl, or one that orbweaver lab labels train made. The error wraps
// orbweaver.ErrInput if there is none.
func OpenLabelModel(folder string) (*LabelModel, error) {
	folder, err := filepath.Abs(folder)
	if err == nil {
		_, err = labelmodel.Locate(folder)
	}
	c := &Crawl{}
	c.with(&settings{})
	c.at.Dir = folder
	return c.LabelModel(), err
}

// Document returns the text of a page of the crawl, from its archive. The error wraps orbweaver.ErrInput if the crawl did not fetch
// the page.
func (c *Crawl) Document(ctx context.Context, url string) (d Document, err error) {
	if url, err = judge.AddressOf(url); err != nil {
		return d, err
	}
	return store.TextOf(ctx, c.at.Job, c.at.Dir, url)
}
