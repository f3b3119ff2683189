package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// place is a kind of location, with a large file of as many bytes as are sent in parts.
type place struct {
	name  string
	large int
	open  func(t *testing.T) Store
}

// places are the locations on which all tests of conformance run.
func places() []place {
	fakeAt := func(prefix string) func(t *testing.T) Store {
		return func(t *testing.T) Store {
			server := httptest.NewServer(newFake())
			t.Cleanup(server.Close)
			fakeKeys(t)
			location := "s3://webs" + prefix + "?tls=off&endpoint=" + server.Listener.Addr().String()
			return opened(t, location, options{partSize: 1000})
		}
	}
	return []place{
		{"folder", 3500, func(t *testing.T) Store { return opened(t, filepath.Join(t.TempDir(), "new/one"), options{}) }},
		{"bucket", 3500, fakeAt("")},
		{"bucket with prefix", 3500, fakeAt("/a/crawl/")},
		{"server", partSize + 12345, func(t *testing.T) Store {
			location := os.Getenv("ORBWEAVER_S3")
			if location == "" {
				t.Skip("ORBWEAVER_S3 names no s3:// location")
			}
			s := opened(t, location, options{})
			for o, err := range s.List(t.Context(), "") {
				if err == nil {
					err = s.Delete(t.Context(), o.Name)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			return s
		}},
	}
}

// fakeKeys sets the keys of the fake server.
func fakeKeys(t *testing.T) {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", fakeKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", fakeSecret)
	t.Setenv("AWS_SESSION_TOKEN", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "")
	t.Setenv("NO_PROXY", "*")
}

func opened(t *testing.T, location string, o options) *store {
	t.Helper()
	s, err := open(t.Context(), location, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func put(t *testing.T, s Store, name, body string) {
	t.Helper()
	if err := s.Put(t.Context(), name, []byte(body)); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s Store, name string) string {
	t.Helper()
	body, err := s.Get(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func list(t *testing.T, s Store, prefix string) (names []string) {
	t.Helper()
	for o, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, o.Name)
	}
	return names
}

func TestConformance(t *testing.T) {
	tests := []struct {
		name string
		test func(t *testing.T, s Store, large int)
	}{
		{"objects are put, read, replaced and deleted", testObjects},
		{"ranges end with the object", testRanges},
		{"lists are in the order of names", testLists},
		{"names that are none are refused", testNames},
		{"files are put", testFiles},
		{"readers see one object whole", testWhole},
		{"a done context ends everything", testDone},
	}
	for _, p := range places() {
		for _, tc := range tests {
			t.Run(p.name+"/"+tc.name, func(t *testing.T) { tc.test(t, p.open(t), p.large) })
		}
	}
}

func testObjects(t *testing.T, s Store, _ int) {
	for _, body := range []string{"one", "another", ""} {
		put(t, s, "a/b_c/D-1.x", body)
		if got := get(t, s, "a/b_c/D-1.x"); got != body {
			t.Errorf("%q was put, and %q is read", body, got)
		}
	}
	for range 2 {
		if err := s.Delete(t.Context(), "a/b_c/D-1.x"); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a/b_c/D-1.x", "a", "a/b_c", "never"} {
		if _, err := s.Get(t.Context(), name); !errors.Is(err, ErrAbsent) || !strings.Contains(err.Error(), name) {
			t.Errorf("get %s: %v", name, err)
		}
		if _, err := s.Range(t.Context(), name, 0, 10); !errors.Is(err, ErrAbsent) {
			t.Errorf("range %s: %v", name, err)
		}
		if err := s.Delete(t.Context(), name); err != nil {
			t.Errorf("delete %s: %v", name, err)
		}
	}
	if err := s.Put(t.Context(), "large", make([]byte, MaxBody+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a body beyond MaxBody: %v", err)
	}
}

func testRanges(t *testing.T, s Store, _ int) {
	put(t, s, "digits", "0123456789")
	put(t, s, "empty", "")
	for _, tc := range []struct {
		name         string
		from, length int64
		want         string
	}{
		{"digits", 0, 10, "0123456789"},
		{"digits", 0, 1, "0"},
		{"digits", 3, 4, "3456"},
		{"digits", 8, 10, "89"},
		{"digits", 9, 1, "9"},
		{"digits", 10, 1, ""},
		{"digits", 11, 1, ""},
		{"digits", 3, 0, ""},
		{"empty", 0, 5, ""},
	} {
		if got, err := s.Range(t.Context(), tc.name, tc.from, tc.length); err != nil || string(got) != tc.want {
			t.Errorf("%s: %d bytes from %d: %q, %v; want %q", tc.name, tc.length, tc.from, got, err, tc.want)
		}
	}
	for _, wrong := range [][2]int64{{-1, 5}, {0, -1}} {
		if _, err := s.Range(t.Context(), "digits", wrong[0], wrong[1]); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	if _, err := s.Range(t.Context(), "digits", 0, MaxBody+1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a range beyond MaxBody: %v", err)
	}
}

func testLists(t *testing.T, s Store, _ int) {
	all := []string{"a-b", "a.b", "a/b", "a/b-", "a/c/d", "a0", "aa", "b/x", "b/y", "z"}
	for _, name := range slices.Backward(all) {
		put(t, s, name, name)
	}
	for _, prefix := range []string{"", "a", "a/", "a/b", "a/c/", "b/y", "no", "a/b/c", "z", ".", "a."} {
		var want []string
		for _, name := range all {
			if strings.HasPrefix(name, prefix) {
				want = append(want, name)
			}
		}
		if got := list(t, s, prefix); !slices.Equal(got, want) {
			t.Errorf("prefix %q: %v, want %v", prefix, got, want)
		}
	}
	for o, err := range s.List(t.Context(), "a/c") {
		if err != nil || o != (Object{"a/c/d", 5}) {
			t.Errorf("%v, %v", o, err)
		}
	}
	for o := range s.List(t.Context(), "") { // a caller may stop
		if o.Name == "a/b" {
			break
		}
	}
}

func testNames(t *testing.T, s Store, _ int) {
	for _, name := range []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/./b", "ä", "a b", "a\\b", "a\x00", "a~", "~put-x", "a?b", "a%2fb", strings.Repeat("x", 256),
		strings.Repeat("x/", 300) + "x",
	} {
		_, got := s.Get(t.Context(), name)
		_, ranged := s.Range(t.Context(), name, 0, 1)
		for verb, err := range map[string]error{
			"put": s.Put(t.Context(), name, nil), "put file": s.PutFile(t.Context(), name, "storage_test.go"), "get": got, "range": ranged,
			"delete": s.Delete(t.Context(), name),
		} {
			if !errors.Is(err, orbweaver.ErrInput) {
				t.Errorf("%s %q: %v", verb, name, err)
			}
		}
	}
	for _, prefix := range []string{"/", "a//", "../", "a/./", "ä", "a b", "~"} {
		for _, err := range s.List(t.Context(), prefix) {
			if !errors.Is(err, orbweaver.ErrInput) {
				t.Errorf("list %q: %v", prefix, err)
			}
		}
	}
}

func testFiles(t *testing.T, s Store, large int) {
	dir := t.TempDir()
	for _, size := range []int{0, 10, large} {
		path, body := filepath.Join(dir, "file"), bytes.Repeat([]byte("0123456"), size/7+1)[:size]
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.PutFile(t.Context(), "of/a.file", path); err != nil {
			t.Fatal(err)
		}
		if got := get(t, s, "of/a.file"); got != string(body) {
			t.Errorf("%d bytes were put, and %d others are read", size, len(got))
		}
	}
	got, err := s.Range(t.Context(), "of/a.file", int64(large)-2, 10)
	if want := string("0123456"[(large-2)%7]) + string("0123456"[(large-1)%7]); err != nil || string(got) != want {
		t.Errorf("the end is %q, %v; want %q", got, err, want)
	}
	if err := s.PutFile(t.Context(), "x", filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) || errors.Is(err, ErrAbsent) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := s.PutFile(t.Context(), "x", dir); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a folder: %v", err)
	}
	if got := list(t, s, ""); !slices.Equal(got, []string{"of/a.file"}) {
		t.Errorf("there are %v", got)
	}
}

// testWhole has writers replace one object while readers read it.
func testWhole(t *testing.T, s Store, _ int) {
	body := func(i int) string { return strings.Repeat(fmt.Sprint(i), 10000+i) }
	put(t, s, "one", body(0))
	done := make(chan error)
	for writer := range 3 {
		go func() {
			var err error
			for i := 0; i < 5 && err == nil; i++ {
				err = s.Put(t.Context(), "one", []byte(body((writer+i)%10)))
			}
			done <- err
		}()
	}
	for range 3 {
		go func() {
			for range 5 {
				got, err := s.Range(t.Context(), "one", 0, 20000)
				if err != nil {
					done <- err
					return
				}
				if want := body(int(got[0] - '0')); string(got) != want {
					done <- fmt.Errorf("%d bytes of %c, want %d", len(got), got[0], len(want))
					return
				}
			}
			done <- nil
		}()
	}
	for range 6 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := list(t, s, ""); !slices.Equal(got, []string{"one"}) {
		t.Errorf("there are %v", got)
	}
}

func testDone(t *testing.T, s Store, _ int) {
	put(t, s, "a", "body")
	ctx, cancel := context.WithCancel(t.Context())
	body, err := s.Get(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	cancel()
	_, reading := io.ReadAll(body)
	_, got := s.Get(ctx, "a")
	_, ranged := s.Range(ctx, "a", 0, 1)
	var listing error
	for _, err := range s.List(ctx, "") {
		listing = err
	}
	for verb, err := range map[string]error{
		"put": s.Put(ctx, "b", nil), "put file": s.PutFile(ctx, "b", "storage_test.go"), "get": got, "range": ranged, "delete": s.Delete(ctx, "a"),
		"list": listing, "read": reading,
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", verb, err)
		}
	}
	if got := list(t, s, ""); !slices.Equal(got, []string{"a"}) {
		t.Errorf("there are %v", got)
	}
}
