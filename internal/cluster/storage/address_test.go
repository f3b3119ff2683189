package storage

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver"
)

func TestAddress(t *testing.T) {
	for location, want := range map[string]address{
		"s3://webs":                               {bucket: "webs"},
		"s3://webs/":                              {bucket: "webs"},
		"s3://webs/a/b/?tls=on":                   {bucket: "webs", prefix: "a/b"},
		"s3://my.webs?region=r-1":                 {bucket: "my.webs", region: "r-1"},
		"s3://webs/c?endpoint=[::1]:9000&tls=off": {bucket: "webs", prefix: "c", endpoint: "[::1]:9000", plain: true},
	} {
		if got, err := parseAddress(location); err != nil || got != want {
			t.Errorf("%s: %+v, %v", location, got, err)
		}
	}
}

// TestAddressRefused: a location that makes no sense is refused, and its error shows nothing that may be a secret.
func TestAddressRefused(t *testing.T) {
	for _, location := range []string{
		"s3://KEY:confidential@webs/p", "s3://KEY:conf%zzidential@webs", "s3://confidential@webs", "s3://webs?secret=confidential", "s3://webs?tls=confidential",
		"s3://webs?endpoint=user:confidential@host", "s3://webs?endpoint=http://host/confidential", "s3://webs?endpoint=", "s3://webs?region=a/b",
		"s3://webs?tls=off&tls=on", "s3://webs/a//b", "s3://webs/../b", "s3://webs/a%20b", "s3://webs#confidential", "s3://", "s3:///p", "s3://x/p", "s3://Web s/p",
		"http://webs/p", "gs://webs", "s3://webs?;", "s3://webs/" + strings.Repeat("x/", 300),
	} {
		_, err := Open(t.Context(), location)
		if !errors.Is(err, orbweaver.ErrInput) || strings.Contains(err.Error(), "confidential") || !strings.Contains(err.Error(), form) {
			t.Errorf("%s: %v", location, err)
		}
	}
}

// TestKeys: keys are found in the environment or in a file, and read again when a token is over.
func TestKeys(t *testing.T) {
	clear := func(t *testing.T) string {
		fakeKeys(t)
		t.Setenv("AWS_ACCESS_KEY_ID", "")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "")
		t.Setenv("AWS_PROFILE", "")
		file := filepath.Join(t.TempDir(), "credentials")
		t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
		return file
	}
	write := func(t *testing.T, file, content string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("none", func(t *testing.T) {
		file := clear(t)
		if _, err := Open(t.Context(), "s3://webs"); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), file) {
			t.Errorf("without the file: %v", err)
		}
		write(t, file, "[other]\naws_access_key_id=a\naws_secret_access_key=confidential\n")
		if _, err := Open(t.Context(), "s3://webs"); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no credentials in profile default") {
			t.Errorf("without the profile: %v", err)
		}
		t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "")
		if _, err := Open(t.Context(), "s3://webs"); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no credentials in the environment") {
			t.Errorf("without anything: %v", err)
		}
	})
	t.Run("file", func(t *testing.T) {
		file := clear(t)
		const profiles = "# keys\n[default]\naws_access_key_id = other\naws_secret_access_key = x\n\n[ crawl ]\naws_access_key_id = " + fakeKey +
			"\nAWS_SECRET_ACCESS_KEY=a=b\naws_session_token = TOKEN\n; end\n"
		write(t, file, strings.ReplaceAll(profiles, "TOKEN", "first"))
		t.Setenv("AWS_PROFILE", "crawl")
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			valid := "first"
			f.before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("X-Amz-Security-Token") == valid {
					return false
				}
				refuse(w, http.StatusBadRequest, "ExpiredToken")
				return true
			}
			s := opened(t, direct, options{transport: f})
			put(t, s, "a", "x")
			valid = "second"
			write(t, file, strings.ReplaceAll(profiles, "TOKEN", "second"))
			if got := get(t, s, "a"); got != "x" {
				t.Errorf("it is %q", got)
			}
			valid = "third"
			if err := s.Put(t.Context(), "a", nil); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "token is over") {
				t.Errorf("%v", err)
			}
		})
	})
}

// TestRegion: without a region the server is asked for it; of one that does not say, its answers tell.
func TestRegion(t *testing.T) {
	fakeKeys(t)
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.before = func(w http.ResponseWriter, r *http.Request) bool {
			switch {
			case r.URL.Query().Has("location"):
				refuse(w, http.StatusForbidden, "AccessDenied")
			case !strings.Contains(r.Header.Get("Authorization"), "/eu-test-1/"):
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte("<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-test-1</Region></Error>"))
			default:
				return false
			}
			return true
		}
		s := opened(t, direct, options{transport: f})
		put(t, s, "a", "x")
		if _, err := open(t.Context(), direct+"&region=us-test-2", options{transport: f}); !errors.Is(err, orbweaver.ErrInput) ||
			!strings.Contains(err.Error(), "another region") || errors.Is(err, errGivenUp) {
			t.Errorf("%v", err)
		}
	})
}
