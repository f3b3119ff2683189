package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"orbweaver"
)

// SocketFile is the name of the socket within a crawl folder.
const SocketFile = "control.sock"

// maxSocketPath is the longest path of a socket, in bytes, on every system: BSD has 104 with the final zero,
// Linux 108.
const maxSocketPath = 103

// probing is the time that an existing socket has to accept a connection.
const probing = time.Second

// listen creates the socket of a folder and listens on it. It replaces a stale socket; the error wraps
// ErrBusy if the socket is in use, and ErrForeign if the file is not a socket.
//
// The socket is created in a folder that only its user may enter, and moved to its name once its mode is
// set: at no moment, whatever the umask, can other users connect.
func listen(dir string) (net.Listener, fs.FileInfo, error) {
	path := filepath.Join(dir, SocketFile)
	if err := checkFree(dir); err != nil {
		return nil, nil, err
	}
	private := path + ".part"
	if err := os.RemoveAll(private); err != nil { // of a process killed at this very point
		return nil, nil, fmt.Errorf("control socket: %w", err)
	}
	if err := os.Mkdir(private, 0o700); err != nil {
		return nil, nil, fmt.Errorf("control socket: %w", err)
	}
	listener, info, err := listenIn(private, path)
	if err = errors.Join(err, os.RemoveAll(private)); err != nil {
		if listener != nil {
			err = errors.Join(err, listener.Close())
		}
		return nil, nil, fmt.Errorf("control socket: %w", err)
	}
	return listener, info, nil
}

// listenIn listens on a socket created in a private folder and moved to path.
func listenIn(private, path string) (listener *net.UnixListener, info fs.FileInfo, err error) {
	const name = "s"
	err = reach(private, name, func(short string) error {
		listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
		return cause(err)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	listener.SetUnlinkOnClose(false) // it is renamed below
	bound := filepath.Join(private, name)
	if err := os.Chmod(bound, 0o600); err != nil {
		return listener, nil, err
	}
	if info, err = os.Lstat(bound); err != nil {
		return listener, nil, err
	}
	return listener, info, os.Rename(bound, path)
}

// checkFree checks that no process listens in a folder, and removes a stale socket.
func checkFree(dir string) error {
	path := filepath.Join(dir, SocketFile)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("control socket: %w", err)
	case info.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("%s is in the way: it is no socket: %w", path, orbweaver.ErrForeign)
	}
	ctx, cancel := context.WithTimeout(context.Background(), probing)
	defer cancel()
	conn, err := connect(ctx, dir)
	switch {
	case err == nil:
		return errors.Join(fmt.Errorf("%s: another process listens there: %w", path, orbweaver.ErrBusy), conn.Close())
	case isAbsent(err):
		return nil
	}
	return fmt.Errorf("%s: cannot tell whether another process listens there (%w): %w", path, err, orbweaver.ErrBusy)
}

// connect connects to the socket of a folder.
func connect(ctx context.Context, dir string) (conn net.Conn, err error) {
	err = reach(dir, SocketFile, func(short string) error {
		conn, err = new(net.Dialer).DialContext(ctx, "unix", short)
		return cause(err)
	})
	return conn, err
}

// isAbsent reports whether connecting failed because no process listens.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOTDIR)
}

// cause is a network error without its path, which may be an alias made by reach.
func cause(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// reach calls do with a path of a file in a folder that is short enough for a socket's address. The path is
// valid until do returns.
func reach(dir, name string, do func(path string) error) error {
	for _, path := range []string{filepath.Join(dir, name), fromHere(dir, name)} {
		if strings.HasPrefix(path, "@") { // an abstract socket on Linux, not a file
			path = "./" + path
		}
		if path != "" && len(path) <= maxSocketPath {
			return do(path)
		}
	}
	if runtime.GOOS != "linux" {
		return fmt.Errorf("a socket's path may have %d bytes: change to a folder closer to it", maxSocketPath)
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = do(fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), name))
	if _, lost := os.Stat("/proc/self/fd"); err != nil && lost != nil {
		err = fmt.Errorf("a socket's path may have %d bytes where /proc is not mounted: change to a folder closer to it: %w", maxSocketPath, err)
	}
	return errors.Join(err, folder.Close())
}

// fromHere is a path relative to the working directory; empty if there is none.
func fromHere(dir, name string) string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return ""
	}
	path, err := filepath.Rel(here, filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return path
}
