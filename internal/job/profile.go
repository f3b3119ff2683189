package job

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"

	"orbweaver"
	"orbweaver/internal/crawlfolder"
)

// Profile does a job and writes into a folder, which it makes if need be, what the job spent:
// cpu.pprof, the processor's time, and heap.pprof, the memory in use at its end. Both are whole when
// it returns, however the job ended. An error wraps ErrInput when the folder cannot be written to:
// then nothing was done.
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
		err = errors.Join(err, cpu.Close(), crawlfolder.ReplaceWith(filepath.Join(dir, "heap.pprof"), writeHeap))
	}()
	return job()
}

// writeHeap writes what is in use. Collecting garbage first leaves out what nobody needs any more.
func writeHeap(f *os.File) error {
	runtime.GC()
	return pprof.Lookup("heap").WriteTo(f, 0)
}
