package offline

import (
	"context"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/store"
)

// WhyLabels prints why a document has its labels by the model of a folder: a page of the crawl, by its URL, or a
// file, "-" being In. The error wraps ErrInput.
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
