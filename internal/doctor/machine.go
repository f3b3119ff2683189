package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/fetch/render"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/machine"
	"orbweaver/internal/services"
	"orbweaver/internal/services/wire"
)

// A Machine is what checks ask.
type Machine struct {
	Built  time.Time // of the commit of this program; zero: not known
	Files  int       // that this process may open
	Memory int64     // limit of the cgroup in bytes; 0: none

	Now     func() (wall time.Time, running time.Duration)                               // time of day, and that of a clock which only runs
	Free    func(folder string) (bytes int64, known bool)                                // of the folder's disk
	Sync    func(folder string) (median time.Duration, err error)                        // writes and removes a file there
	Resolve func(ctx context.Context, name string) ([]netip.Addr, error)                 // looks up a name
	Browser func(ctx context.Context, program string) (string, error)                    // starts a browser; its version and path. Empty: the usual ones
	Listen  func(address string) error                                                   // whether one can listen there
	Who     func(ctx context.Context, address string) string                             // what listens there says of itself; empty: nothing
	Connect func(ctx context.Context, address string) error                              // whether one can connect there
	Date    func(ctx context.Context, f *crawlfile.Crawl, url string) (time.Time, error) // of a response; zero: it has none
	Sinks   func(ctx context.Context, path string, f *crawlfile.Crawl) ([]Tried, error)  // checks each sink; an error: one has keys that do not work
}

// A Tried is a sink of a crawl file, with what its check said.
type Tried struct {
	Name, To string
	Err      error
}

// This returns the machine that the program runs on, with the network of a wire. built is when the program's commit was made.
func This(built time.Time, w wire.Wire) *Machine {
	started := time.Now()
	m := &Machine{
		Built: built, Files: machine.Files().Limit, Memory: machine.MemoryLimit(),
		Now: func() (time.Time, time.Duration) {
			now := time.Now()
			return now.Round(0), now.Sub(started)
		},
		Free: machine.Free, Sync: syncTime, Resolve: w.Options.Resolve, Browser: browserVersion, Listen: listen, Who: who, Connect: connect,
		Date: func(ctx context.Context, f *crawlfile.Crawl, url string) (time.Time, error) {
			return date(ctx, f, w, url)
		},
	}
	if m.Resolve == nil {
		m.Resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	return m
}

// syncTime writes a few blocks to a new file and returns the median time until each is on the disk. It removes the file.
func syncTime(folder string) (median time.Duration, err error) {
	f, err := os.CreateTemp(folder, ".orbweaver-doctor-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	var times []time.Duration
	for range 9 {
		begun := time.Now()
		if _, err := f.Write(make([]byte, 4<<10)); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(begun))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// browserVersion starts a browser and ends it.
func browserVersion(ctx context.Context, program string) (version string, err error) {
	b, err := render.New(render.Options{Browser: program})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if version, err = b.Version(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %s", version, b.Program()), nil
}

func listen(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}

func connect(ctx context.Context, address string) error {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return c.Close()
}

// who returns the Server header of what listens at an address.
func who(ctx context.Context, address string) string {
	response, err := get(ctx, "http://"+address+"/")
	if err != nil {
		return ""
	}
	return response.Header.Get("Server")
}

// Answers asks a server of this program, such as a studio, whether it answers. An answer that says an error of the server is an
// error, and one that only refuses the client is none.
func Answers(ctx context.Context, url string) (status string, err error) {
	response, err := get(ctx, url)
	if err != nil {
		return "", err
	}
	if response.StatusCode >= 500 {
		return "", fmt.Errorf("%s answers %s", url, response.Status)
	}
	return response.Status, nil
}

// get asks for a URL that the user named, within a few seconds; it follows no redirect and uses no proxy.
func get(ctx context.Context, url string) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	transport := &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 4<<10))
	return response, response.Body.Close()
}

// date asks for a URL as the crawl of a file would.
func date(ctx context.Context, f *crawlfile.Crawl, w wire.Wire, url string) (time.Time, error) {
	c, err := services.NewClient(f, w)
	if err != nil {
		return time.Time{}, err
	}
	defer c.Close()
	response, err := c.Fetch(ctx, orbweaver.Request{URL: url})
	if err != nil {
		return time.Time{}, err
	}
	at, _ := http.ParseTime(response.Header.Get("Date")) // zero: no date
	return at, response.Body.Close()
}

// standing returns the nearest folder at or above a path that exists.
func standing(folder string) string {
	for {
		if info, err := os.Stat(folder); err == nil && info.IsDir() || filepath.Dir(folder) == folder {
			return folder
		}
		folder = filepath.Dir(folder)
	}
}
