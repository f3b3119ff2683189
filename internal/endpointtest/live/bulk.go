package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bulkGraph is the graph of what a Bulk Virtuoso has loaded. Queries name it as their default graph.
const bulkGraph = "http://bulk.example.org/"

// bulkPatience bounds the time to load millions of triples, and that of a measurement.
const bulkPatience = 20 * time.Minute

// A Bulk is a store with a large file of N-Triples, for measurements: it times queries by itself, so that neither HTTP nor a
// format of answers counts.
type Bulk interface {
	// Time evaluates queries, each once, and returns how many rows all of them had and the time taken.
	Time(t testing.TB, texts []string) (rows int, took time.Duration)
	// Process returns the ID of its process.
	Process() int
}

// StartBulk starts a Virtuoso or an Oxigraph with the triples of a file. Virtuoso's database is kept in the folder, and used
// again.
func StartBulk(t testing.TB, kind Kind, dir, file string) Bulk {
	t.Helper()
	if kind == Oxigraph {
		return bulkOxigraph(t, file)
	}
	return bulkVirtuoso(t, dir, file)
}

// bulkConfig has the buffers that Virtuoso's own configuration file recommends for 4 GB; otherwise as virtuosoConfig.
const bulkConfig = virtuosoFiles + `[Parameters]
ServerPort = 127.0.0.1:%[2]d
DirsAllowed = %[3]s
NumberOfBuffers = 340000
MaxDirtyBuffers = 250000
ThreadsPerQuery = 2
CheckpointInterval = 0
`

// bulkProcedure evaluates queries and returns their rows and the milliseconds that they took.
const bulkProcedure = `create procedure DB.DBA.BULK_TIME (in texts any)
{
  declare i, t0, n, ms integer;
  declare st, msg, cls, rws any;
  n := 0;
  t0 := msec_time();
  for (i := 0; i < length(texts); i := i + 1)
    {
      st := '00000';
      exec('sparql define input:default-graph-uri <` + bulkGraph + `> ' || texts[i], st, msg, vector(), 0, cls, rws);
      if (st <> '00000') signal(st, msg);
      n := n + length(rws);
    }
  ms := msec_time() - t0;
  result_names(n, ms);
  result(n, ms);
};
`

type virtuosoBulk struct {
	dir, isql string
	port      int
	pid       int
}

func bulkVirtuoso(t testing.TB, dir, file string) Bulk {
	t.Helper()
	server, isql := look(t, "virtuoso-t", "Virtuoso"), look(t, "isql-vt", "Virtuoso's client")
	_, err := os.Stat(filepath.Join(dir, "loaded"))
	loaded := err == nil
	port := freePorts(t, 1)[0]
	config := filepath.Join(dir, "virtuoso.ini")
	writeFile(t, config, fmt.Appendf(nil, bulkConfig, dir, port, filepath.Dir(file)))
	_ = os.Remove(filepath.Join(dir, "virtuoso.lck")) // of a run that was killed
	cmd := exec.Command(server, "+foreground", "+configfile", config)
	cmd.Dir = dir
	p := run(t, cmd, &said{})
	if err := p.await(listening(port)); err != nil {
		t.Fatal(err)
	}
	v := &virtuosoBulk{dir, isql, port, cmd.Process.Pid}
	if !loaded {
		v.run(t, fmt.Sprintf("ld_dir('%s', '%s', '%s');\nrdf_loader_run();\ncheckpoint;\n", filepath.Dir(file), filepath.Base(file), bulkGraph))
		writeFile(t, filepath.Join(dir, "loaded"), nil)
	}
	v.run(t, bulkProcedure)
	return v
}

// run runs statements and returns what isql prints.
func (v *virtuosoBulk) run(t testing.TB, statements string) string {
	t.Helper()
	script := filepath.Join(v.dir, "statements.sql")
	writeFile(t, script, []byte("SET MACRO_SUBSTITUTION OFF;\n"+statements))
	ctx, cancel := context.WithTimeout(t.Context(), bulkPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, v.isql, fmt.Sprintf("127.0.0.1:%d", v.port), "dba", "dba",
		"VERBOSE=OFF", "BANNER=OFF", "PROMPT=OFF", "ERRORS=STDOUT", script).CombinedOutput()
	if err != nil || strings.Contains(string(out), "*** Error") {
		t.Fatalf("%s: %v\n%s", statements[:min(len(statements), 2000)], err, out)
	}
	return string(out)
}

// Time implements Bulk.
func (v *virtuosoBulk) Time(t testing.TB, texts []string) (rows int, took time.Duration) {
	t.Helper()
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, "'"+strings.ReplaceAll(text, "'", "''")+"'")
	}
	out := strings.Fields(v.run(t, "DB.DBA.BULK_TIME(vector("+strings.Join(quoted, ",\n")+"));\n"))
	if len(out) >= 2 {
		n, err := strconv.Atoi(out[len(out)-2])
		ms, err2 := strconv.Atoi(out[len(out)-1])
		if err == nil && err2 == nil {
			return n, time.Duration(ms) * time.Millisecond
		}
	}
	t.Fatalf("no figures in %q", out)
	return 0, 0
}

// Process implements Bulk.
func (v *virtuosoBulk) Process() int { return v.pid }

// Resident returns the resident memory of a process in bytes; 0: unknown.
func Resident(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if after, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.ParseInt(strings.Fields(after)[0], 10, 64)
			return n << 10
		}
	}
	return 0
}

// Processor returns the processor time that a process took, over all threads, to a hundredth of a second; 0: unknown.
func Processor(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third on
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// bulkScript loads a file in pieces that end with a line, and then answers a line of queries (JSON) with one of figures.
const bulkScript = `
const fs = require('fs'), readline = require('readline');
const store = new (require('oxigraph').Store)();
const options = {format: 'application/n-triples', no_transaction: true};
const file = fs.openSync(process.argv[2]), buffer = Buffer.alloc(32 << 20);
for (let rest = '', n; (n = fs.readSync(file, buffer)) > 0;) {
  const text = rest + buffer.toString('latin1', 0, n), end = text.lastIndexOf('\n') + 1;
  store.load(Buffer.from(text.slice(0, end), 'latin1').toString(), options);
  rest = text.slice(end);
}
console.log('{}');
readline.createInterface({input: process.stdin}).on('line', (line) => {
  const texts = JSON.parse(line), begun = process.hrtime.bigint();
  let rows = 0;
  for (const text of texts) rows += store.query(text).length;
  console.log(JSON.stringify({rows, took: Number(process.hrtime.bigint() - begun)}));
});
`

type oxigraphBulk struct {
	pid   int
	in    *json.Encoder
	lines *bufio.Scanner
}

func bulkOxigraph(t testing.TB, file string) Bulk {
	t.Helper()
	node := look(t, "node", "node, for Oxigraph,")
	dir := t.TempDir()
	script := filepath.Join(dir, "bulk.js")
	writeFile(t, script, []byte(bulkScript))
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, node, "--max-old-space-size=4096", script, file)
	cmd.Dir, cmd.Env = dir, os.Environ()
	if folder := os.Getenv(OxigraphFolder); folder != "" {
		cmd.Env = append(cmd.Env, "NODE_PATH="+filepath.Join(folder, "node_modules"))
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	o := &oxigraphBulk{cmd.Process.Pid, json.NewEncoder(in), bufio.NewScanner(out)}
	if !o.lines.Scan() {
		t.Fatal("Oxigraph did not load ", file)
	}
	return o
}

// Time implements Bulk.
func (o *oxigraphBulk) Time(t testing.TB, texts []string) (rows int, took time.Duration) {
	t.Helper()
	if err := o.in.Encode(texts); err != nil {
		t.Fatal(err)
	}
	var figures struct {
		Rows int
		Took int64
	}
	if !o.lines.Scan() {
		t.Fatal("Oxigraph ended: ", o.lines.Err())
	}
	if err := json.Unmarshal(o.lines.Bytes(), &figures); err != nil {
		t.Fatal(err)
	}
	return figures.Rows, time.Duration(figures.Took)
}

// Process implements Bulk.
func (o *oxigraphBulk) Process() int { return o.pid }
