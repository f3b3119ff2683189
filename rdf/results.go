package rdf

// Results are what a SPARQL query of the form SELECT or ASK was answered with, whole and in memory.
type Results struct {
	Vars    []string // columns, without "?"
	Rows    [][]Term // each as long as Vars; the zero Term where a variable is not bound
	Boolean *bool    // of ASK
	// Cut says how the endpoint left out a part of the answer and called it whole all the same: a word of
	// its own, empty where all is there as far as one can see.
	Cut string
}
