package crawl

import "orbweaver/internal/offline/sample"

// ReadVerdicts reads verdicts from sheets: CSV files with the columns url and relevant, which is yes, no or empty; rows without an answer are
// passed over. Errors wrap orbweaver.ErrInput and name file and line.
func ReadVerdicts(sheets ...string) (all []Verdict, err error) {
	for _, sheet := range sheets {
		answers, err := sample.Answers(sheet)
		if err != nil {
			return nil, err
		}
		for _, o := range answers {
			all = append(all, Verdict{URL: o.URL, Relevant: o.Relevant})
		}
	}
	return all, nil
}
