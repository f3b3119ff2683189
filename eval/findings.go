package eval

// Findings is what a crawl for classes of vocabularies found, as its report tells it. All text may be
// hostile: it is cut to a length, and escaped. Nothing is sorted but for the picture: rows stand as they
// come.
type Findings struct {
	Nodes        []FoundTerm
	Edges        []FoundEdge // statements that lead from term to term; what they name need be no term of Nodes
	Vocabularies []RankedRow // best first
	Datasets     []RankedRow // best first
	Endpoints    []EndpointRow
	Rejected     []RejectedTerm // of a judged expansion, nearest first
	Saved        int            // queries that descriptions in VoID made needless
}

// A FoundTerm is a class that a crawl was given or came to.
type FoundTerm struct {
	IRI, Label string
	Stage      int      // 0: given
	Given      bool     // the crawl began with it
	Found      bool     // reached from another one
	Processed  bool     // what it leads to was asked for
	Group      string   // who stated it, or its vocabulary: terms of one group have one colour; may be empty
	Path       string   // in words; empty where there is none
	Follows    []string // what was deduced of it, in words
	Score      *float64 // of a verdict, 0..1; nil: none was passed
	Reasons    []string // of the verdict, in words
	Instances  int64
	Document   string // URL that it dereferences to
	Problem    string // why there is no data in that document
}

// A FoundEdge is a statement in the direction in which it was followed.
type FoundEdge struct {
	From, Property, To string // IRIs
	Inverse            bool   // the statement is To Property From
	Dataset            string // that states it
}

// A RankedRow is a vocabulary or dataset that is recommended.
type RankedRow struct {
	Name, Title string
	URL         string  // where to look; no link unless it is http or https
	Score       float64 // 0..1
	Given       int     // terms given that it reaches
	Classes     int     // of those found
	Datasets    int     // of a vocabulary: that use it
	Instances   int64
	AtLeast     bool     // there are more instances than that
	Reasons     []string // in words
	Path        string   // in words
}

// An EndpointRow is how one dataset answered.
type EndpointRow struct {
	Name, Title, URL string
	Asked, Answered  int          // queries
	Questions        []AskedAbout // by kind of question
	Reason           string       // why it answered nothing, or nothing more: a failure, or words; empty where it did
	Dialect          string       // of SPARQL; empty: not known
	Partial          bool         // it left a part of an answer out
	Spared           int          // queries that its description made needless
	Millis           float64      // of an answer; 0: not known
	Instances        int64
}

// AskedAbout is what a dataset said to questions of one kind.
type AskedAbout struct {
	Question        string
	Asked, Answered int
	Reason, Message string // of a question without an answer; empty: none, or not told
}

// A RejectedTerm is a candidate that was not taken up.
type RejectedTerm struct {
	IRI, Label string
	Score      float64  // 0..1
	Reasons    []string // in words
	Path       string   // the statements that made it a candidate, in words
}
