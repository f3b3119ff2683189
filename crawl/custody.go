package crawl

import (
	"context"
	"path/filepath"

	"orbweaver/internal/custody"
)

// Results of Check and Repair.
type (
	CheckReport = custody.Report   // what a check of a crawl folder found
	Fault       = custody.Fault    // something that is not as it was written
	Repaired    = custody.Repaired // what a repair did, and what stays
)

// Check reads all files of a crawl folder that no process uses, and changes nothing: all digests, all references between ledger,
// archive and pages.jsonl. What is damaged is in the report and no error; the folder may be damaged so that Open refuses it. The
// error wraps orbweaver.ErrInput if the folder is none of a crawl, and orbweaver.ErrBusy while a process uses it.
func Check(ctx context.Context, folder string, options ...Option) (*CheckReport, error) {
	c, folder, err := at(folder, options)
	if err != nil {
		return nil, err
	}
	return custody.Check(ctx, c.at.Job, folder)
}

// Repair checks a crawl folder and repairs what other files tell: pages.jsonl from the ledger, the indexes of the archive from its
// records, the crawl file from the ledger's copy, and ledger and archive by crawling again, where an archive was crawled. Errors
// are as of Check; what cannot be repaired is in the result.
func Repair(ctx context.Context, folder string, options ...Option) (*Repaired, error) {
	c, folder, err := at(folder, options)
	if err != nil {
		return nil, err
	}
	return custody.Repair(ctx, c.at.Job, folder)
}

// at returns a crawl with its job for a folder that may be damaged.
func at(folder string, options []Option) (*Crawl, string, error) {
	s, err := settle(options)
	if err != nil {
		return nil, "", err
	}
	c := &Crawl{}
	c.with(s)
	folder, err = filepath.Abs(folder)
	return c, folder, err
}
