package wall_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"orbweaver/internal/step"
	"orbweaver/internal/wall"
)

// A host is told once of each kind, by its vendor; each answer fails by its kind.
func TestTelling(t *testing.T) {
	var told []string
	check := wall.Telling(func(host string, a wall.Answer) { told = append(told, fmt.Sprint(host, " ", a)) })
	for range 3 {
		response, body := received(t, samples[2].raw())
		err := check(response, body, nil)
		if !errors.Is(err, step.ErrWall) || err.Error() != "read https://www.example.com/some/page: wall: Cloudflare" {
			t.Error(err)
		}
	}
	if want := []string{"https://www.example.com wall: Cloudflare"}; !slices.Equal(told, want) {
		t.Errorf("told %q, not %q", told, want)
	}
}
