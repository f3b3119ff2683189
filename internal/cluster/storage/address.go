package storage

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"orbweaver"
)

// form is how a location in a bucket is written.
const form = "s3://BUCKET/PREFIX?endpoint=HOST:PORT&region=REGION&tls=off"

// bucketName matches what S3 takes for the name of a bucket; old buckets have capitals and underscores.
var bucketName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$`)

// maxPrefix is the length of the longest prefix, so that with MaxName it is no longer than S3's keys.
const maxPrefix = 500

// An address is where in which bucket of which server objects are.
type address struct {
	bucket, prefix   string // the prefix without slashes around it
	endpoint, region string // "" unless said
	plain            bool   // without TLS
}

// isURL reports whether a location is no folder.
func isURL(location string) bool { return strings.Contains(location, "://") }

// parseAddress reads a location in a bucket. Its errors show no more of it than what can be no secret.
func parseAddress(location string) (address, error) {
	bad := func(format string, args ...any) (address, error) {
		return address{}, fmt.Errorf("storage: a location %s (%w): write %s, or the path of a folder", fmt.Sprintf(format, args...), orbweaver.ErrInput, form)
	}
	u, err := url.Parse(location)
	if err != nil {
		return bad("that is no URL")
	}
	if u.User != nil || strings.Contains(u.Host, "@") {
		return bad("that holds a name or a password: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead")
	}
	if u.Scheme != "s3" {
		return bad("that begins with %q", u.Scheme+"://")
	}
	if !bucketName.MatchString(u.Host) || strings.Contains(u.Host, "..") || net.ParseIP(u.Host) != nil {
		return bad("whose bucket is %q: a name has 3 to 63 small letters, digits, dots and hyphens, and is no address", u.Host)
	}
	a := address{bucket: u.Host, prefix: strings.Trim(u.Path, "/")}
	if problem := problemOf(a.prefix); a.prefix != "" && problem != "" || len(a.prefix) > maxPrefix {
		return bad("whose prefix is not as names are, of %d bytes at most", maxPrefix)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil || u.Fragment != "" {
		return bad("whose end is no list of settings")
	}
	for key, values := range query {
		value := values[0]
		switch {
		case len(values) > 1:
			return bad("with %s twice", key)
		case key == "endpoint" && isHost(value):
			a.endpoint = value
		case key == "region" && problemOf(value) == "" && !strings.Contains(value, "/"):
			a.region = value
		case key == "tls" && (value == "on" || value == "off"):
			a.plain = value == "off"
		case key == "endpoint", key == "region", key == "tls":
			return bad("whose %s makes no sense", key)
		default:
			return bad("with the setting %q, which there is not", key)
		}
	}
	return a, nil
}

// isHost reports whether an endpoint is a host, perhaps with a port, and nothing else.
func isHost(endpoint string) bool {
	u, err := url.Parse("//" + endpoint)
	return err == nil && endpoint != "" && u.Host == endpoint && u.Hostname() != "" && u.User == nil
}

// String returns the location in canonical form.
func (a address) String() string {
	text := "s3://" + a.bucket
	if a.prefix != "" {
		text += "/" + a.prefix
	}
	var settings []string
	if a.endpoint != "" {
		settings = append(settings, "endpoint="+a.endpoint)
	}
	if a.region != "" {
		settings = append(settings, "region="+a.region)
	}
	if a.plain {
		settings = append(settings, "tls=off")
	}
	if len(settings) > 0 {
		text += "?" + strings.Join(settings, "&")
	}
	return text
}
