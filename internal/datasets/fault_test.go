package datasets

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// TestFailingDisk: whichever change to the disk fails, the process survives with an error, and the store
// opens again with each dataset complete or absent.
func TestFailingDisk(t *testing.T) {
	broken := errors.New("broken")
	from := Source{URL: "http://a.test/a.nt", Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:d> .\n")), nil
	}}
	for n := int64(0); ; n++ {
		disk := vfs.NewMem()
		if err := disk.MkdirAll("d", 0o777); err != nil {
			t.Fatal(err)
		}
		var changes atomic.Int64
		s, err := open("d", errorfs.Wrap(disk, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && changes.Add(1)-1 == n {
				return broken
			}
			return nil
		})), Limits{})
		loaded := 0
		if err == nil {
			for _, name := range []string{"a", "b"} {
				if _, _, err = s.Load(t.Context(), name, from); err != nil {
					break
				}
				loaded++
			}
			err = cmp.Or(err, s.Close())
		}
		if changes.Load() <= n {
			t.Logf("%d changes", n)
			return
		}
		if err != nil && !errors.Is(err, broken) {
			t.Fatalf("change %d failed: %v", n, err)
		}
		again, err := open("d", disk, Limits{})
		if err != nil {
			t.Fatalf("change %d failed: %v", n, err)
		}
		all, err := again.All()
		if err != nil || len(all) < loaded {
			t.Errorf("change %d failed: %d datasets of %d, %v", n, len(all), loaded, err)
		}
		for _, r := range all {
			if r.Triples != 2 {
				t.Errorf("change %d failed: %+v", n, r)
			}
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}
