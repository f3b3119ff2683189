package ontology

import (
	"orbweaver"
	"orbweaver/focus/crossref"
	focus "orbweaver/focus/ontology"
)

// layersOn is the value of layers that ranks links by a context graph too.
const layersOn = "on"

// withLayers returns a focus with a context graph whose layer 0 is what it accepts.
func withLayers(f *focus.Focus) (orbweaver.Focus, error) {
	layered, err := crossref.NewUnder(f, crossref.DefaultUnder())
	if err != nil {
		return nil, err
	}
	return layered, nil
}
