package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

const (
	startTime = 30 * time.Second // until a browser must answer
	endTime   = 3 * time.Second  // until a browser must end by itself
	maxOutput = 4 << 10          // bytes of a browser's output at start
	maxMemory = 2 << 30          // bytes of private memory of each browser process
)

// A process is a running browser with its own folder. It is alive until its connection is lost or stop is
// called; stop removes everything.
type process struct {
	command *exec.Cmd
	folder  string
	output  *output
	exited  chan struct{}   // closed when the program has ended
	product string          // name and version, as it tells them
	browser context.Context // chromedp's context of the browser; ends with the connection
	hangUp  context.CancelFunc
}

// start starts a browser and waits until it answers, or ctx ends.
func start(ctx context.Context, program string, o Options) (*process, error) {
	folder, err := os.MkdirTemp("", "orbweaver-browser-")
	if err != nil {
		return nil, err
	}
	p := &process{folder: folder, exited: make(chan struct{}), output: &output{ended: make(chan struct{})}}
	connection, err := p.launch(program, o)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	p.connect(connection)
	if err := p.greet(ctx); err != nil {
		kill(p.command.Process) // it has no state to save
		p.output.wait()
		return nil, errors.Join(fmt.Errorf("%w%s", err, p.output), p.stop())
	}
	return p, nil
}

// launch starts the program with two pipes as its descriptors 3 and 4, and returns our ends.
func (p *process) launch(program string, o Options) (*connection, error) {
	var ends [6]*os.File // three pipes: commands, answers, output; reading end first
	for i := 0; i < len(ends); i += 2 {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, errors.Join(err, closeAll(ends[:]...))
		}
		ends[i], ends[i+1] = r, w
	}
	c := exec.Command(program, flags(p.folder, o)...)
	c.Dir = p.folder
	c.Env = environment(p.folder)
	c.ExtraFiles = []*os.File{ends[0], ends[3]}
	c.Stdout, c.Stderr = ends[5], ends[5]
	separate(c)
	if err := c.Start(); err != nil {
		return nil, errors.Join(err, closeAll(ends[:]...))
	}
	p.command = c
	limitMemory(c.Process.Pid, maxMemory)
	go p.output.read(ends[4])
	go func() {
		_ = c.Wait() // its exit status is ignored: it was always asked to quit, or killed
		close(p.exited)
	}()
	return newConnection(ends[2], ends[1], 3*o.MaxBody+1<<20), closeAll(ends[0], ends[3], ends[5])
}

func closeAll(files ...*os.File) (err error) {
	for _, f := range files {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// connect makes the browser's context, which ends when the connection is lost.
func (p *process) connect(c *connection) {
	background, cancel := chromedp.NewAllocatorContext(context.Background(), attachment{c})
	silent := func(string, ...any) {}
	p.browser, _ = chromedp.NewContext(background, chromedp.WithLogf(silent), chromedp.WithErrorf(silent))
	p.hangUp = cancel
}

// greet waits until the browser returns its version.
func (p *process) greet(ctx context.Context) error {
	defer context.AfterFunc(ctx, p.hangUp)()
	late := time.AfterFunc(startTime, p.hangUp)
	defer late.Stop()
	version, err := chromedp.CallBrowser(p.browser, browser.GetVersion, cdp.Empty{})
	p.product = version.Product
	return err
}

// alive reports whether the connection to the browser works.
func (p *process) alive() bool {
	select {
	case <-p.exited:
	case <-p.browser.Done():
	case <-chromedp.FromContext(p.browser).Browser.LostConnection:
	default:
		return true
	}
	return false
}

// stop ends the browser: it closes the pipes, kills a browser that continues, and removes its folder. It can be
// called more than once.
func (p *process) stop() error {
	p.hangUp()
	late := time.AfterFunc(endTime, func() { kill(p.command.Process) })
	<-p.exited
	late.Stop()
	kill(p.command.Process) // children that did not end with it
	p.output.close()
	return p.clear()
}

// clear removes the folder. A process just killed may still write to it.
func (p *process) clear() error {
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	for range 200 {
		if os.RemoveAll(p.folder) == nil {
			break
		}
		<-pause.C
	}
	return os.RemoveAll(p.folder)
}

// flags are the browser's arguments: no window, no requests of its own, no access to the network.
func flags(folder string, o Options) []string {
	all := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + filepath.Join(folder, "profile"),
		"--window-size=1280,1024", "--hide-scrollbars", "--mute-audio", "--disable-gpu", "--lang=en-US",
		"--force-color-profile=srgb", "--no-first-run", "--no-default-browser-check", "--no-pings",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-default-apps", "--disable-extensions", "--disable-domain-reliability",
		"--disable-client-side-phishing-detection", "--disable-breakpad", "--disable-crash-reporter",
		"--disable-dev-shm-usage", "--disable-notifications", "--disable-prompt-on-repost",
		"--disable-renderer-backgrounding", "--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows", "--disable-hang-monitor", "--disable-speech-api",
		"--metrics-recording-only", "--safebrowsing-disable-auto-update", "--password-store=basic",
		"--use-mock-keychain", "--block-new-web-contents", "--deny-permission-prompts",
		"--dns-prefetch-disable", "--host-resolver-rules=MAP * ~NOTFOUND",
		"--proxy-server=http://nowhere.invalid:1", "--proxy-bypass-list=<-loopback>",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-quic",
		"--js-flags=--max-old-space-size=256",
		"--disable-features=" + unwanted,
	}
	if os.Geteuid() == 0 { // the browser refuses to sandbox as root
		all = append(all, "--no-sandbox")
	}
	if o.UserAgent != "" {
		all = append(all, "--user-agent="+o.UserAgent)
	}
	return append(all, "about:blank")
}

// unwanted are browser features that make their own requests, change URLs, or prefetch.
const unwanted = "Translate,OptimizationHints,OptimizationGuideModelDownloading,MediaRouter,DialMediaRouteProvider," +
	"InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater,AutofillServerCommunication," +
	"HttpsUpgrades,HttpsFirstBalancedMode,HttpsFirstBalancedModeAutoEnable,PrivacySandboxSettings4," +
	"Prerender2,SpeculationRulesPrefetchFuture,PreloadMediaEngagementData,NetworkTimeServiceQuerying"

// environment is the browser's environment: search paths of programs and libraries, and a temporary home. It
// has no proxy, no secret and no local time zone.
func environment(folder string) []string {
	env := []string{
		"HOME=" + folder, "TMPDIR=" + folder, "XDG_CONFIG_HOME=" + folder, "XDG_CACHE_HOME=" + folder,
		"XDG_RUNTIME_DIR=" + folder, "DBUS_SESSION_BUS_ADDRESS=disabled:", "TZ=UTC", "LANG=en_US.UTF-8",
	}
	for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// An output keeps the first bytes of a browser's output, for the error of one that does not start, and drains
// the rest, so that the browser never blocks.
type output struct {
	mu   sync.Mutex
	from *os.File
	kept bytes.Buffer
	done bool

	ended chan struct{} // closed after the last byte
}

func (o *output) read(from *os.File) {
	defer close(o.ended)
	o.mu.Lock()
	o.from = from
	done := o.done
	o.mu.Unlock()
	if done {
		_ = from.Close()
		return
	}
	_, _ = io.Copy(o, from) // ends with the browser, or with close
	_ = from.Close()
}

// Write keeps bytes up to the limit. It never fails.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := maxOutput - o.kept.Len(); room > 0 {
		o.kept.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

// wait waits briefly for the output of an ended browser; a child process may keep the pipe open.
func (o *output) wait() {
	late := time.NewTimer(time.Second)
	defer late.Stop()
	select {
	case <-o.ended:
	case <-late.C:
	}
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done = true
	if o.from != nil {
		_ = o.from.Close()
	}
}

// String is the output on separate lines, or "".
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if said := bytes.TrimSpace(o.kept.Bytes()); len(said) > 0 {
		return "\n" + string(said)
	}
	return ""
}
