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

// brotliModule is the module's path in the Debian package.
const brotliModule = "/usr/lib/nginx/modules/ngx_http_brotli_filter_module.so"

// nginxConfig is nginx's configuration; %s: modules and user, its folder, listeners and certificate, the folder
// served, coding, and directives of the caller.
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

// settled is a path that no test requests.
const settled = "/.nginx-has-settled"

// NginxConfig configures an nginx.
type NginxConfig struct {
	Root      string // folder to serve: html, txt and xml
	Cert, Key []byte // PEM, for 127.0.0.1; empty: no TLS
	Server    string // directives of the server; by default HTML is compressed
}

// An Nginx runs on loopback until its test ends.
type Nginx struct {
	Plain  string // base URL of HTTP/1.1, "http://127.0.0.1:41234"
	Secure string // base URL of HTTP/2, and 1.1, over TLS; empty without a certificate
	Brotli bool   // it compresses HTML by brotli for clients that accept it
	log    string
}

// A Served is a request in the access log.
type Served struct {
	Path      string // with its query
	Status    int
	Protocol  string // "HTTP/1.1" or "HTTP/2.0"
	Coding    string // Content-Encoding of the response
	Transfer  string // its Transfer-Encoding
	Length    string // its Content-Length; empty: none
	NoneMatch string // If-None-Match of the request
	UserAgent string
}

// StartNginx starts the nginx on PATH, or skips the test without one.
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
		head += " user root;" // the folder of a test is private
	}
	file := filepath.Join(dir, "nginx.conf")
	writeFile(t, file, fmt.Appendf(nil, nginxConfig, head, dir, listeners, config.Root, coding, settled, config.Server))
	awaitPorts(t, ports, runNginx(t, binary, dir, file))
	return n
}

// HasBrotli reports whether the brotli module is installed, so that its directives are valid.
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

// runNginx runs nginx until the test ends; the returned context ends with it, with nginx's output as cause.
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

// awaitPorts waits until all ports accept connections.
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

// Served returns the requests so far, in the order in which their responses ended. All must be complete. nginx
// logs a response after sending it, possibly after the client received it, but before its single worker reads
// the next request; so Served sends one, which is not logged.
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
