package rdf

// Results are the complete answer to a SPARQL query of the form SELECT or ASK.
type Results struct {
	Vars    []string // columns, without "?"
	Rows    [][]Term // each as long as Vars; the zero Term where a variable is not bound
	Boolean *bool    // of ASK
	// Cut is how the endpoint truncated an answer that it declared complete, as one word; empty if no
	// truncation was detected.
	Cut string
}
