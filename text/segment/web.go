package segment

import "strings"

// Longer addresses, hosts and file names are not recognized, which bounds every search.
const maxAddress = 128

// webEnd returns the end of the URL, e-mail address, host or file name at p; p if there is none.
func webEnd(text string, p, end int) int {
	chunk := text[p:end]
	if hasScheme(chunk) {
		return p + urlLength(chunk)
	}
	if n := mailLength(chunk); n > 0 {
		return p + n
	}
	return p + hostLength(chunk)
}

// hasScheme reports whether s starts as a URL does.
func hasScheme(s string) bool {
	if len(s) > 4 && (s[:4] == "www." || s[:4] == "WWW." || s[:4] == "Www.") {
		return classes[s[4]]&(letter|digit) != 0
	}
	i := spanOf(s, 0, min(len(s), 12), letter)
	if strings.HasPrefix(s[i:], "://") {
		return len(s) > i+3 && classes[s[i+3]]&(letter|digit) != 0
	}
	return strings.HasPrefix(s[i:], ":") && i == len("mailto") && strings.EqualFold(s[:i], "mailto") && len(s) > i+1
}

// urlLength returns the length of the URL at the start of s without trailing punctuation: stops, quotes, and
// unmatched brackets.
func urlLength(s string) int {
	if i := strings.IndexAny(s, "<>\""); i >= 0 {
		s = s[:i]
	}
	round := strings.Count(s, "(") - strings.Count(s, ")")
	for len(s) > 0 {
		switch c := s[len(s)-1]; {
		case c == ')' && round < 0:
			round++
		case strings.IndexByte(".,;:!?']*}", c) < 0:
			return len(s)
		}
		s = s[:len(s)-1]
	}
	return 0
}

// mailLength returns the length of the e-mail address at the start of s, 0 if there is none. The part after the
// at sign need not have a dot.
func mailLength(s string) int {
	s = s[:min(len(s), maxAddress)]
	at := runOf(s, "._%+-")
	if at == 0 || at+1 >= len(s) || s[at] != '@' || classes[s[at+1]]&(letter|digit) == 0 {
		return 0
	}
	n := at + 1 + runOf(s[at+1:], "._-")
	for classes[s[n-1]]&(letter|digit) == 0 && s[n-1] != '_' {
		n--
	}
	return n
}

// hostLength returns the length of the host name, with its path, or of the file name at the start of s; 0 if
// there is none.
func hostLength(s string) int {
	short := s[:min(len(s), maxAddress)]
	n := runOf(short, ".-_#%!~")
	name := strings.TrimRight(short[:n], ".-_#%!~")
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return 0
	}
	switch last := name[i+1:]; {
	case isKnownDomain(last) && !strings.ContainsAny(name, "_#%!~"):
		if len(name) < len(s) && (s[len(name)] == '/' || s[len(name)] == ':' && len(name)+1 < len(s) && isDigit(s[len(name)+1])) {
			return max(len(name), urlLength(s))
		}
		return len(name)
	case isKnownExtension(last):
		return len(name)
	}
	return 0
}

// runOf returns the length of the prefix of s that consists of letters, digits and bytes of also.
func runOf(s, also string) int {
	for i := range len(s) {
		if classes[s[i]]&(letter|digit) == 0 && strings.IndexByte(also, s[i]) < 0 {
			return i
		}
	}
	return len(s)
}

// isKnownDomain reports whether s is a frequent top-level domain, in any case.
func isKnownDomain(s string) bool {
	var b [4]byte
	switch string(lowerInto(b[:], s)) {
	case "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "uk", "de", "fr", "eu", "ca",
		"au", "jp", "ch", "ru", "nl", "se", "es", "it", "io", "tv", "nz", "cn", "br", "pl":
		return true
	}
	return false
}

// isKnownExtension reports whether s is a frequent file extension.
func isKnownExtension(s string) bool {
	var b [5]byte
	switch string(lowerInto(b[:], s)) {
	case "doc", "docx", "xls", "xlsx", "ppt", "pptx", "pdf", "txt", "rtf", "csv", "tsv", "xml", "json", "html", "htm",
		"php", "asp", "aspx", "jsp", "jpg", "jpeg", "png", "gif", "svg", "bmp", "tif", "mp3", "mp4", "avi", "mov", "wav",
		"zip", "gz", "tar", "exe", "dll", "go", "py", "js", "ts", "css", "java", "cpp", "rdf", "ttl", "owl", "sh", "sql",
		"md", "log", "ini", "cfg", "bat", "ps", "tex", "vsd", "mdb":
		return true
	}
	return false
}
