// Package run starts, resumes and refreshes crawls, and listens for what is asked of them.
package run
