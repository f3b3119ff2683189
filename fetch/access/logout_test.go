package access_test

import (
	"testing"

	"orbweaver/fetch/access"
)

// TestLogsOut: links that end a session, by URL or text, and those that only speak of it.
func TestLogsOut(t *testing.T) {
	for _, tc := range []struct{ url, text, word string }{
		{"http://a.test/logout", "", "logout"},
		{"http://a.test/users/sign_out", "", "sign_out"},
		{"http://a.test/wp-login.php?action=logout&_wpnonce=1a2b", "", "action=logout"},
		{"http://a.test/ucp.php?mode=logout&sid=8", "", "mode=logout"},
		{"http://a.test/index.php?option=com_users&task=user.logout", "", "task=user.logout"},
		{"http://a.test/index.php?title=Special:UserLogout&returnto=x", "", "title=Special:UserLogout"},
		{"http://a.test/wiki/Special:UserLogout", "", "Special:UserLogout"},
		{"http://a.test/?logout=1", "", "logout"},
		{"http://a.test/Account/LogOff.aspx", "", "LogOff.aspx"},
		{"http://a.test/konto/abmelden", "", "abmelden"},
		{"http://a.test/bye", " Log out ", "Log out"},
		{"http://a.test/bye", "Sign out »", "Sign out »"},
		{"http://a.test/x", "Se déconnecter", "Se déconnecter"},
		{"http://a.test/x", "退出登录", "退出登录"},

		{"http://a.test/bye", "Bye", ""},
		{"http://a.test/docs/how-to-log-out-safely", "How to log out safely", ""},
		{"http://a.test/login?next=/logout", "", ""},
		{"http://a.test/checkout", "Checkout", ""},
		{"http://a.test/forms/sign-off", "Sign off", ""},
		{"http://a.test/", "", ""},
	} {
		if word, is := access.LogsOut(tc.url, tc.text); word != tc.word || is != (tc.word != "") {
			t.Errorf("%s %q: %q, %v, want %q", tc.url, tc.text, word, is, tc.word)
		}
	}
}
