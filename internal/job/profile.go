package job

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

// Profile runs a job and writes cpu.pprof and heap.pprof, the live heap at its end, to a folder, which it creates if it
// is missing. Both files are complete when Profile returns, even if the job failed. If the folder is not writable, the
// error wraps ErrInput and the job does not run.
func Profile(dir string, job func() error) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--profile: %w (%w)", err, orbweaver.ErrInput)
	}
	cpu, err := os.Create(filepath.Join(dir, "cpu.pprof"))
	if err != nil {
		return fmt.Errorf("--profile: %w (%w)", err, orbweaver.ErrInput)
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return errors.Join(fmt.Errorf("--profile: %w", err), cpu.Close(), os.Remove(cpu.Name()))
	}
	defer func() {
		pprof.StopCPUProfile()
		err = errors.Join(err, cpu.Close())
		err = errors.Join(err, atomicfile.Write(filepath.Join(dir, "heap.pprof"), 0o666, writeHeap)) // of a failed job too
	}()
	return job()
}

// writeHeap writes the heap profile after a garbage collection.
func writeHeap(w io.Writer) error {
	runtime.GC()
	return pprof.Lookup("heap").WriteTo(w, 0)
}
