package apptest

import (
	"bytes"

	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// Saying runs a job and returns its output.
func Saying(work func(j *job.Job) error) (string, error) {
	var out bytes.Buffer
	err := work(&job.Job{Console: console.Console{Out: &out}})
	return out.String(), err
}
