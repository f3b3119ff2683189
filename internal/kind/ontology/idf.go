package ontology

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/coding/charset"
	"orbweaver/text"
)

// maxIDFProblems is the number of bad lines of an idf file to report.
const maxIDFProblems = 10

// readIDF reads a background file: a word or phrase, or the IRI of an entity, a tab, and its idf, a
// line each; # starts a comment.
func readIDF(path string) (map[string]float64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	values, number := map[string]float64{}, 0
	var problems []error
	scanner := bufio.NewScanner(charset.NewReader(file))
	for scanner.Scan() && len(problems) < maxIDFProblems {
		number++
		line := strings.TrimSpace(scanner.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		term, value, _ := strings.Cut(line, "\t")
		idf, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(idf > 0) {
			problems = append(problems, fmt.Errorf("%s:%d: want a term, a tab and a number above 0, have %q (%w)", path, number, line, orbweaver.ErrInput))
			continue
		}
		if term = strings.TrimSpace(term); !strings.Contains(term, "://") {
			term = text.Key(term) // words; an IRI has case
		}
		values[term] = idf
	}
	if err := scanner.Err(); err != nil {
		problems = append(problems, fmt.Errorf("%s:%d: %w (%w)", path, number+1, err, orbweaver.ErrInput))
	}
	return values, errors.Join(problems...)
}
