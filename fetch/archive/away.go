package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

// A WARC file that has been copied to another place may be removed from the archive's folder. A table beside the others says where it went; whoever
// needs a record of it is told. A file that is put back is read again, whatever the table says.

// ErrAway is the error of whatever reads a WARC file that was moved to another place.
var ErrAway = errors.New("its WARC file was moved to another place")

// awayName is the name of the table.
const awayName = "away.json"

// An Away is where a WARC file went.
type Away struct {
	At     string `json:"at"`     // the place, for people: s3://BUCKET/NAME
	Size   int64  `json:"size"`   // bytes
	SHA256 string `json:"sha256"` // in hex
}

// AwayFrom returns the files of an archive's folder that were moved away and are not there, by name.
func AwayFrom(dir string) (map[string]Away, error) {
	all, err := readAway(dir)
	for name := range all {
		if _, missing := os.Stat(filepath.Join(dir, name)); missing == nil {
			delete(all, name)
		}
	}
	return all, err
}

// readAway reads the table.
func readAway(dir string) (all map[string]Away, err error) {
	path := filepath.Join(dir, awayName)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxElsewhere))
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, orbweaver.ErrDamaged, err)
	}
	return all, nil
}

// MoveAway removes a WARC file of an archive's folder that another place has, after it has noted that durably. The file must be full: no Writer
// writes to it any more. The error wraps ErrDamaged if the file is another one than the place has.
func MoveAway(dir, name string, to Away) error {
	path := filepath.Join(dir, name)
	sum, size, err := sha256Of(path)
	if err != nil {
		return err
	}
	if size != to.Size || sum != to.SHA256 {
		return fmt.Errorf("%s: %w: %s has another file of this name", path, orbweaver.ErrDamaged, to.At)
	}
	all, err := readAway(dir)
	if err != nil {
		return err
	}
	if all[name] != to {
		if all == nil {
			all = map[string]Away{}
		}
		all[name] = to
		if err := writeAway(dir, all); err != nil {
			return err
		}
	}
	return os.Remove(path)
}

func sha256Of(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	hash := sha256.New()
	size, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), size, errors.Join(err, file.Close())
}

// writeAway replaces the table, durably.
func writeAway(dir string, all map[string]Away) error {
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(dir, awayName), append(text, '\n'), 0o666)
}

// Absent says of a file that cannot be opened where it went, if it was moved away. It leaves other errors as they are.
func Absent(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir, name := filepath.Split(path)
	all, bad := readAway(dir)
	if bad != nil {
		return errors.Join(err, bad)
	}
	if to, is := all[name]; is {
		return fmt.Errorf("%w: %w: %s is archived at %s; put it into %s to read it", orbweaver.ErrAbsent, ErrAway, name, to.At, filepath.Clean(dir))
	}
	return err
}

// Whole reports, by an error that wraps ErrAway, whether files of an archive's folder were moved away.
func Whole(dir string) error {
	all, err := AwayFrom(dir)
	if err != nil || len(all) == 0 {
		return err
	}
	var words []string
	for name, to := range all {
		words = append(words, name+" is archived at "+to.At)
	}
	slices.Sort(words)
	if more := len(words) - 3; more > 0 {
		words = append(words[:3], fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%w: %w: %s; put them into %s", orbweaver.ErrInput, ErrAway, strings.Join(words, ", "), filepath.Clean(dir))
}
