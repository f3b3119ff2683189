package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"orbweaver"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/kb/stream"
	"orbweaver/server"
)

// A labelCall asks something of a label model.
type labelCall[In, Out any] struct {
	call[In, labelled[Out]] // of the model of a running crawl
	do                      func(context.Context, *labelmodel.Book, In) (Out, error)
}

// labelled is the answer of a running crawl.
type labelled[Out any] struct {
	Learns bool `json:"learns"` // its focus learns labels: if not, there is no answer
	Answer Out  `json:"answer"`
}

func ofLabels[In, Out any](name string, do func(context.Context, *labelmodel.Book, In) (Out, error)) labelCall[In, Out] {
	c := labelCall[In, Out]{do: do}
	c.call = call[In, labelled[Out]]{name: name, focus: true, do: func(ctx context.Context, p *spot, in In) (out labelled[Out], err error) {
		m, ok := kind.LabelModel(p.bench.c.Focus.Focus())
		if !ok {
			return out, nil
		}
		out.Learns = true
		b := &labelmodel.Book{Model: m, Dir: filepath.Join(p.file.Output, labelmodel.Folder)}
		ended := p.between(ctx, func() { out.Answer, err = do(ctx, b, in) })
		return out, cmp.Or(ended, err)
	}}
	return c
}

var (
	labelsCall = ofLabels("labels", func(_ context.Context, b *labelmodel.Book, t labelmodel.Text) (*labelmodel.Explanation, error) {
		return b.Explain(t)
	})
	labelFiguresCall = ofLabels("label-figures", func(_ context.Context, b *labelmodel.Book, _ struct{}) (labelmodel.Figures, error) {
		return b.Figures(), nil
	})
	labelTreeCall = ofLabels("label-tree", func(_ context.Context, b *labelmodel.Book, q labelmodel.LabelQuery) (labelmodel.LabelPart, error) {
		return b.Labels(q)
	})
	labelRulesCall = ofLabels("label-rules", func(_ context.Context, b *labelmodel.Book, q labelmodel.RuleQuery) (labelmodel.RulePart, error) {
		return b.Rules(q)
	})
	labelTimelineCall = ofLabels("label-timeline", func(ctx context.Context, b *labelmodel.Book, n int) (labelmodel.Timeline, error) {
		return b.Timeline(ctx, n)
	})
	labelChangesCall = ofLabels("label-changes", func(ctx context.Context, b *labelmodel.Book, q labelmodel.ChangeQuery) (labelmodel.ChangePart, error) {
		return b.Changes(ctx, q)
	})
)

// A LabelModel is the label model of a folder as it is now: that of the process that runs a crawl there, if its focus learns
// labels, and otherwise the one that lies in the folder. Errors wrap orbweaver.ErrInput if there is neither, or if the model
// cannot answer. The model of a folder stays in memory with the LabelModel, until another one lies there. It is safe for
// concurrent use.
type LabelModel struct {
	at *Handle

	mu   sync.Mutex // held by who asks the model of the folder
	book *labelmodel.Book
	head os.FileInfo // of the model that book has
}

// LabelModel returns the label model of the folder. Whether there is one is seen when it is asked.
func (h *Handle) LabelModel() *LabelModel { return &LabelModel{at: h} }

// Figures returns counts of the model, its broad concepts and its alarms.
func (l *LabelModel) Figures(ctx context.Context) (labelmodel.Figures, error) {
	return askLabels(ctx, l, labelFiguresCall, struct{}{})
}

// Labels returns a part of the hierarchy of labels.
func (l *LabelModel) Labels(ctx context.Context, q labelmodel.LabelQuery) (labelmodel.LabelPart, error) {
	return askLabels(ctx, l, labelTreeCall, q)
}

// Rules returns a part of the rules that give labels, those with the most support first.
func (l *LabelModel) Rules(ctx context.Context, q labelmodel.RuleQuery) (labelmodel.RulePart, error) {
	return askLabels(ctx, l, labelRulesCall, q)
}

// Timeline counts the changes of the model in n stretches of its stream; 0: 100, at most 500.
func (l *LabelModel) Timeline(ctx context.Context, n int) (labelmodel.Timeline, error) {
	return askLabels(ctx, l, labelTimelineCall, n)
}

// Changes returns a part of the changes of the model, the oldest first.
func (l *LabelModel) Changes(ctx context.Context, q labelmodel.ChangeQuery) (labelmodel.ChangePart, error) {
	return askLabels(ctx, l, labelChangesCall, q)
}

// Why returns the labels of a text by the model, and why it has them.
func (l *LabelModel) Why(ctx context.Context, t labelmodel.Text) (*labelmodel.Explanation, error) {
	return askLabels(ctx, l, labelsCall, t)
}

// Labels returns the labels of a text, and their derivations, by the model of a running crawl as it is now. The error
// wraps server.ErrNoCrawl if no process runs the crawl: then the model in the folder is the latest.
func (h *Handle) Labels(ctx context.Context, t labelmodel.Text) (*labelmodel.Explanation, error) {
	out, err := labelsCall.running(ctx, h, t)
	if err == nil && !out.Learns {
		err = server.ErrNoCrawl
	}
	return out.Answer, err
}

// askLabels makes a call on a label model.
func askLabels[In, Out any](ctx context.Context, l *LabelModel, c labelCall[In, Out], in In) (out Out, err error) {
	if crawlfolder.CheckCrawl(l.at.Dir) == nil {
		running, err := c.running(ctx, l.at, in)
		if err == nil && running.Learns || err != nil && !errors.Is(err, server.ErrNoCrawl) {
			return running.Answer, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.read(); err != nil {
		return out, err
	}
	return c.do(ctx, l.book, in)
}

// read reads the model of the folder, unless it is in memory. It must be called with l.mu held.
func (l *LabelModel) read() error {
	dir, err := labelmodel.Locate(l.at.Dir)
	if err != nil {
		return err
	}
	head, err := os.Stat(filepath.Join(dir, stream.HeadFile))
	if err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if l.book != nil && l.book.Dir == dir && os.SameFile(head, l.head) && head.ModTime().Equal(l.head.ModTime()) {
		return nil
	}
	l.book = nil // two do not fit where one does
	m, _, err := labelmodel.Open(dir, "")
	if err == nil {
		l.book, l.head = &labelmodel.Book{Model: m, Dir: dir}, head
	}
	return err
}
