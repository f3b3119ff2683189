package usage

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Limits of tdmrep.json.
const (
	maxFile  = 256 << 10 // bytes; a longer file says nothing
	maxRules = 1000      // rules; later ones are not looked at
	maxPath  = 2048      // bytes of a pattern
)

// A rule of tdmrep.json: of those that match a path the first counts.
type rule struct {
	Location    string          `json:"location"`
	Reservation json.RawMessage `json:"tdm-reservation"`
	Policy      string          `json:"tdm-policy"`
	reservation string
}

// parseTDM reads a tdmrep.json, an array of rules. Rules that cannot be read are skipped.
func parseTDM(file []byte) (rules []rule) {
	var all []json.RawMessage
	if len(file) > maxFile || json.Unmarshal(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf")), &all) != nil {
		return nil
	}
	for _, one := range all[:min(len(all), maxRules)] {
		var r rule
		if json.Unmarshal(one, &r) != nil || r.Location == "" || len(r.Location) > maxPath {
			continue
		}
		r.reservation, r.Reservation = strings.Trim(string(r.Reservation), `" `), nil
		if r.reservation == "0" || r.reservation == "1" {
			rules = append(rules, r)
		}
	}
	return rules
}
