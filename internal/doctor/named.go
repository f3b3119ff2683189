package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/fetch/access"
	"orbweaver/internal/console"
	"orbweaver/internal/services"
	"orbweaver/weburl"
)

// The most names that are looked up, and the time for each look at the network.
const (
	mostNames = 8
	askTime   = 10 * time.Second
)

// dns looks up the hosts of the first seeds.
func dns(ctx context.Context, m *Machine, p Patient) []Finding {
	switch {
	case p.File == nil:
		return one(OK, "", "not asked: `orbweaver doctor FILE` looks up the hosts of its seeds")
	case !p.live():
		return one(OK, "", "not asked: the crawl is of an archive")
	}
	var names []string
	for _, seed := range p.File.Seeds.URLs {
		name := strings.Trim(weburl.Hostname(seed), "[]")
		if _, err := netip.ParseAddr(name); err != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	all := len(names)
	if all == 0 {
		return one(OK, "", "not asked: no seed has a host with a name")
	}
	names = names[:min(all, mostNames)]
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var found []Finding
	failed := 0
	for _, name := range names {
		addresses, err := m.Resolve(ctx, name)
		if err == nil && len(addresses) == 0 {
			err = errors.New("no address")
		}
		if err != nil {
			failed++
			found = append(found, one(Warning, "look whether the name is right", "%s: %v", name, err)...)
		}
	}
	if failed == len(names) {
		for i := range found {
			found[i].State, found[i].Do = Problem, "look whether the name is right, and which servers /etc/resolv.conf has"
		}
		return found
	}
	return append(found, one(OK, "", "%d of %s looked up", len(names)-failed, console.Several(all, "host"))...)
}

// browser starts the browser, if the crawl file needs one, or there is no crawl file.
func browser(ctx context.Context, m *Machine, p Patient) []Finding {
	program, needs := "", ""
	if p.File != nil {
		program = p.File.Render.Browser
		if p.live() {
			for i := range p.File.HTTP {
				if l := p.File.HTTP[i].Login; l != nil && len(l.Steps) > 0 {
					needs = fmt.Sprintf("http[%d].login.steps", i+1)
				}
			}
		}
		if p.File.Render.When != "never" {
			needs = "render.when"
		}
		if needs == "" {
			return one(OK, "", "not needed: the crawl file renders no page")
		}
	}
	version, err := m.Browser(ctx, program)
	switch {
	case err == nil:
		return one(OK, "", "%s", version)
	case needs != "":
		return one(Problem, needs+" of the crawl file needs one", "%s", plain(err))
	}
	return one(Warning, "without one, crawl files cannot have render and login.steps", "%s", plain(err))
}

// proxies connects to the proxies that a crawl file names, and sends nothing.
func proxies(ctx context.Context, m *Machine, p Patient) []Finding {
	if !p.live() {
		return nil
	}
	var named []string
	if to := p.File.Politeness.Proxy; to != "" {
		named = append(named, to)
	}
	for i := range p.File.HTTP {
		if to := p.File.HTTP[i].Proxy; to != nil {
			named = append(named, to.URL)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var found []Finding
	for _, to := range slices.Compact(slices.Sorted(slices.Values(named))) {
		at, err := url.Parse(to)
		if err != nil { // the crawl file was checked
			found = append(found, one(Problem, "", "a proxy's address is no URL")...)
			continue
		}
		port := cmp.Or(at.Port(), map[string]string{"http": "80", "https": "443", "socks5": "1080"}[at.Scheme])
		shown := at.Scheme + "://" + at.Host
		if err := m.Connect(ctx, net.JoinHostPort(at.Hostname(), port)); err != nil {
			found = append(found, one(Problem, "look whether the proxy runs and its address is right", "%s: %v", shown, err)...)
			continue
		}
		found = append(found, one(OK, "", "%s accepts connections", shown)...)
	}
	return found
}

// logins reads the secrets that a crawl file names, the cookies and the jar, and shows none of them.
func logins(_ context.Context, _ *Machine, p Patient) []Finding {
	if !p.live() || len(p.File.HTTP) == 0 && p.File.Schedule.Secret.Env == "" && p.File.Schedule.Secret.File == "" {
		return nil
	}
	_, err := services.OpenAccess(p.Path, p.File, "")
	if _, webhook := services.ReadSecret(p.File.Schedule.Secret, "schedule.secret"); webhook != nil {
		err = errors.Join(err, fmt.Errorf("%s: %w", p.Path, webhook))
	}
	for i := range p.File.HTTP {
		if c := p.File.HTTP[i].Cookies; c != nil && c.Key != "" {
			if _, jar := access.OpenJar(filepath.Join(p.File.Output, services.JarFile), c.Key, ""); jar != nil {
				err = errors.Join(err, fmt.Errorf("%s: http[%d].cookies.key: %w", p.Path, i+1, jar))
			}
		}
	}
	if err == nil {
		return one(OK, "", "what %s names is there and can be read", p.Path)
	}
	var found []Finding
	for line := range strings.Lines(err.Error()) {
		found = append(found, one(Problem, "", "%s", plain(errors.New(line)))...)
	}
	return found
}

// sinks checks the sinks of a crawl file, as a crawl does before it begins.
func sinks(ctx context.Context, m *Machine, p Patient) (found []Finding) {
	if p.File == nil || len(p.File.Sinks) == 0 {
		return nil
	}
	tried, err := m.Sinks(ctx, p.Path, p.File)
	if err != nil {
		return one(Problem, "", "%s", plain(err))
	}
	for _, t := range tried {
		if t.Err != nil {
			found = append(found, one(Problem, "", "%s, %s: %s", t.Name, t.To, plain(t.Err))...)
		} else {
			found = append(found, one(OK, "", "%s: %s can be delivered to", t.Name, t.To)...)
		}
	}
	return found
}

// plain is an error without the word that only chooses the exit status.
func plain(err error) string {
	word := orbweaver.ErrInput.Error()
	text := strings.TrimSpace(weburl.Redacted(err.Error()))
	text = strings.TrimSuffix(text, " ("+word+")")
	return strings.TrimPrefix(strings.ReplaceAll(text, ": "+word+": ", ": "), word+": ")
}
