package offline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/services"
	"orbweaver/page"
	"orbweaver/server/replay"
)

// replayBody bounds the bodies of a replayed archive. They are streamed, not held in memory.
const replayBody = 16 << 30

// ReplayJob configures Replay.
type ReplayJob struct {
	Archives []string // WARC files, folders of them, or crawl folders
	Listen   string   // address and port; port 0: any free port
	CA       string   // file that receives the certificate of the authority; empty: none
	Log      string   // file that receives the requests of proxy clients; empty: none
	Absent   int      // status that proxy clients get for a missing record; 0: 504
}

// Replay serves archives as a web proxy and as rewritten pages until ctx ends, which is not an error. It
// prints the addresses. The error wraps ErrInput if the archives cannot be read, the address cannot be
// listened on, or the certificate file holds something else.
func Replay(ctx context.Context, a *job.Job, job ReplayJob) (err error) {
	web, err := openReplayed(job.Archives)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, web.Close()) }()
	for _, warning := range web.Warnings() {
		console.Say(a.Err, "warning: %s", warning)
	}
	options := replay.Options{URLs: urlsOf(web), Decode: page.Decode, Absent: job.Absent}
	if job.Log != "" {
		log, problem := createLog(job.Log)
		if problem != nil {
			return problem
		}
		defer func() { err = errors.Join(err, log.close()) }()
		options.Record = log.record
	}
	s, err := replay.New(web, options)
	if err != nil {
		return err
	}
	if err := writeCA(job.CA, s.Certificate()); err != nil {
		return err
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", job.Listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w (%w)", job.Listen, err, orbweaver.ErrInput)
	}
	printReplay(a, s, l.Addr(), firstPage(web), job.CA)
	return s.Serve(ctx, l)
}

// openReplayed opens archives. A crawl folder means the archive in it.
func openReplayed(paths []string) (*archive.Web, error) {
	var folders []string
	var problems []error
	for _, path := range paths {
		if _, err := os.Stat(filepath.Join(path, crawlfolder.RunFile)); err == nil {
			inside := crawlfolder.Archive(path)
			if _, err := os.Stat(inside); errors.Is(err, fs.ErrNotExist) {
				problems = append(problems, fmt.Errorf("%s: the crawl keeps no archive: set archive: on in its crawl file (%w)", path, orbweaver.ErrInput))
			}
			path = inside
		}
		folders = append(folders, path)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	opts := archive.WebOptions{MaxBody: replayBody}
	web, err := archive.OpenWeb(folders, opts)
	if err != nil && len(folders) > 1 {
		err = services.EachAlone(folders, err, func(path string) error {
			one, err := archive.OpenWeb([]string{path}, opts)
			return errors.Join(err, services.CloseAll(one))
		})
	}
	if err != nil {
		return nil, err
	}
	for range web.All() {
		return web, nil
	}
	err = fmt.Errorf("nothing to replay in %s %s (%w)", strings.Join(folders, ", "), web.Warnings(), orbweaver.ErrInput)
	return nil, errors.Join(err, web.Close())
}

// urlsOf yields the URLs of an archive.
func urlsOf(web *archive.Web) iter.Seq[string] {
	return func(yield func(string) bool) {
		for entry := range web.All() {
			if !yield(entry.URL) {
				return
			}
		}
	}
}

// firstPage returns a page to start with: the first that is the root of its host, or else the first of
// all.
func firstPage(web *archive.Web) string {
	first := ""
	for entry := range web.All() {
		if entry.Status != http.StatusOK || entry.MediaType != "text/html" {
			continue
		}
		if strings.Count(entry.URL, "/") == 3 && strings.HasSuffix(entry.URL, "/") {
			return entry.URL
		}
		if first == "" {
			first = entry.URL
		}
	}
	return first
}

// writeCA writes a certificate to a new file, or over another certificate.
func writeCA(path string, certificate []byte) error {
	if path == "" {
		return nil
	}
	old, err := os.ReadFile(path)
	switch {
	case err == nil && len(old) > 0 && !strings.HasPrefix(string(old), "-----BEGIN CERTIFICATE-----"):
		return fmt.Errorf("--ca %s: the file holds something other than a certificate and is kept: name another file (%w)", path, orbweaver.ErrInput)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--ca: %w (%w)", err, orbweaver.ErrInput)
	}
	if err := os.WriteFile(path, certificate, 0o666); err != nil {
		return fmt.Errorf("--ca: %w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// printReplay prints the addresses of the replayed archive, and warns if other users can reach them.
func printReplay(a *job.Job, s *replay.Server, addr net.Addr, first, ca string) {
	at, err := netip.ParseAddrPort(addr.String())
	if err == nil && !at.Addr().IsLoopback() {
		console.Say(a.Err, "warning: %s is reachable from other machines: anyone who connects can read the archive", at)
		if at.Addr().IsUnspecified() {
			at = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port())
		}
	}
	here := "http://" + at.String()
	urls, hosts := s.Counts()
	console.Say(a.Out, "%d URLs of %d hosts; nothing is fetched from the live Web", urls, hosts)
	console.Say(a.Out, "  all hosts   %s/", here)
	if first != "" {
		console.Say(a.Out, "  a page      %s/web/%s", here, first)
		console.Say(a.Out, "  as a proxy  http_proxy=%s https_proxy=%s", here, here)
	}
	if ca != "" {
		console.Say(a.Out, "  for https   trust %s, as in: https_proxy=%s curl --cacert %s https://…", ca, here, ca)
	}
	console.Say(a.Out, "Ctrl-C ends it")
}
