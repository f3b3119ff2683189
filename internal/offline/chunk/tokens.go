package chunk

// Tokens estimates the number of tokens of a text.
func Tokens(s string) int { return (len(s) + 3) / 4 }
