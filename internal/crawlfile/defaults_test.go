package crawlfile_test

import (
	"testing"
	"time"
)

// TestDefaults checks the defaults of keys.
func TestDefaults(t *testing.T) {
	c := schema().Defaults()
	if !c.Politeness.Robots || c.Politeness.Delay != time.Second || c.Politeness.UserAgent == "" || c.Limits.Body != 10_000_000 ||
		c.Limits.Redirects != 10 || c.AllowPrivate.All || c.Web != nil || c.Render.When != "never" {
		t.Errorf("%+v", c)
	}
}
