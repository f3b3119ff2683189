package door

import (
	"fmt"
	"os"
	"strings"
)

// leastToken is the number of characters of a token that nobody guesses.
const leastToken = 16

// Token is the token that a person gave: as it is, or with @ before it the content of a file, without space around it. Empty: none was given. A
// file without one, and a token of less than 16 characters, are errors.
func Token(text string) (string, error) {
	file, ok := strings.CutPrefix(text, "@")
	if ok {
		b, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("token: %w", err)
		}
		if text = strings.TrimSpace(string(b)); text == "" {
			return "", fmt.Errorf("token: %s is empty", file)
		}
	}
	if text != "" && len(text) < leastToken {
		return "", fmt.Errorf("a token has %d characters at least", leastToken)
	}
	return text, nil
}
