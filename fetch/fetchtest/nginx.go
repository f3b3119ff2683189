package fetchtest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// brotliModule is where Debian's package of the module puts it.
const brotliModule = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so"

// nginxConfig is nginx's configuration; %s: modules and user, its folder, listeners and certificate, the
// folder served, coding, and the caller's own.
const nginxConfig = `%[1]s
daemon off; worker_processes 1; pid %[2]s/pid; error_log stderr crit;
events { worker_connections 64; }
http {
  log_format served escape=none '$request_uri	$status	$server_protocol	$sent_http_content_encoding	$sent_http_transfer_encoding	$sent_http_content_length	$http_if_none_match	$http_user_agent';
  access_log %[2]s/access.log served; keepalive_timeout 60;
  client_body_temp_path %[2]s/t1; proxy_temp_path %[2]s/t2; fastcgi_temp_path %[2]s/t3; uwsgi_temp_path %[2]s/t4; scgi_temp_path %[2]s/t5;
  types { text/html html; text/plain txt; text/xml xml; }
  server {
    %[3]s
    root %[4]s; gzip on; gzip_min_length 1; %[5]s
    location = %[6]s { access_log off; return 204; }
    %[7]s
  }
}
`

// settled is a path that no test asks for.
const settled = "/.nginx-has-settled"

// NginxConfig says what an nginx serves.
type NginxConfig struct {
	Root      string // folder of what is served: html, txt and xml
	Cert, Key []byte // PEM of one that 127.0.0.1 is known by; without: nothing is served over TLS
	Server    string // directives of the server; HTML is compressed unless they say otherwise
}

// An Nginx is one that runs until its test ends, on loopback.
type Nginx struct {
	Plain  string // base URL of HTTP/1.1, "http://127.0.0.1:41234"
	Secure string // base URL of HTTP/2, and 1.1, over TLS; empty without a certificate
	Brotli bool   // it has the module for it: HTML is compressed by brotli for those who take that
	log    string
}

// A Served is a request as the access log has it.
type Served struct {
	Path      string // with its query
	Status    int
	Protocol  string // "HTTP/1.1" or "HTTP/2.0"
	Coding    string // Content-Encoding of the answer
	Transfer  string // its Transfer-Encoding
	Length    string // its Content-Length; empty: it was not said
	NoneMatch string // If-None-Match as asked
	UserAgent string
}

// StartNginx starts the nginx on PATH, or skips the test where there is none.
func StartNginx(t testing.TB, config NginxConfig) *Nginx {
	t.Helper()
	binary, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	dir := t.TempDir()
	ports := freePorts(t, 2)
	n := &Nginx{Plain: fmt.Sprintf("http://127.0.0.1:%d", ports[0]), log: filepath.Join(dir, "access.log")}
	listeners := fmt.Sprintf("listen 127.0.0.1:%d;", ports[0])
	if config.Cert != nil {
		n.Secure = fmt.Sprintf("https://127.0.0.1:%d", ports[1])
		listeners += fmt.Sprintf(" listen 127.0.0.1:%d ssl http2; ssl_certificate %[2]s/cert.pem; ssl_certificate_key %[2]s/key.pem;", ports[1], dir)
		writeFile(t, filepath.Join(dir, "cert.pem"), config.Cert)
		writeFile(t, filepath.Join(dir, "key.pem"), config.Key)
	} else {
		ports = ports[:1]
	}
	head, coding := "", ""
	if HasBrotli() {
		n.Brotli, head, coding = true, "load_module "+brotliModule+";", "brotli on; brotli_min_length 1;"
	}
	if os.Getuid() == 0 {
		head += " user root;" // a test's folder is private
	}
	file := filepath.Join(dir, "nginx.conf")
	writeFile(t, file, fmt.Appendf(nil, nginxConfig, head, dir, listeners, config.Root, coding, settled, config.Server))
	awaitPorts(t, ports, runNginx(t, binary, dir, file))
	return n
}

// HasBrotli reports whether an nginx would have the module for brotli, so that directives of it may be
// given.
func HasBrotli() bool {
	_, err := os.Stat(brotliModule)
	return err == nil
}

func writeFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// runNginx runs nginx until the test ends; the context returned ends with it, the cause being what it
// said.
func runNginx(t testing.TB, binary, dir, config string) context.Context {
	t.Helper()
	cmd := exec.Command(binary, "-p", dir, "-c", config, "-e", "stderr")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	running, ended := context.WithCancelCause(context.Background())
	go func() {
		err := cmd.Wait()
		ended(fmt.Errorf("nginx ended: %v\n%s", err, &said))
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		<-running.Done()
		if t.Failed() {
			t.Log(context.Cause(running))
		}
	})
	return running
}

func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l := listen(t, "127.0.0.1:0")
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// awaitPorts returns when all ports take connections.
func awaitPorts(t testing.TB, ports []int, running context.Context) {
	t.Helper()
	ctx, cancel := context.WithTimeout(running, 20*time.Second)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for _, port := range ports {
		for {
			c, err := new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err == nil {
				c.Close()
				break
			}
			select {
			case <-again.C:
			case <-ctx.Done():
				t.Fatalf("nginx does not listen on port %d: %v", port, context.Cause(ctx))
			}
		}
	}
}

// Served returns the requests answered so far, in the order in which their answers ended. All must
// have been answered: nginx writes a line when it has sent an answer, which may be after the client
// had it, but before its one worker turns to the next request; so one is made, and not logged.
func (n *Nginx) Served(t testing.TB) []Served {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(n.Plain + settled)
	if err != nil || answer.StatusCode != http.StatusNoContent {
		t.Fatalf("%v, %v", answer, err)
	}
	answer.Body.Close()
	text, err := os.ReadFile(n.log)
	if err != nil {
		t.Fatal(err)
	}
	var all []Served
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 8 {
			t.Fatalf("access log: %q", line)
		}
		status, err := strconv.Atoi(fields[1])
		if err != nil {
			t.Fatalf("access log: %q: %v", line, err)
		}
		all = append(all, Served{
			Path: fields[0], Status: status, Protocol: fields[2], Coding: fields[3],
			Transfer: fields[4], Length: fields[5], NoneMatch: fields[6], UserAgent: fields[7],
		})
	}
	return all
}
