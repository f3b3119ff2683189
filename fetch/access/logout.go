package access

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
)

// logouts are the words of URLs and links that end a session, without what separates their parts.
var logouts = map[string]bool{
	"logout": true, "logoff": true, "signout": true, "userlogout": true, "dologout": true, "logmeout": true, "endsession": true,
	"abmelden": true, "ausloggen": true, "abmeldung": true,
	"déconnexion": true, "deconnexion": true, "sedéconnecter": true, "sedeconnecter": true, "medéconnecter": true,
	"cerrarsesión": true, "cerrarsesion": true, "cerrarlasesión": true, "terminarsessão": true, "terminarsessao": true, "encerrarsessão": true,
	"uitloggen": true, "afmelden": true, "loggaut": true, "loggut": true, "logud": true, "kirjauduulos": true,
	"wyloguj": true, "wylogujsię": true, "odhlásit": true, "odhlásitse": true, "kijelentkezés": true, "kijelentkezes": true,
	"выйти": true, "выход": true, "ログアウト": true, "退出登录": true, "登出": true, "로그아웃": true,
}

// LogsOut reports whether a link is likely to end the session that its site keeps, by a part of the path or
// the query of its canonical URL or by its whole text. word is what tells: a segment /logout, a parameter as
// in ?action=logout, a text such as Sign out.
func LogsOut(link, text string) (word string, is bool) {
	if u, err := url.Parse(link); err == nil {
		for segment := range strings.SplitSeq(u.Path, "/") {
			if isLogout(withoutExtension(segment)) {
				return segment, true
			}
		}
		query := u.Query()
		for _, name := range slices.Sorted(maps.Keys(query)) {
			if isLogout(name) {
				return name, true
			}
			for _, value := range query[name] {
				if !strings.Contains(value, "/") && isLogout(value) { // one with a slash is a page to come back to
					return name + "=" + value, true
				}
			}
		}
	}
	if joined(text) != "" && logouts[joined(text)] {
		return strings.TrimSpace(text), true
	}
	return "", false
}

// isLogout reports whether a name is a logout's, whole or what stands after its last colon or dot, as in
// Special:UserLogout or user.logout.
func isLogout(name string) bool {
	return name != "" && (logouts[joined(name)] || logouts[joined(name[strings.LastIndexAny(name, ":.")+1:])])
}

// withoutExtension cuts the extension of a program off a segment of a path.
func withoutExtension(segment string) string {
	switch end := path.Ext(segment); strings.ToLower(end) {
	case ".php", ".html", ".htm", ".asp", ".aspx", ".jsp", ".do", ".action", ".cgi", ".pl":
		return strings.TrimSuffix(segment, end)
	}
	return segment
}

// joined returns the letters of a short text, in small letters.
func joined(text string) string {
	if len(text) > 100 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}
