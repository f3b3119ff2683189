// Package run starts, resumes and refreshes crawls, and serves the control socket of a running crawl.
package run
