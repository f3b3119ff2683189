//go:build !unix

package external

import (
	"os"
	"os/exec"
)

// separate does nothing where there are no process groups.
func separate(*exec.Cmd) {}

// kill ends a program at once.
func kill(p *os.Process) { _ = p.Kill() } // an error says that it ended already
