// Command dated gives each file that git tracks a time of change that follows from its content, and each folder one and the same:
// `go run ./.ci/dated`. go test takes a result of before when a test's program and what it read are what they were, and knows files by
// their size and time; a fresh checkout gives all files the time of now, so that nothing would be as it was.
package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

const begun = 1_000_000_000 // Unix time, 2001: a file that is seconds old counts as changing

func main() {
	n, err := date()
	if err != nil {
		fmt.Fprintln(os.Stderr, "warning: files keep their times, tests run whether or not they did:", err)
		return
	}
	fmt.Println(n, "files and folders")
}

// date gives files and folders their times, and returns how many. What differs from what git has of it keeps its time.
func date() (n int, err error) {
	modified, err := listed("--modified")
	if err != nil {
		return 0, err
	}
	edited := map[string]bool{}
	for _, path := range modified {
		edited[string(path)] = true
	}
	entries, err := listed("--stage") // mode, hash, stage, tab, path
	if err != nil {
		return 0, err
	}
	folders := map[string]bool{}
	for _, entry := range entries {
		facts, path, _ := bytes.Cut(entry, []byte{'\t'})
		if edited[string(path)] {
			continue
		}
		fields := bytes.Fields(facts)
		if len(fields) != 3 {
			return n, fmt.Errorf("git ls-files says %q", entry)
		}
		seconds, err := strconv.ParseInt(string(fields[1][:7]), 16, 64) // eight years of seconds
		if err != nil {
			return n, err
		}
		if err := set(string(path), begun+seconds); err != nil {
			return n, err
		}
		n++
		for folder := filepath.Dir(string(path)); !folders[folder]; folder = filepath.Dir(folder) {
			folders[folder] = true
		}
	}
	for folder := range folders {
		if err := set(folder, begun); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// listed returns what git ls-files lists.
func listed(what string) ([][]byte, error) {
	text, err := exec.Command("git", "ls-files", "-z", what).Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files %s: %w", what, err)
	}
	return bytes.Split(bytes.Trim(text, "\x00"), []byte{0}), nil
}

// set sets the time of a file or folder; links, and what the checkout lacks, are left.
func set(path string, seconds int64) error {
	info, err := os.Lstat(path)
	if os.IsNotExist(err) || err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil
	}
	if err != nil {
		return err
	}
	at := time.Unix(seconds, 0)
	return os.Chtimes(path, at, at)
}
