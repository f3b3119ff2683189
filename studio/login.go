package studio

import (
	"html/template"
	"net/http"
)

// loginForm asks for a token.
var loginForm = template.Must(template.New("login").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Log in - Orbweaver Studio</title>
{{with .Style}}<link rel="stylesheet" href="{{.}}">{{end}}</head>
<body class="login"><main><h1>Orbweaver Studio</h1>
{{with .Why}}<p role="alert">{{.}}</p>{{end}}
<form method="post" action="/login"><p><label for="token">Token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" autofocus></p>
<p>It was given to <code>orbweaver studio --token</code> or <code>--read-token</code>.</p>
<p><button class="primary">Log in</button></p></form></main></body></html>
`))

func (s *Server) loginPage(w http.ResponseWriter, r *http.Request) { s.showLogin(w, http.StatusOK, "") }

func (s *Server) showLogin(w http.ResponseWriter, code int, why string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = loginForm.Execute(w, map[string]string{"Why": why, "Style": s.style()}) // the client has gone
}

// login begins a session for a token. The form has no token of a session, as there is none yet: who forges it logs a browser in, and
// sees nothing of it.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	if !s.gate.may(r) {
		s.showLogin(w, http.StatusTooManyRequests, "Too many tries: wait a few seconds.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxHeader)
	may := s.gate.roleOf(r.PostFormValue("token"))
	if may == nobody {
		s.showLogin(w, http.StatusForbidden, "This is none of the tokens.")
		return
	}
	s.gate.begin(w, may)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (s *Server) logout(w http.ResponseWriter, r *http.Request) {
	session, _ := r.Context().Value(sessionKey{}).(string)
	s.gate.end(session)
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: s.gate.secure, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}
