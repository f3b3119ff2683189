package krs

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// TestFailingDisk: after any failed write the process continues, every later change returns the error, and
// what was added before is there when the KRS is opened again.
func TestFailingDisk(t *testing.T) {
	broken := errors.New("broken")
	for n := int64(0); ; n++ {
		disk := vfs.NewMem()
		var changes atomic.Int64
		s, err := open("x.krs", "topic", errorfs.Wrap(disk, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && changes.Add(1)-1 == n {
				return broken
			}
			return nil
		})))
		added := int64(0)
		if err == nil {
			r := rand.New(rand.NewPCG(1, 2))
			for ; added < 5 && err == nil; added++ {
				err = s.Add(randomDocument(r, int(added)))
			}
			if err != nil {
				added--
				if again := s.Put("section", []byte("x")); !errors.Is(again, broken) {
					t.Fatalf("change %d failed: %v, and then %v", n, err, again)
				}
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
		again, err := open("x.krs", "topic", disk)
		if err != nil {
			t.Fatalf("change %d failed: %v", n, err)
		}
		if got := again.state.Documents; got < added {
			t.Errorf("change %d failed: %d documents of %d", n, got, added)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}
