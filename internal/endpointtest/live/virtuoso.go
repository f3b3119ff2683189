package live

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// virtuosoFiles are the files of a database in a folder, %[1]s.
const virtuosoFiles = `[Database]
DatabaseFile = %[1]s/virtuoso.db
ErrorLogFile = %[1]s/virtuoso.log
LockFile = %[1]s/virtuoso.lck
TransactionFile = %[1]s/virtuoso.trx
xa_persistent_file = %[1]s/virtuoso.pxa
FileExtend = 200
[TempDatabase]
DatabaseFile = %[1]s/temporary.db
TransactionFile = %[1]s/temporary.trx
`

// virtuosoConfig is Virtuoso's configuration; %[1]s: its folder, %[2]d: the SQL port, %[3]d: the HTTP
// port. It resembles that of public endpoints except for the sizes: 10 000 rows per answer, and as many
// for ORDER BY with LIMIT, the default of MaxSortedTopRows.
const virtuosoConfig = virtuosoFiles + `[Parameters]
ServerPort = 127.0.0.1:%[2]d
DirsAllowed = %[1]s
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
CheckpointInterval = 0
[HTTPServer]
ServerPort = 127.0.0.1:%[3]d
ServerThreads = 8
[SPARQL]
ResultSetMaxRows = 10000
MaxQueryExecutionTime = 60
`

// virtuosoTries bounds the searches for free ports: another process may take one before Virtuoso starts.
const virtuosoTries = 3

// startVirtuoso starts Virtuoso with an empty database and loads data into it. A query without FROM covers
// all graphs there.
func startVirtuoso(t testing.TB, data []byte) Endpoint {
	t.Helper()
	server, isql := look(t, "virtuoso-t", "Virtuoso"), look(t, "isql-vt", "Virtuoso's client")
	var err error
	for range virtuosoTries {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "data.nt"), data)
		ports := freePorts(t, 2)
		config := filepath.Join(dir, "virtuoso.ini")
		writeFile(t, config, fmt.Appendf(nil, virtuosoConfig, dir, ports[0], ports[1]))
		cmd := exec.Command(server, "+foreground", "+configfile", config)
		cmd.Dir = dir
		p := run(t, cmd, &said{})
		if err = p.await(listening(ports...)); err == nil {
			load(t, isql, ports[0], filepath.Join(dir, "data.nt"))
			return Endpoint{Kind: Virtuoso, URL: fmt.Sprintf("http://127.0.0.1:%d/sparql", ports[1]), Stop: p.stop}
		}
		p.stop()
	}
	t.Fatal(err)
	return Endpoint{}
}

// load loads a file into a graph. isql always exits with 0, so load looks for errors in its output.
func load(t testing.TB, isql string, port int, file string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	statement := fmt.Sprintf("DB.DBA.TTLP(file_open('%s'), '', 'http://example.org/graph', 0)", file)
	out, err := exec.CommandContext(ctx, isql, fmt.Sprintf("127.0.0.1:%d", port), "dba", "dba",
		"ERRORS=STDOUT", "exec="+statement).CombinedOutput()
	if err != nil || strings.Contains(string(out), "*** Error") {
		t.Fatalf("load %s: %v\n%s", file, err, out)
	}
}

// listening returns a function that reports whether all ports accept connections.
func listening(ports ...int) func(context.Context) bool {
	return func(ctx context.Context) bool {
		for _, port := range ports {
			c, err := new(net.Dialer).DialContext(ctx, "tcp4", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				return false
			}
			c.Close()
		}
		return true
	}
}

// freePorts returns unused ports.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
