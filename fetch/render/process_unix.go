//go:build unix

package render

import (
	"os"
	"os/exec"
	"syscall"
)

// separate gives a browser a process group of its own, which its children belong to.
func separate(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a browser and its children at once.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // no such group: they ended already
