package door_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/server/door"
	"orbweaver/server/door/doortest"
)

// TestGivingWay: of a full listener an idle client gives way and is told that it may ask again; a client whose request is
// being worked on does not, however long it was idle before.
func TestGivingWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := doortest.Listen(8)
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/worked-on" {
				<-time.After(5 * time.Second)
			}
			fmt.Fprint(w, "ok")
		})}
		go func() { _ = server.Serve(door.Listen(l, 2, 50*time.Millisecond)) }()
		worked, idle := client(t, l), client(t, l)
		worked.ask("/")
		<-time.After(10 * time.Second) // idle for longer than the other
		worked.send("/worked-on")
		<-time.After(time.Second)
		third := client(t, l)
		third.ask("/")
		if status, err := idle.answer(); status != http.StatusRequestTimeout || err != nil {
			t.Errorf("the idle client gets %d, %v; want 408", status, err)
		}
		if status, err := worked.answer(); status != http.StatusOK || err != nil {
			t.Errorf("the client whose request is worked on gets %d, %v; want 200", status, err)
		}
		for _, c := range []*asker{worked, idle, third} {
			c.Close()
		}
		server.Close()
	})
}

// An asker is a connection with its reader.
type asker struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

func client(t *testing.T, l *doortest.Pipe) *asker {
	t.Helper()
	c, err := l.Dial()
	if err != nil {
		t.Fatal(err)
	}
	return &asker{c, t, bufio.NewReader(c)}
}

func (a *asker) send(path string) {
	a.t.Helper()
	if _, err := io.WriteString(a, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); err != nil {
		a.t.Error(err)
	}
}

func (a *asker) answer() (int, error) {
	_ = a.SetDeadline(time.Now().Add(time.Minute))
	answer, err := http.ReadResponse(a.r, nil)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

func (a *asker) ask(path string) {
	a.t.Helper()
	a.send(path)
	if status, err := a.answer(); status != http.StatusOK || err != nil {
		a.t.Errorf("%s: %d, %v", path, status, err)
	}
}
