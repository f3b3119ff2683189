package a

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
)

func write(string) error { return nil }

func join(ctx context.Context, f *os.File, err error) []error {
	return []error{
		errors.Join(write("part"), os.Rename("part", "path")),            // want `errors.Join: Rename is called although write may have failed`
		errors.Join(err, f.Sync(), f.Close(), os.Rename("part", "path")), // want `errors.Join: Rename is called although Close may have failed`
		errors.Join(write("copy"), os.Remove("original")),                // want `errors.Join: Remove is called although write may have failed`
		errors.Join(f.Close(), write("copy")),                            // want `errors.Join: write is called although Close may have failed`
		errors.Join(check(), write("copy")),                              // want `errors.Join: write is called although check may have failed`
		errors.Join(err, func() error { return nil }(), write("copy")),   // want `errors.Join: write is called although a function may have failed`

		errors.Join(err, f.Close(), os.Remove(f.Name())),
		errors.Join(f.Sync(), f.Close()),
		errors.Join(check(), check()),
		errors.Join(fmt.Errorf("%w", err), write("copy"), ctx.Err()),
		errors.Join([]error{write("a"), write("b")}...),
	}
}

func check() error { return nil }

func or(ctx context.Context, err error) []error {
	return []error{
		cmp.Or(write("a"), ctx.Err()), // want `cmp.Or: write is called whatever the other errors are`
		cmp.Or(ctx.Err(), write("a")), // want `cmp.Or: write is called whatever the other errors are`

		cmp.Or(err, ctx.Err()),
		cmp.Or(ctx.Err(), context.Cause(ctx)),
	}
}

func name() string { return "" }

func notErrors() string { return cmp.Or(name(), name()) }
