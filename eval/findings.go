package eval

// Findings are the results of a crawl for vocabulary classes, as input of the report. All text may be hostile:
// the report shortens and escapes it. Rows are shown in the given order; only the picture sorts.
type Findings struct {
	Nodes        []FoundTerm
	Edges        []FoundEdge // statements that connect terms; their ends need not be in Nodes
	Vocabularies []RankedRow // best first
	Datasets     []RankedRow // best first
	ByLinks      bool        // Datasets are ranked by what others link to, not by instances
	Endpoints    []EndpointRow
	Rejected     []RejectedTerm // of a judged expansion, by rank
	Saved        int            // queries saved by VoID descriptions
}

// A FoundTerm is a given class, or one that the crawl found.
type FoundTerm struct {
	IRI, Label string
	Stage      int      // 0: given
	Given      bool     // given at the start
	Found      bool     // reached from another term
	Processed  bool     // it was expanded
	Group      string   // the dataset that states it, or its vocabulary: one colour per group; may be empty
	Path       string   // as text; may be empty
	Follows    []string // its inferences, as text
	Score      *float64 // of a verdict, 0..1; nil: none
	Reasons    []string // of the verdict, as text
	Instances  int64
	Document   string // URL of its document
	Problem    string // why that document has no data
}

// A FoundEdge is a statement, in the direction in which it was followed.
type FoundEdge struct {
	From, Property, To string // IRIs
	Inverse            bool   // the statement is To Property From
	Dataset            string // that states it
}

// A RankedRow is a recommended vocabulary or dataset.
type RankedRow struct {
	Name, Title string
	URL         string  // its page; a link if it is http or https
	Score       float64 // 0..1
	Given       int     // given terms that it reaches
	Classes     int     // found classes
	Datasets    int     // of a vocabulary: datasets that use it
	Instances   int64
	AtLeast     bool     // Instances is a lower bound
	Reasons     []string // as text
	Path        string   // as text
}

// An EndpointRow describes how one dataset answered.
type EndpointRow struct {
	Name, Title, URL string
	Asked, Answered  int          // queries
	Questions        []AskedAbout // by kind of question
	Reason           string       // why it stopped answering: a failure, or text; empty if it did not
	Dialect          string       // of SPARQL; empty: not known
	Partial          bool         // it truncated an answer
	Spared           int          // queries saved by its description
	Millis           float64      // mean per answer; 0: not known
	Instances        int64
}

// AskedAbout is a dataset's answers to questions of one kind.
type AskedAbout struct {
	Question        string
	Asked, Answered int
	Reason, Message string // of a question without an answer; empty: none, or not known
}

// A RejectedTerm is a candidate that was not expanded.
type RejectedTerm struct {
	IRI, Label string
	Score      float64  // 0..1
	Reasons    []string // as text
	Path       string   // the statements that made it a candidate, as text
}
