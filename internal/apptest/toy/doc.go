// Package toy provides webs in memory and small files for tests of several packages. It runs no crawl.
package toy
