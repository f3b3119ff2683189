// Package crawl runs focused crawls, looks at them and steers them, from a Go program.
//
// A crawl is what a crawl file says (docs/crawl-file.md), with a focus that Orbweaver has or with one of the program's own.
// Load reads a crawl file, New takes the same keys as options, Open takes the folder of a crawl that is there. Run runs
// one session of it. Everything else may be asked at any time, from any goroutine, and gives the same answers whether
// this process runs the crawl, another one does (by the control socket in the crawl's folder), or none.
//
// The package prints nothing, reads no variable of the environment, and ends no process. Errors wrap an
// orbweaver.Failure: ErrInput for what the caller can mend, ErrBusy while another process owns the folder.
package crawl
