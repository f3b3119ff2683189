package ledger

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// Under returns the line with the verdict of another threshold; 0 leaves it as it is.
func (l Line) Under(threshold float64) Line {
	if threshold > 0 {
		l.Accepted = l.Score >= threshold && !l.NoIndex
		if l.Threshold > 0 {
			l.Threshold = threshold
		}
	}
	return l
}

// Threshold returns the current acceptance threshold of a crawl: that of the last calibrated page within the first
// length bytes of its pages.jsonl. It is 0 if the crawl's focus does not calibrate, or the file does not exist.
func Threshold(path string, length int64) (float64, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return 0, err
	}
	for length = min(length, stat.Size()); length > 0; {
		at, err := lastThreshold(file, length)
		if err != nil || at < 0 {
			return 0, err
		}
		if threshold, ok := thresholdAt(file, at, length); ok {
			return threshold, nil
		}
		length = at // the last line is still being written
	}
	return 0, nil
}

// thresholdNow is Threshold for all complete lines of a file.
func thresholdNow(path string) (float64, error) {
	stat, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return Threshold(path, stat.Size())
}

// thresholdKey occurs in a line of pages.jsonl only as a key: within strings quotes are escaped.
var thresholdKey = []byte(`"threshold":`)

// lastThreshold searches a file backwards for the last occurrence of the key; -1 if there is none.
func lastThreshold(file io.ReaderAt, end int64) (int64, error) {
	buffer := make([]byte, 1<<18)
	for end > 0 {
		from := max(0, end-int64(len(buffer)))
		part := buffer[:end-from]
		if n, err := file.ReadAt(part, from); err != nil && (!errors.Is(err, io.EOF) || n < len(part)) {
			return -1, err
		}
		if i := bytes.LastIndex(part, thresholdKey); i >= 0 {
			return from + int64(i), nil
		}
		if from == 0 {
			break
		}
		end = from + int64(len(thresholdKey)) - 1 // the key may span two reads
	}
	return -1, nil
}

// thresholdAt reads the number after the key; false if it is none, or incomplete.
func thresholdAt(file io.ReaderAt, at, end int64) (threshold float64, ok bool) {
	value := io.NewSectionReader(file, at+int64(len(thresholdKey)), min(32, end-at-int64(len(thresholdKey))))
	b, _ := io.ReadAll(value)
	n := bytes.IndexAny(b, ",}")
	if n < 0 {
		return 0, false
	}
	threshold, err := strconv.ParseFloat(string(b[:n]), 64)
	return threshold, err == nil && threshold > 0 && threshold <= 1
}
