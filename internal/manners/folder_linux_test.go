package manners

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

// open returns a registry of a process that shares a folder.
func open(path string) *Registry { return Open(func() (string, error) { return path, nil }) }

// join joins a registry, and fails the test if nothing is shared.
func join(t *testing.T, r *Registry) *Member {
	t.Helper()
	return r.Join(func(err error) { t.Errorf("not shared: %v", err) })
}

const place = "http://one.test"

// TestProcesses: a crawl of another process knows of turns, starts and rests.
func TestProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "caches", "hosts")
	a, b := join(t, open(path)), join(t, open(path))
	now := time.Unix(0, noon)
	if _, ok := a.Claim(place, time.Second, now); !ok {
		t.Fatal("the first is refused")
	}
	expect := func(m *Member, at, want time.Duration) {
		t.Helper()
		until, ok := m.Claim(place, 2*time.Second, now.Add(at))
		if got := until.Sub(now); got != want || ok != (want == at) {
			t.Errorf("at %v: until %v, %v, want %v", at, got, ok, want)
		}
	}
	expect(b, time.Second, 2*time.Second)
	a.Release(place, now.Add(time.Second/2), time.Second)
	expect(b, 2*time.Second, 5*time.Second/2+time.Duration(corrected))
	a.Rest(place, now.Add(time.Minute))
	expect(b, 5*time.Second/2, time.Minute)
	a.Rest(place, now.Add(3*time.Second))
	expect(b, 3*time.Second, 3*time.Second)
	a.Close()
	b.Close()
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) != 1 || !strings.HasPrefix(entries[0].Name(), "places-") {
		t.Errorf("left: %v, %v", entries, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestProcessEnds: a process that ends in its turn keeps nobody waiting but for the delay.
func TestProcessEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	killed := open(path)
	a, b, now := join(t, killed), join(t, open(path)), time.Unix(0, noon)
	if _, ok := a.Claim(place, time.Second, now); !ok {
		t.Fatal("the first is refused")
	}
	unix.Close(killed.store.(*folder).own) // as the system does
	now = now.Add(time.Second)
	until, ok := b.Claim(place, time.Second, now)
	if ok || until.Sub(now) != time.Second {
		t.Errorf("until %v, %v", until.Sub(now), ok)
	}
	if _, ok = b.Claim(place, time.Second, until); !ok {
		t.Error("it still waits")
	}
	left := filepath.Join(path, killed.store.(*folder).name)
	if err := os.Chtimes(left, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	c := join(t, open(path))
	c.Claim("http://two.test", time.Second, now)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of a process that has ended: %v", err)
	}
	if _, err := os.Stat(filepath.Join(path, b.registry.store.(*folder).name)); err != nil {
		t.Error(err)
	}
	b.Close()
	c.Close()
}

// TestBusy: a page that another process has locked is asked again soon, and what could not be written there is written later.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	synctest.Test(t, func(t *testing.T) {
		r := open(path)
		a, b, now := join(t, r), join(t, open(path)), time.Now()
		if _, ok := a.Claim(place, time.Second, now); !ok {
			t.Fatal("the first is refused")
		}
		f := r.store.(*folder)
		file, err := f.open(fmt.Sprintf(pageFile, keyOf(place).page()), 0)
		if err == nil {
			err = f.lock(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		if until, ok := b.Claim(place, time.Second, now); ok || until.Sub(now) != busyWait {
			t.Errorf("busy: until %v, %v", until.Sub(now), ok)
		}
		a.Release(place, now, time.Second)
		a.Rest(place, now.Add(3*time.Second))
		<-time.After(4 * busyWait)
		unix.Close(file)
		<-time.After(2 * busyWait)
		if until, ok := b.Claim(place, time.Second, time.Now()); ok || !until.Equal(now.Add(3*time.Second)) {
			t.Errorf("until %v, %v", until.Sub(now), ok)
		}
		a.Release(place, time.Time{}, 0)
		a.Close()
		b.Close()
	})
}

// TestFolderRefused: a folder that is not the user's own, or cannot be had, is not used: crawls are told once, and share within the process.
func TestFolderRefused(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "own")
	for _, err := range []error{
		os.Mkdir(own, 0o700), os.Symlink(own, filepath.Join(dir, "link")), os.Mkdir(filepath.Join(dir, "open"), 0o700), os.Chmod(filepath.Join(dir, "open"), 0o770),
		os.WriteFile(filepath.Join(dir, "file"), nil, 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"link": "not a directory", "open": "chmod 700", "file": "not a directory", "none": "no folder"} {
		r := Open(func() (string, error) {
			if name == "none" {
				return "", errors.New("no folder")
			}
			return filepath.Join(dir, name), nil
		})
		checkAlone(t, r, want)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(own, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		checkAlone(t, open(own), "another user")
	}
	if entries, err := os.ReadDir(own); err != nil || len(entries) > 0 {
		t.Errorf("written: %v, %v", entries, err)
	}
}

// checkAlone checks that the crawls of a registry share within the process, and are told once why no more.
func checkAlone(t *testing.T, r *Registry, why string) {
	t.Helper()
	var told []error
	a, b := r.Join(func(err error) { told = append(told, err) }), r.Join(func(error) {})
	now := time.Unix(0, noon)
	_, first := a.Claim(place, time.Second, now)
	_, second := b.Claim(place, time.Second, now)
	a.Release(place, now, time.Second)
	_, again := a.Claim("http://two.test", time.Second, now)
	if !first || second || !again || len(told) != 1 || !strings.Contains(told[0].Error(), why) {
		t.Errorf("%s: turns %v, %v, %v, told %v", why, first, second, again, told)
	}
	a.Close()
	b.Close()
}

// TestFolderFails: a folder that fails in mid-crawl is left, and other processes do not wait for this one.
func TestFolderFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	failing := open(path)
	a, b := failing.Join(func(error) {}), join(t, open(path))
	now := time.Unix(0, noon)
	if _, ok := a.Claim(place, time.Second, now); !ok {
		t.Fatal("the first is refused")
	}
	if err := os.Mkdir(filepath.Join(path, fmt.Sprintf(pageFile, keyOf("http://two.test").page())), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, ok := a.Claim("http://two.test", time.Second, now); !ok {
		t.Error("refused")
	}
	if until, ok := b.Claim(place, time.Second, now); ok || until.Sub(now) != time.Second {
		t.Errorf("until %v, %v", until.Sub(now), ok)
	}
	a.Close()
	b.Close()
	checkAlone(t, failingAt(t, path), "is a directory")
}

// failingAt returns a registry that opens a folder, whose pages cannot be written.
func failingAt(t *testing.T, path string) *Registry {
	t.Helper()
	for _, p := range []string{place, "http://two.test"} {
		name := filepath.Join(path, fmt.Sprintf(pageFile, keyOf(p).page()))
		if err := errors.Join(os.RemoveAll(name), os.Mkdir(name, 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	return open(path)
}

// TestDamaged: whatever the files of a folder hold, claims go on, and nobody waits for longer than a rest.
func TestDamaged(t *testing.T) {
	path, random := filepath.Join(t.TempDir(), "hosts"), rand.New(rand.NewPCG(1, 2))
	a, b := join(t, open(path)), join(t, open(path))
	file := filepath.Join(path, fmt.Sprintf(pageFile, keyOf(place).page()))
	for i := range 300 {
		now := time.Unix(0, noon+int64(i)*3600*second)
		if _, ok := a.Claim(place, time.Second, now); !ok {
			t.Fatalf("%d: refused", i)
		}
		a.Release(place, now, time.Second)
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0:
			content = content[:random.IntN(len(content))]
		case 1:
			content[random.IntN(len(content))] ^= byte(1 + random.IntN(255))
		case 2:
			content = append(content, make([]byte, random.IntN(2*len(page{})))...)
			for i := range content {
				content[i] = byte(random.Uint32())
			}
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if until, _ := b.Claim(place, time.Second, now); until.Sub(now) > time.Second+time.Duration(corrected) {
			t.Errorf("%d: until %v", i, until.Sub(now))
		}
		b.Release(place, time.Time{}, 0)
	}
	a.Close()
	b.Close()
}

// TestBounded: a folder of very many places has a bounded number of files, each of bounded size.
func TestBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	m := join(t, open(path))
	for i := range 12_000 {
		name := fmt.Sprintf("http://h%d.test", i)
		now := time.Unix(0, noon+int64(i)*second)
		if _, ok := m.Claim(name, time.Second, now); !ok {
			t.Fatalf("%d: refused", i)
		}
		m.Release(name, now, time.Second)
	}
	m.Close()
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) > pages || len(entries) < pages/2 {
		t.Errorf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Size() > slots*slotSize {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
}

// TestNotAFile: what lies in the folder in place of a file, a link or a pipe, is not followed, and blocks nobody.
func TestNotAFile(t *testing.T) {
	for kind, plant := range map[string]func(name string) error{
		"link": func(name string) error { return os.Symlink(filepath.Join(filepath.Dir(name), "elsewhere"), name) },
		"pipe": func(name string) error { return unix.Mkfifo(name, 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "hosts")
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := plant(filepath.Join(path, fmt.Sprintf(pageFile, keyOf(place).page()))); err != nil {
			t.Fatal(err)
		}
		told := 0
		m := open(path).Join(func(error) { told++ })
		now := time.Unix(0, noon)
		for i := range 3 {
			if _, ok := m.Claim(place, time.Second, now); !ok {
				t.Errorf("%s: claim %d is refused", kind, i)
			}
			m.Release(place, now, time.Second)
		}
		m.Close()
		if told != 1 {
			t.Errorf("%s: told %d times", kind, told)
		}
		if _, err := os.Stat(filepath.Join(path, "elsewhere")); err == nil {
			t.Errorf("%s: followed", kind)
		}
	}
}

// TestConcurrent: crawls of two processes on many goroutines never have the same place at once.
func TestConcurrent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts")
	registries := []*Registry{open(path), open(path)}
	var mu sync.Mutex
	there := map[string]int{}
	var running sync.WaitGroup
	for i := range 6 {
		running.Go(func() {
			m := join(t, registries[i%2])
			defer m.Close()
			for n := range 400 {
				name := fmt.Sprintf("http://h%d.test", (n+i)%5)
				if _, ok := m.Claim(name, time.Nanosecond, time.Now()); !ok {
					continue
				}
				mu.Lock()
				if there[name]++; there[name] > 1 {
					t.Errorf("%d crawls at %s", there[name], name)
				}
				mu.Unlock()
				mu.Lock()
				there[name]--
				mu.Unlock()
				m.Release(name, time.Now(), time.Nanosecond)
			}
		})
	}
	running.Wait()
}

// TestVariable: the variable names the folder, or turns sharing between processes off.
func TestVariable(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "caches"))
	claim := func() {
		m := join(t, Ours())
		m.Claim(place, time.Second, time.Now())
		m.Close()
	}
	for _, off := range []string{"", "off"} {
		t.Setenv(Variable, off)
		claim()
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("off: %v, %v", entries, err)
	}
	t.Setenv(Variable, filepath.Join(dir, "mine"))
	claim()
	if err := os.Unsetenv(Variable); err != nil {
		t.Fatal(err)
	}
	claim()
	for _, made := range []string{"mine", "caches/orbweaver/hosts"} {
		if entries, err := os.ReadDir(filepath.Join(dir, made)); err != nil || len(entries) != 1 {
			t.Errorf("%s: %v, %v", made, entries, err)
		}
	}
}

// BenchmarkTurn is what a request costs: the claims of a host and its address, and their ends.
func BenchmarkTurn(b *testing.B) {
	for _, tc := range []struct {
		name     string
		registry *Registry
	}{{"process", New()}, {"folder", open(filepath.Join(b.TempDir(), "hosts"))}} {
		b.Run(tc.name, func(b *testing.B) {
			m := tc.registry.Join(func(err error) { b.Error(err) })
			defer m.Close()
			b.ReportAllocs()
			now := time.Unix(0, noon)
			for i := 0; b.Loop(); i++ {
				places := []string{fmt.Sprintf("http://h%d.test", i%1000), fmt.Sprintf("10.0.%d.%d:80", i%1000/250, i%250)}
				now = now.Add(time.Millisecond)
				for _, place := range places {
					if _, ok := m.Claim(place, time.Second, now); !ok {
						b.Fatal("refused")
					}
				}
				for _, place := range places {
					m.Release(place, now, time.Second)
				}
			}
		})
	}
}
