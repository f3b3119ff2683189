//go:build e2e

package program_test

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCPOverPipes: a client starts the program and speaks with it over its standard input and output; closing the input ends it.
func TestMCPOverPipes(t *testing.T) {
	folder := project(t)
	if status, _, stderr := execute(t, "crawl", "examples/aircraft.yaml"); status != exitDone {
		t.Fatal(stderr)
	}
	c := program(t, folder, "mcp", "crawls/aircraft")
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: map[string]any{"query": "airliner", "limit": 1}})
	if err != nil || found.IsError || !strings.Contains(found.Content[0].(*sdk.TextContent).Text, "http://") {
		t.Errorf("%+v, %v", found, err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("its end: %v", err)
	}
	if c.ProcessState == nil || c.ProcessState.ExitCode() != exitDone {
		t.Errorf("it ended as %v", c.ProcessState)
	}
	for args, want := range map[string]string{
		"mcp":                                    "want at least one crawl folder",
		"mcp none":                               "none",
		"mcp crawls/aircraft --token x":          "--token is for --listen",
		"mcp x --timeout 0s":                     "must be above 0",
		"mcp crawls/aircraft --listen 0.0.0.0:0": "reached from other machines",
	} {
		if status, _, stderr := execute(t, strings.Fields(args)...); status != exitInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
	}
}
