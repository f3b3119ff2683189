package kind

import (
	"orbweaver"
	"orbweaver/kb/relevance"
)

// A Questioner is an instance that asks a person whether a class belongs to its topic.
type Questioner interface {
	// Question returns the question whose answer promises most now; nil: there is none.
	Question() *relevance.Question
	// Answers returns what was answered, by class.
	Answers() map[string]bool
	// Answering returns the decision that an answer about a class is. The error wraps orbweaver.ErrInput if the class is no candidate.
	Answering(class string, yes bool) (orbweaver.Decision, error)
	// Waits reports whether the search is not over, so that a session takes answers up.
	Waits() bool
}
