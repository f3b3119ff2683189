package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/machine"
	"orbweaver/internal/services"
	"orbweaver/weburl"
)

// live reports whether a crawl file is of the live Web.
func (p Patient) live() bool { return p.File != nil && p.File.Web == nil }

// one is a check's single finding.
func one(s State, do, format string, args ...any) []Finding {
	return []Finding{{State: s, Says: fmt.Sprintf(format, args...), Do: do}}
}

// The differences of clocks that are no matter.
const (
	jump = time.Second // by which a clock may be set while the doctor looks
	off  = time.Minute // from the clock of a server
)

// clock compares the time of day with the build of this program, with a clock that only runs, and with the clock of a seed's host.
func clock(ctx context.Context, m *Machine, p Patient) []Finding {
	wall, running := m.Now()
	const set = "set the clock, and keep it right by NTP"
	if says := machine.Clock(wall, time.Time{}); says != "" {
		return one(Problem, "", "%s", says)
	}
	if wall.Before(m.Built) {
		return one(Problem, set, "the clock says %s, before this program was made (%s)", wall.UTC().Format(time.DateTime), m.Built.UTC().Format(time.DateTime))
	}
	text, found := wall.UTC().Format(time.DateTime)+" UTC", []Finding(nil)
	if p.live() && len(p.File.Seeds.URLs) > 0 {
		var differs time.Duration
		if text, differs, found = compared(ctx, m, p, text); differs.Abs() > off {
			way := "behind"
			if differs < 0 {
				way = "ahead of"
			}
			return append(one(Warning, set, "the clock is %v %s that of %s", differs.Abs().Round(time.Second), way, weburl.Host(p.File.Seeds.URLs[0])), found...)
		}
	}
	later, ran := m.Now()
	if drift := later.Sub(wall) - (ran - running); drift.Abs() > jump || ran < running {
		return append(one(Warning, "have NTP slew it instead of setting it", "the clock was set by %v meanwhile", drift.Round(time.Millisecond)), found...)
	}
	return append(one(OK, "", "%s", text), found...)
}

// compared asks the host of the first seed for its robots.txt, and returns by how much its clock is ahead.
func compared(ctx context.Context, m *Machine, p Patient, text string) (says string, ahead time.Duration, found []Finding) {
	host := weburl.Host(p.File.Seeds.URLs[0])
	at, err := m.Date(ctx, p.File, host+"/robots.txt")
	now, _ := m.Now()
	switch {
	case errors.Is(err, orbweaver.ErrInput): // logins says what is missing
		return text, 0, nil
	case err != nil:
		return text, 0, []Finding{{Check: "seeds", State: Warning, Says: fmt.Sprintf("%s: %s", host, weburl.Redacted(err.Error())), Do: "look whether the host is up and this machine reaches it"}}
	case at.IsZero():
		return text + "; " + host + " tells no time", 0, nil
	}
	return text + ", as at " + host, at.Sub(now), nil
}

// The time of a commit to the disk from which on it is slow.
const slowSync = 50 * time.Millisecond

// disk looks at the folder to write to: the output of the crawl file, or the working directory.
func disk(_ context.Context, m *Machine, p Patient) []Finding {
	folder := "."
	if p.File != nil {
		folder = standing(p.File.Output)
	}
	shown := console.Relative(folder)
	median, err := m.Sync(folder)
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return one(Problem, "give this user the right to write there, or name another output", "%s: %v", shown, err)
	case err != nil:
		return one(Problem, "", "%s: %v", shown, machine.Explain(err))
	}
	free, known := m.Free(folder)
	left := "free space not known"
	if known {
		left = console.SizeOf(free) + " free"
	}
	switch took := median.Round(10 * time.Microsecond); {
	case known && free < machine.LittleDisk:
		return one(Warning, fmt.Sprintf("make room: below %s sessions warn, and a crawl ends in order when the disk is full", console.SizeOf(machine.LittleDisk)), "%s: %s", shown, left)
	case median > slowSync:
		return one(Warning, "on the live Web a crawl commits before each turn: put the folder on a local disk", "%s: %s, fsync takes %v", shown, left, took)
	default:
		return one(OK, "", "%s: %s, writable, fsync takes %v", shown, left, took)
	}
}

// files compares the limit of open files with what a crawl needs.
func files(_ context.Context, m *Machine, p Patient) []Finding {
	if err := machine.CheckFiles(m.Files); err != nil {
		return one(Problem, "run `ulimit -n 4096` in its shell, or set LimitNOFILE= of its service",
			"this process may open %d files, and a crawl needs at least %d", m.Files, machine.LeastFiles)
	}
	wanted := services.MostWorkers
	if p.File != nil {
		switch {
		case !p.live():
			return one(OK, "", "%d may be open; a crawl of an archive needs %d", m.Files, machine.LeastFiles)
		case p.File.Workers > 0:
			wanted = p.File.Workers
		}
	}
	if s := machine.Share(m.Files); s.Connections < wanted {
		return one(Warning, fmt.Sprintf("`ulimit -n %d` allows all", machine.FilesFor(wanted)),
			"%d may be open, so that a crawl of the live Web has %d connections at once instead of %d", m.Files, s.Connections, wanted)
	}
	return one(OK, "", "%d may be open; a crawl of the live Web wants %d", m.Files, machine.FilesFor(wanted))
}

// memoryDefault is the default of memory in a crawl file.
const memoryDefault = 1e9

// memory compares the limit of the cgroup with what a crawl keeps in memory by its crawl file.
func memory(_ context.Context, m *Machine, p Patient) []Finding {
	wanted := int64(memoryDefault)
	if p.File != nil {
		wanted = p.File.Memory
	}
	switch {
	case m.Memory == 0:
		return one(OK, "", "no limit by a cgroup")
	case wanted > m.Memory/2:
		return one(Warning, fmt.Sprintf("write memory: %dMB into it, or raise the limit", max(m.Memory/4/1e6, 1)),
			"the limit is %s, and a crawl may keep known URLs in %s (memory in the crawl file)", console.SizeOf(m.Memory), console.SizeOf(wanted))
	}
	return one(OK, "", "the limit is %s", console.SizeOf(m.Memory))
}

// ports looks whether the studio and serve can listen where they do by default. That they cannot is no problem of a crawl.
func ports(ctx context.Context, m *Machine, _ Patient) []Finding {
	var found []Finding
	var free []string
	for _, s := range []struct{ verb, address string }{{"studio", Studio}, {"serve", Serve}} {
		err := m.Listen(s.address)
		if err == nil {
			free = append(free, fmt.Sprintf("%s (%s)", s.address, s.verb))
			continue
		}
		says := err.Error()
		if name := m.Who(ctx, s.address); name != "" {
			says += "; what answers there is " + console.Visible(name, 60)
		}
		found = append(found, one(Warning, fmt.Sprintf("end it, or use `orbweaver %s --listen :0`", s.verb), "%s", says)...)
	}
	if len(free) > 0 {
		found = append(found, one(OK, "", "free: %s", strings.Join(free, ", "))...)
	}
	return found
}
