package trap

import "strings"

// withoutSession appends the URL without its session ids; false if it has none.
func (u *parts) withoutSession(b []byte) (key []byte, ok bool) {
	if strings.IndexByte(u.path, ';') < 0 && strings.IndexByte(u.path, '(') < 0 && u.query == "" {
		return b, false
	}
	b = append(append(b, 's'), u.host...)
	b, inPath := appendPath(b, u.path)
	b, inQuery := appendQuery(b, u.query)
	return b, inPath || inQuery
}

// appendPath appends a path without session ids: "/list;jsessionid=…", and ASP.NET's "/(S(…))/list".
func appendPath(b []byte, path string) (_ []byte, had bool) {
	for path != "" {
		segment := path[1:]
		if slash := strings.IndexByte(segment, '/'); slash >= 0 {
			segment = segment[:slash]
		}
		path = path[1+len(segment):]
		if strings.HasPrefix(segment, "(") && strings.HasSuffix(segment, "))") && strings.Contains(strings.ToUpper(segment), "S(") {
			had = true
			continue
		}
		b = append(b, '/')
		name, parameters, _ := strings.Cut(segment, ";")
		b = append(b, name...)
		for parameters != "" {
			var one string
			one, parameters, _ = strings.Cut(parameters, ";")
			if isSession(one) {
				had = true
				continue
			}
			b = append(append(b, ';'), one...)
		}
	}
	return b, had
}

// appendQuery appends a query without session ids.
func appendQuery(b []byte, query string) (_ []byte, had bool) {
	for query != "" {
		var one string
		one, query, _ = strings.Cut(query, "&")
		if isSession(one) {
			had = true
			continue
		}
		b = append(append(b, '&'), one...)
	}
	return b, had
}

// isSession reports whether a parameter is a session id: by its name or, for an ambiguous name, by a
// random-looking value.
func isSession(parameter string) bool {
	name, value, ok := strings.Cut(parameter, "=")
	if !ok || len(name) > 40 {
		return false
	}
	name = strings.ToLower(name)
	switch name {
	case "jsessionid", "phpsessid", "cfid", "cftoken", "oscsid", "zenid", "sessionid", "session_id", "sessid":
		return value != ""
	case "sid", "session", "s":
		return isDrawn(value)
	}
	return strings.HasPrefix(name, "aspsessionid") || strings.HasPrefix(name, "sess_")
}

// isDrawn reports whether a value looks random: at least 16 letters and digits, both present.
func isDrawn(value string) bool {
	letters, digits := 0, 0
	for i := range len(value) {
		switch c := value[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		case c != '-':
			return false
		}
	}
	return letters+digits >= 16 && letters > 0 && digits > 2
}
