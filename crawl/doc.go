// Package crawl runs, inspects and steers focused crawls from a Go program.
//
// A crawl file defines a crawl (docs/reference/crawl-file.md); its focus is one of Orbweaver's or the program's own. Load reads a
// crawl file, New takes the same keys as options, Quick takes seeds and words, and Open takes an existing crawl folder.
// Run runs one session. All other methods may be called at any time from any goroutine, and give the same answers whether
// this process runs the crawl, another process does (through the control socket in the crawl folder), or none.
//
// The package prints nothing, reads no environment variables and never exits the process. Errors wrap an
// orbweaver.Failure: ErrInput if the caller can correct the input, ErrBusy while another process owns the folder.
package crawl
