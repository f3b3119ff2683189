package metadata

import (
	"context"
	"io"

	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/findings"
)

// Recommend ranks the vocabularies and datasets found by a metadata crawl; given an RDF file of the user's data, by their fit
// to it. With Tables it tells what each term led to, its instances and its time instead. Errors of the folder or the file wrap ErrInput.
func Recommend(ctx context.Context, out io.Writer, dir, data string, opts findings.Options) error {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return err
	}
	found, err := findings.Read(dir)
	if err != nil {
		return err
	}
	if opts.Tables {
		return findings.Tables(out, found, opts)
	}
	if data != "" {
		if opts.Use, err = UseOf(ctx, data); err != nil {
			return err
		}
	}
	return findings.Recommend(out, found, opts)
}
