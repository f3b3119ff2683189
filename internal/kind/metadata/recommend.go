package metadata

import (
	"context"
	"io"

	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/findings"
)

// Recommend tells which vocabularies and datasets a metadata crawl recommends; with the user's own data, a
// file of RDF, which fit that best. Errors that wrap ErrInput are of the folder or the file.
func Recommend(ctx context.Context, out io.Writer, dir, data string, opts findings.Options) error {
	if err := crawlfolder.CheckCrawl(dir); err != nil {
		return err
	}
	found, err := findings.Read(dir)
	if err != nil {
		return err
	}
	if data != "" {
		if opts.Use, err = UseOf(ctx, data); err != nil {
			return err
		}
	}
	return findings.Recommend(out, found, opts)
}
