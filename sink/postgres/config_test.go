package postgres

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A recorder is a server that asks every client for its password in plain text and keeps what clients send.
type recorder struct {
	at *net.TCPAddr

	mu   sync.Mutex
	sent string // by all clients; complete for each that saw its connection end
}

// take returns what was sent since the last call.
func (r *recorder) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := r.sent
	r.sent = ""
	return sent
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	r := &recorder{at: l.Addr().(*net.TCPAddr)}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			sent := serve(conn)
			r.mu.Lock()
			r.sent += sent
			r.mu.Unlock()
			_ = conn.Close()
		}
	}()
	return r
}

// serve reads the messages of a connection's beginning, up to the password, and refuses all.
func serve(conn net.Conn) (sent string) {
	for {
		head := make([]byte, 4)
		if _, err := io.ReadFull(conn, head); err != nil {
			return sent
		}
		body := make([]byte, min(max(binary.BigEndian.Uint32(head), 4), 1<<16)-4)
		if _, err := io.ReadFull(conn, body); err != nil {
			return sent
		}
		switch {
		case len(body) == 4: // whether TLS is spoken
			_, _ = conn.Write([]byte("N"))
		default:
			sent += string(body)
			_, _ = conn.Write([]byte{'R', 0, 0, 0, 8, 0, 0, 0, 3})
			password, _ := io.ReadAll(io.LimitReader(conn, 5))
			if len(password) == 5 {
				rest := make([]byte, min(max(binary.BigEndian.Uint32(password[1:]), 4), 1<<16)-4)
				_, _ = io.ReadFull(conn, rest)
				sent += " password " + string(rest)
			}
			return sent
		}
	}
}

// poison sets every variable that libpq and the library know, and makes the files that they look for at home: each names the secret hush.
func poison(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, text := range map[string]string{".pgpass": "*:*:*:*:hush-pgpass\n", ".pg_service.conf": "[x]\npassword=hush-service\nuser=hush-user\n",
		".postgresql/root.crt": "hush", ".postgresql/postgresql.crt": "hush", ".postgresql/postgresql.key": "hush"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("PGPASSFILE", filepath.Join(home, ".pgpass"))
	t.Setenv("PGSERVICEFILE", filepath.Join(home, ".pg_service.conf"))
	for _, name := range []string{"HOST", "HOSTADDR", "PORT", "DATABASE", "USER", "PASSWORD", "APPNAME", "CONNECT_TIMEOUT", "SSLMODE", "SSLKEY", "SSLCERT",
		"SSLCERTMODE", "SSLSNI", "SSLROOTCERT", "SSLPASSWORD", "SSLNEGOTIATION", "TARGETSESSIONATTRS", "TZ", "OPTIONS", "MINPROTOCOLVERSION",
		"MAXPROTOCOLVERSION", "CHANNELBINDING", "REQUIREAUTH", "KRBSRVNAME", "DATESTYLE", "CLIENTENCODING"} {
		t.Setenv("PG"+name, "hush-"+name)
	}
}

// TestNothingOfTheEnvironment: what a server is sent is what the options say, whatever the environment and the user's home have.
func TestNothingOfTheEnvironment(t *testing.T) {
	poison(t)
	r := newRecorder(t)
	for _, tc := range []struct{ mode, password, want string }{
		{"disable", "", "user\x00me\x00"},
		{"", "", "user\x00me\x00"},
		{"disable", "mine", " password mine\x00"},
	} {
		settings := map[string]string{"host": "127.0.0.1", "port": fmt.Sprint(r.at.Port), "user": "me", "database": "d", "sslmode": tc.mode}
		table := New(Options{Settings: settings, Password: tc.password, Table: "pages"})
		err := table.Check(t.Context())
		got := r.take()
		if strings.Contains(got, "hush") || !strings.Contains(got, tc.want) || !strings.Contains(got, "application_name\x00orbweaver\x00") || strings.Contains(got, "timezone") {
			t.Errorf("sslmode=%s: the server got %q, and the sink %v", tc.mode, got, err)
		}
	}
}

// TestRefusedSettings: what would read a file, or have the library read one, is refused before anything is sent.
func TestRefusedSettings(t *testing.T) {
	r := newRecorder(t)
	check := func(settings map[string]string, want string) {
		t.Helper()
		settings["host"], settings["port"], settings["user"] = "127.0.0.1", fmt.Sprint(r.at.Port), "me"
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := New(Options{Settings: settings, Table: "pages"}).Check(ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", settings, err, want)
		}
	}
	for _, name := range []string{"passfile", "servicefile", "service", "password", "search_path"} {
		check(map[string]string{name: "/etc/passwd"}, name)
	}
	t.Setenv("PGSERVICE", "x")
	check(map[string]string{}, "PGSERVICE")
	if got := r.take(); got != "" {
		t.Errorf("the server got %q", got)
	}
}

// TestQuoted: a value says nothing but itself, whatever stands in it.
func TestQuoted(t *testing.T) {
	for _, user := range []string{"o'hara", `back\slash`, "me' password='hush", "a b"} {
		cfg, err := Options{Settings: map[string]string{"host": "h", "user": user, "database": user}}.config()
		if err != nil || cfg.User != user || cfg.Database != user || cfg.Password != "" {
			t.Errorf("%q: %v, %v", user, cfg, err)
		}
	}
}
