package wall

import (
	"errors"
	"sync"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// maxTold bounds the hosts that are remembered.
const maxTold = 10_000

// Telling returns Check with a function that is called once for each host and kind of answer. It is called from many
// goroutines, one at a time.
func Telling(tell func(host string, a Answer)) func(*step.Response, []byte, *orbweaver.Page) error {
	type key struct {
		host string
		kind orbweaver.Failure
	}
	var mu sync.Mutex
	told := map[key]bool{}
	return func(response *step.Response, payload []byte, p *orbweaver.Page) error {
		err := Check(response, payload, p)
		var a Answer
		if !errors.As(err, &a) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if k := (key{weburl.Host(response.Request.URL), a.Kind}); !told[k] && len(told) < maxTold {
			told[k] = true
			tell(k.host, a)
		}
		return err
	}
}
