// Package machine says what the operating system lets this process have: files, address space, memory, disk and time. It divides
// the files among those who open them, and words what is too little, with the number that is needed.
package machine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"orbweaver"
)

// What a crawl needs at least.
const (
	// LeastFiles is how many files a crawl opens beside tables and connections, and a few of these. Measured, a crawl of an
	// archive gets along with 24.
	LeastFiles = 48
	// LittleDisk is the free space below which a session warns.
	LittleDisk = 256 << 20
)

// Shares are the parts of the files that a process may open.
type Shares struct {
	Limit       int // of all files; 0: none is known
	Tables      int // that databases keep open
	Connections int // to the live Web, in use at once
	Idle        int // that are kept for a next request
}

// kept are the files that are no tables and no connections: standard streams, the locks, logs and folders of databases, an archive's
// files and those being read, scratch files, the log, the control socket and its clients, the names looked up.
const kept = 32

// Share divides the files that a process may open: what is left beyond kept goes to the tables of databases, an eighth of it, to
// connections in use, a half, and to idle ones, a quarter. The rest is for what comes beside a connection, such as its name's look-up.
func Share(limit int) Shares {
	if limit <= 0 {
		limit = 1 << 14
	}
	rest := max(limit-kept, 16)
	return Shares{Limit: limit, Tables: min(max(rest/8, 8), 1000), Connections: max(rest/2, 4), Idle: max(rest/4, 2)}
}

// Files returns the shares of the files that this process may open now.
func Files() Shares { return Share(files()) }

// TooMany reports whether an error says that this process, or the machine, can open no more files.
func TooMany(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || err != nil && strings.Contains(err.Error(), syscall.EMFILE.Error())
}

// Explain adds what to do to an error by which a limit of this process, or the end of its disk, is reached; others return as they
// are.
func Explain(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: make room there, and the same command goes on", err)
	case !TooMany(err):
		return err
	}
	return fmt.Errorf("%w: this process may open %d; `ulimit -n 4096` in its shell, or LimitNOFILE= of its service, allows more", err, files())
}

// CheckFiles returns an error that wraps ErrInput if a crawl cannot open the files it needs.
func CheckFiles(limit int) error {
	if limit > 0 && limit < LeastFiles {
		return fmt.Errorf("this process may open %d files, and a crawl needs at least %d: run `ulimit -n 4096` in its shell, or set LimitNOFILE= of its service (%w)",
			limit, LeastFiles, orbweaver.ErrInput)
	}
	return nil
}

// CheckSpace returns an error that wraps ErrInput if the address space is limited to less than a crawl needs. limit is in bytes;
// 0: no limit.
func CheckSpace(limit uint64) error {
	if limit > 0 && limit < LeastSpace {
		return fmt.Errorf("the address space of this process is limited to %d MB, and orbweaver needs at least %d MB of it, most of which it never uses: run `ulimit -v %d` or more in its shell; to limit the memory it uses, set GOMEMLIMIT or the memory limit of a cgroup (%w)",
			limit>>20, LeastSpace>>20, uint64(LeastSpace)>>10, orbweaver.ErrInput)
	}
	return nil
}

// Check is CheckFiles for this process.
func Check() error { return CheckFiles(files()) }

// Starts is CheckSpace for this process, which each verb asks first.
func Starts() error { return CheckSpace(space()) }

// Connections returns how many of the wanted connections at once the files allow, and a warning if these are fewer.
func Connections(wanted int) (n int, warning string) {
	s := Files()
	if wanted <= s.Connections {
		return wanted, ""
	}
	return s.Connections, fmt.Sprintf("this process may open %d files: %d connections at once instead of %d; `ulimit -n %d` allows all",
		s.Limit, s.Connections, wanted, FilesFor(wanted))
}

// FilesFor returns how many files a process opens that has so many connections at once.
func FilesFor(connections int) int { return 2*connections + kept }

// Disk returns a warning if the disk of a folder, or of the nearest one above it that exists, has little space left.
func Disk(folder string) string {
	for {
		if free, known := free(folder); known {
			if free < LittleDisk {
				return fmt.Sprintf("the disk of %s has %d MB left: a crawl ends in order when it is full, and goes on when there is room", folder, free>>20)
			}
			return ""
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
}

// The years between which the clock is believed.
const firstYear, lastYear = 2025, 2100

// Clock returns a warning if the time cannot be right: an absurd year, or a moment before the last answer of the crawl.
func Clock(now, last time.Time) string {
	switch behind := last.Sub(now); {
	case now.Year() < firstYear || now.Year() > lastYear:
		return fmt.Sprintf("the clock says %s, which cannot be right: certificates look invalid, and the archive gets wrong dates; set the clock", now.UTC().Format(time.DateOnly))
	case !last.IsZero() && behind > time.Minute:
		return fmt.Sprintf("the clock says %s, %v before the last answer of this crawl: delays count from now, and pages get dates before older ones", now.UTC().Format(time.DateTime), behind.Round(time.Second))
	}
	return ""
}

// Memory makes Go collect garbage harder as this process gets near the memory limit of its cgroup, at nine tenths of it, unless
// GOMEMLIMIT says otherwise. It returns the limit in bytes that it set; 0: none.
func Memory() int64 {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return 0 // GOMEMLIMIT is set
	}
	limit := MemoryLimit()
	if limit <= 0 {
		return 0
	}
	limit -= limit / 10
	debug.SetMemoryLimit(limit)
	return limit
}

// MemoryLimit returns the memory limit of the cgroup of this process in bytes; 0: none.
func MemoryLimit() int64 { return cgroupLimit("/proc/self/cgroup", "/sys/fs/cgroup") }

// cgroupLimit returns the least memory limit of the cgroup that a file in the form of /proc/self/cgroup names, and of those above
// it; 0: none. It reads versions 1 and 2.
func cgroupLimit(self, root string) (least int64) {
	text, err := os.ReadFile(self)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		at, name := root, "memory.max"
		if parts[1] != "" {
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			at, name = filepath.Join(root, "memory"), "memory.limit_in_bytes"
		}
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			if n := limitIn(filepath.Join(at, filepath.FromSlash(group), name)); n > 0 && (least == 0 || n < least) {
				least = n
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// limitIn reads a limit in bytes; 0: none. Version 1 says none by a number near the largest.
func limitIn(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n >= 1<<60 {
		return 0
	}
	return n
}
