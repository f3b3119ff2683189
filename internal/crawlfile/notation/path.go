package notation

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// variable is how a shell names a variable of the environment in a path.
var variable = regexp.MustCompile(`\$\{|^\$[A-Za-z_]`)

// Path expands ~ and what begins with ~/ to the home folder. It returns what is wrong with other paths that a shell would
// expand, and what to write: no crawl file reads the environment, which may hold secrets.
func Path(path string) (expanded, problem, hint string) {
	if variable.MatchString(path) {
		return "", "holds a variable of the environment: " + strconv.Quote(path), "write the path itself; ~/ is the home folder"
	}
	rest, home := strings.CutPrefix(filepath.ToSlash(path), "~")
	if !home {
		return path, "", ""
	}
	if rest != "" && rest[0] != '/' {
		return "", "begins with " + strconv.Quote(path) + ", the home of another user",
			"write the path itself; ~/ is your home folder, ./~ a name that begins so"
	}
	folder, err := os.UserHomeDir()
	if err != nil {
		return "", "begins with ~, and there is no home folder: " + err.Error(), "write the path itself"
	}
	return filepath.Join(folder, filepath.FromSlash(rest)), "", ""
}

// Within reports whether a path, which need not exist, stays within a folder, also through symbolic links.
func Within(path, folder string) bool {
	for at, rest := path, ""; ; {
		if whole, err := filepath.EvalSymlinks(at); err == nil {
			rel, err := filepath.Rel(folder, filepath.Join(whole, rest))
			return err == nil && filepath.IsLocal(rel)
		} else if !os.IsNotExist(err) || filepath.Dir(at) == at {
			return false
		}
		rest = filepath.Join(filepath.Base(at), rest)
		at = filepath.Dir(at)
	}
}

// Readable returns what is wrong with a path that is missing or of the wrong kind: as is written (a file, which may be missing), folder (which may
// be missing), archives (a file or a folder), or else a file. file is the crawl file.
func Readable(path, as, file string) (problem, hint string) {
	at, err := os.Stat(path)
	switch {
	case as == "written":
		if err == nil && at.IsDir() {
			return path + " is a folder", "a file is wanted"
		}
		return "", ""
	case as == "folder":
		if err == nil && !at.IsDir() {
			return path + " is a file", "a folder is wanted"
		}
		return "", ""
	case os.IsNotExist(err):
		return "no such file: " + path, "paths are relative to the folder of " + file
	case err != nil:
		return err.Error(), ""
	case at.IsDir() && as != "archives":
		return path + " is a folder", "a file is wanted"
	case !at.IsDir() && !at.Mode().IsRegular():
		return path + " is no regular file", ""
	}
	f, err := os.Open(path)
	if err != nil {
		return err.Error(), ""
	}
	f.Close()
	return "", ""
}

// Float parses a finite number; as a share it may be a percentage, as in 2%.
func Float(text string, share bool) (float64, bool) {
	unit := 1.0
	if percent, ok := strings.CutSuffix(text, "%"); ok && share {
		text, unit = strings.TrimSpace(percent), 100
	}
	n, err := strconv.ParseFloat(text, 64)
	return n / unit, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}
