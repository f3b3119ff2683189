package offline

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"

	"orbweaver"
)

// A requestLog is a file with the requests of a proxy's clients, a line each: URL, method and status, with tabs between.
type requestLog struct {
	file *os.File
	out  *bufio.Writer
}

// createLog creates a log. An existing file is an error, since it may be the log of another crawl.
func createLog(path string) (*requestLog, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, fmt.Errorf("--log %s: the file exists and is kept: name another file, or remove it (%w)", path, orbweaver.ErrInput)
	case err != nil:
		return nil, fmt.Errorf("--log: %w (%w)", err, orbweaver.ErrInput)
	}
	return &requestLog{file, bufio.NewWriter(file)}, nil
}

// record adds a request and passes it to the system, so that a killed server leaves whole lines. Errors come from close.
func (l *requestLog) record(url, method string, status int) {
	l.out.WriteString(url + "\t" + method + "\t" + strconv.Itoa(status) + "\n") // Flush returns the first error
	_ = l.out.Flush()
}

func (l *requestLog) close() error {
	err := errors.Join(l.out.Flush(), l.file.Close())
	if err != nil {
		return fmt.Errorf("--log: %w", err)
	}
	return nil
}
