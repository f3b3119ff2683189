package main

// makeCampus returns the responses of the campus: an invented university with departments, a library and sports, and
// among them a laboratory, which is what examples/university.yaml looks for.
func makeCampus() ([]document, error) {
	w, err := readCampus()
	if err != nil {
		return nil, err
	}
	w.writePages()
	w.writeIndexes()
	w.writeArticles()
	w.writeRobots()
	return w.documents, w.problems()
}

// readCampus reads what the campus is made from.
func readCampus() (*web, error) { return readWeb("campus-", "words/campus/*.txt") }
