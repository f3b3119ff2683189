//go:build unix

package local

import (
	"os/exec"
	"syscall"
)

// own gives a process a group of its own: Ctrl-C on the terminal reaches the first process alone, which has the others stop.
func own(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
