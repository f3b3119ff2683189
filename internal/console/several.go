package console

import "strconv"

// Several is a number of things in words: 1 place, 2 places.
func Several(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
