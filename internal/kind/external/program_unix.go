//go:build unix && !linux

package external

import (
	"os"
	"os/exec"
	"syscall"
)

// separate gives a program a process group of its own.
func separate(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a program and its children at once.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // no such group: they ended already
