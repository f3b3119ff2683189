package offline

import (
	"context"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/store"
)

// WhyLabels prints the labels of a document, and their derivations, by the model of a folder. The document
// is a page of the crawl, by its URL, or a file; "-" is In. The error wraps ErrInput.
func WhyLabels(ctx context.Context, a *job.Job, dir, name, wordNet string, asJSON bool) error {
	m, _, err := labelmodel.Open(dir, wordNet)
	if err != nil {
		return err
	}
	t, err := store.TextOf(ctx, a, dir, name)
	if err != nil {
		return err
	}
	return labelmodel.Why(&a.Console, m, t, asJSON)
}
