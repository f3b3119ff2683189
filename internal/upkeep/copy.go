package upkeep

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"orbweaver/internal/atomicfile"
)

// replicate copies a folder of files, to the disk. With links, tables are linked if they can be: they never change, and other
// files may.
func replicate(ctx context.Context, from, to string, links bool) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.Type().IsRegular() || e.Name() == "LOCK" {
			continue
		}
		source, target := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		if links && strings.HasSuffix(e.Name(), ".sst") && os.Link(source, target) == nil {
			continue
		}
		if err := copied(ctx, source, target); err != nil {
			return err
		}
	}
	return atomicfile.SyncFolder(to)
}

// copied copies a file.
func copied(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	for err == nil {
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(out, in, 64<<20)
		}
	}
	if errors.Is(err, io.EOF) {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}
