package api

import (
	_ "embed"
	"fmt"
	"net/http"
	"sync"

	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var openapi []byte

// Description is the description of the API: OpenAPI 3.1, as JSON.
var Description = sync.OnceValues(func() ([]byte, error) {
	text, err := yaml.YAMLToJSON(openapi)
	if err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	return text, nil
})

func (a *API) description(w http.ResponseWriter, _ *http.Request) error {
	text, err := Description()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(text) // the client has gone
	return nil
}
