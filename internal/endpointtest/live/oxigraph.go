package live

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oxigraphServer is a program for node that serves a file of N-Triples with the module oxigraph, and
// prints its URL. Rows are JSON and graphs N-Triples, whatever the client accepts.
const oxigraphServer = `const http = require('http'), fs = require('fs'), oxigraph = require('oxigraph');
const store = new oxigraph.Store();
store.load(fs.readFileSync(process.argv[2], 'utf8'), {format: 'application/n-triples', to_graph_name: oxigraph.defaultGraph()});
const rows = 'application/sparql-results+json', graph = 'application/n-triples';
function answer(query) {
  try { return [200, rows, store.query(query, {results_format: rows})]; } catch (first) {
    try { return [200, graph, store.query(query, {results_format: graph})]; } catch { return [400, 'text/plain', String(first)]; }
  }
}
http.createServer({maxHeaderSize: 64 << 10}, (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part) => body += part).on('end', () => {
    const form = request.method === 'POST' ? new URLSearchParams(body) : new URL(request.url, 'http://localhost').searchParams;
    const [status, type, text] = form.get('query') ? answer(form.get('query')) : [400, 'text/plain', 'no query parameter'];
    response.writeHead(status, {'Content-Type': type}).end(text);
  });
}).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port + '/sparql'); });
`

// startOxigraph starts Oxigraph in node.
func startOxigraph(t testing.TB, data []byte) Endpoint {
	t.Helper()
	node := look(t, "node", "node, for Oxigraph,")
	env := os.Environ()
	if folder := os.Getenv(OxigraphFolder); folder != "" {
		env = append(env, "NODE_PATH="+filepath.Join(folder, "node_modules"))
	}
	dir := t.TempDir()
	probe := exec.CommandContext(t.Context(), node, "-e", "require.resolve('oxigraph')")
	probe.Dir, probe.Env = dir, env
	if err := probe.Run(); err != nil {
		t.Skipf("Oxigraph is not installed: node does not find the module oxigraph; %s may name a folder with node_modules", OxigraphFolder)
	}
	script, file := filepath.Join(dir, "server.js"), filepath.Join(dir, "data.nt")
	writeFile(t, script, []byte(oxigraphServer))
	writeFile(t, file, data)
	cmd := exec.Command(node, script, file)
	cmd.Dir, cmd.Env = dir, env
	var out said
	p := run(t, cmd, &out)
	url := ""
	err := p.await(func(context.Context) (ready bool) {
		url, _, ready = strings.Cut(out.String(), "\n")
		return ready
	})
	if err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("%q, %v", url, err)
	}
	return Endpoint{Kind: Oxigraph, URL: url, Stop: p.stop}
}
