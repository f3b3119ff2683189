package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// mostSaid bounds an answer, text and structure together, in bytes of JSON: the answer of a query twice, and escaped.
const mostSaid = 1 << 20

// hostile are arguments of tools.
func hostile() []string {
	deep := strings.Repeat("[", 5000)
	return []string{
		`{}`, `null`, `[]`, `"x"`, `{"query":null}`, `{"query":["x"]}`, `{"query":{"query":"x"}}`, `{"query":"x","query":"y"}`, `{"url":"http://skylines.example/","crawl":7}`,
		`{"query":"airliner","limit":1e999}`, `{"query":"airliner","limit":9223372036854775808}`, `{"query":"airliner","offset":-9223372036854775808}`, `{"query":"airliner","limit":1.5}`,
		`{"url":"http://skylines.example/types/a320.html","offset":2147483648}`, `{"url":"http://skylines.example/types/a320.html","offset":1,"max_tokens":100}`,
		`{"url":"http://skylines.example/types/a320.html","max_tokens":-1}`, `{"query":"x","more":true}`, `{"QUERY":"x"}`, `{"query":"\ud800\u0000\u202e"}`, `{"url":"\u0000"}`, `{"url":"http://[::1%25]/"}`,
		`{"query":"+ - * \" title: -\"\" (((","limit":50}`, `{"query":"a* b* c* d* e*"}`, `{"query":"title:title:title:"}`,
		`{"query":"SELECT * {` + strings.Repeat("{", 3000) + strings.Repeat("}", 3000) + `}"}`, `{"query":"ASK {?s ?p ?o FILTER(` + strings.Repeat("!", 3000) + `?s)}"}`,
		`{"query":"SELECT (REPLACE(STR(?s),\"(a*)*b\",\"c\") AS ?x) {?s ?p ?o} LIMIT 5"}`, `{"query":"SELECT * {?a ?b ?c. ?d ?e ?f. ?g ?h ?i}"}`, `{"query":"CONSTRUCT {?s ?p ?o} {?s ?p ?o}"}`,
		`{"query":"SELECT (CONCAT(?x,?x,?x,?x) AS ?y) {{SELECT (GROUP_CONCAT(STR(?o)) AS ?x) {?s ?p ?o}}}"}`, `{"query":` + deep + strings.Repeat("]", 5000) + `}`,
		`{"url":"http://` + strings.Repeat("a", 100_000) + `.example/"}`, `{"query":"` + strings.Repeat("word ", 20_000) + `"}`,
	}
}

// FuzzCall: whatever arguments a tool is called with, it answers, within bounds, and goes on.
func FuzzCall(f *testing.F) {
	tools := []string{"search", "page", "explain", "query", "none"}
	for _, arguments := range append(hostile(), "SELECT ?s { ?s ?p ?o } LIMIT 2", "http://skylines.example/types/a320.html", `"side-stick" +title:air*`) {
		for i := range tools {
			f.Add(uint8(i), arguments)
		}
	}
	o := usual()
	o.time = 5 * time.Second
	s := served(f, o)
	c := client(f, s)
	f.Fuzz(func(t *testing.T, tool uint8, arguments string) {
		name := tools[int(tool)%len(tools)]
		if !json.Valid([]byte(arguments)) { // the client sends none (FuzzMessages does): it is what the tool is asked for
			key := map[string]string{"page": "url", "explain": "url"}[name]
			b, err := json.Marshal(map[string]string{cmp.Or(key, "query"): arguments})
			if err != nil {
				t.Fatal(err)
			}
			arguments = string(b)
		}
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
		if err != nil {
			if len(err.Error()) > mostSaid {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if b, err := json.Marshal(r); err != nil || len(b) > mostSaid {
			t.Errorf("%d bytes, %v", len(b), err)
		}
	})
}

// FuzzMessages: whatever a client sends, what the server sends are lines of JSON within bounds, and it ends when the client does.
func FuzzMessages(f *testing.F) {
	const call = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"explain","arguments":{"url":"http://skylines.example/"}}}`
	for _, id := range []string{`1`, `"x"`, `null`, `[]`, `{}`, `-1`, `1e999`, `1.5`, `9007199254740993`, `true`, `"` + strings.Repeat("i", 10_000) + `"`, `"\u0000"`} {
		f.Add(fmt.Sprintf(call, id))
		f.Add(fmt.Sprintf(call, id) + "\n" + fmt.Sprintf(call, id))
	}
	for _, line := range []string{
		"", "x", "[]", "{}", "null", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"tools/call"}`, `{"jsonrpc":"2.0","id":2,"method":""}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[]}`, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}`, `{"jsonrpc":"2.0","id":2,"result":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"crawl:///../../etc"}}`, `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"none"}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`, strings.Repeat("[", 20_000), `{"jsonrpc":"2.0","id":2,"method":"` + strings.Repeat("m", 100_000) + `"}`, "\xff\xfe{}",
	} {
		f.Add(line)
	}
	s := served(f, usual())
	const begin = `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	f.Fuzz(func(t *testing.T, messages string) {
		in, send := io.Pipe()
		out := &answers{begun: make(chan struct{})}
		go func() {
			_, _ = io.WriteString(send, begin)
			<-out.begun
			_, _ = io.WriteString(send, messages+"\n") // what is no message may end it before
			_ = send.Close()
		}()
		_ = s.run(t.Context(), in, out)
		_ = in.Close()
		if !bytes.HasPrefix(out.Bytes(), []byte(`{"jsonrpc":"2.0","id":"begin","result":`)) || out.Len() > mostSaid+8*len(messages) {
			t.Errorf("%d bytes: %.200s", out.Len(), out.Bytes())
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				t.Errorf("no JSON: %.200q", line)
			}
		}
	})
}

// answers are what a server writes.
type answers struct {
	bytes.Buffer
	begun chan struct{} // closed by the first one
}

func (a *answers) Write(p []byte) (int, error) {
	if a.Len() == 0 {
		close(a.begun)
	}
	return a.Buffer.Write(p)
}
