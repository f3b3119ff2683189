package crawlfolder

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

// SteeringFile is the file in the crawl folder that holds the Steering.
const SteeringFile = "steering.json"

// Steering holds the changes that a user made to a crawl without changing its crawl file.
type Steering struct {
	Exclude []string `json:"exclude,omitempty"` // patterns as in scope.exclude, in the order given
}

// ReadSteering reads the steering of a crawl folder. It returns the zero value if there is none. The error wraps
// ErrDamaged.
func ReadSteering(dir string) (s Steering, err error) {
	path := filepath.Join(dir, SteeringFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		err = d.Decode(&s)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w (%w)", path, err, orbweaver.ErrDamaged)
	}
	return s, nil
}

// Write replaces the steering of a crawl folder.
func (s Steering) Write(dir string) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(dir, SteeringFile), append(b, '\n'), 0o666)
}
