// Command orbweaver is a semantic focused crawler. `orbweaver --help` says what it does.
package main

import "orbweaver/cmd/orbweaver/cli"

// version and commit are set by the linker: see the Makefile. Built otherwise, they are what the go command stamps.
var version, commit string // nothing here writes them

func main() { cli.Main(version, commit) }
