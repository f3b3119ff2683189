package text

// StopWord reports whether a word in lower case, as a Scanner gives it, is a stop word: articles, pronouns,
// prepositions, conjunctions, auxiliaries and the like. Only English has a list, which also serves "" (unknown
// language); elsewhere idf alone weighs down common words. lang is a language tag.
func StopWord(lang string, word []byte) bool {
	if len(word) > maxStopWord {
		return false
	}
	if lang = Primary(lang); lang != "" && lang != "en" {
		return false
	}
	return englishStopWord(string(word))
}

// maxStopWord is the length in bytes of the longest stop word.
const maxStopWord = 10

// englishStopWord is a switch, which compiles to a search without allocation.
func englishStopWord(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those", "such", "same", "other", "another", "each",
		"every", "either", "neither", "both", "all", "any", "some", "no", "none", "few", "more", "most", "many",
		"much", "several", "own", "one":
	case "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your", "yours",
		"yourself", "yourselves", "he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its",
		"itself", "they", "them", "their", "theirs", "themselves", "who", "whom", "whose", "which", "what":
	case "am", "is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "having", "do", "does",
		"did", "doing", "done", "can", "could", "may", "might", "must", "shall", "should", "will", "would",
		"ought", "cannot":
	case "of", "in", "to", "for", "with", "on", "at", "by", "from", "as", "into", "onto", "about", "over",
		"under", "above", "below", "between", "among", "through", "during", "before", "after", "since",
		"until", "against", "within", "without", "upon", "toward", "towards", "across", "along", "around",
		"near", "off", "out", "up", "down", "via", "per", "despite":
	case "and", "or", "nor", "but", "if", "then", "than", "because", "while", "when", "whenever", "where",
		"why", "how", "whether", "although", "though", "unless", "so", "however", "therefore", "thus":
	case "not", "only", "very", "too", "also", "just", "again", "further", "once", "here", "there", "now",
		"ever", "never", "often", "always", "yet", "still", "even", "well", "rather", "quite", "almost",
		"already", "else", "etc":
	case "i'm", "i'll", "i'd", "i've", "you're", "you'll", "you'd", "you've", "he'll", "he'd", "she'll",
		"she'd", "it'll", "it'd", "we're", "we'll", "we'd", "we've", "they're", "they'll", "they'd",
		"they've", "that'll", "that'd", "who'll", "who'd", "there'll", "there'd":
	case "isn't", "aren't", "wasn't", "weren't", "haven't", "hasn't", "hadn't", "don't", "doesn't",
		"didn't", "can't", "couldn't", "mightn't", "mustn't", "shan't", "shouldn't", "won't", "wouldn't",
		"needn't", "oughtn't":
	default:
		return false
	}
	return true
}
