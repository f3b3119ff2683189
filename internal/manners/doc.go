// Package manners is what the crawls of one user tell each other of the hosts they ask, so that a host asked by several
// crawls at once has the rest that it has from one.
//
// A place is a host, or an address with its port. One crawl at a time has turns at a place; between the starts of two
// crawls lies the longer of their delays; and while a place rests for one crawl, since it asked for that or failed, it
// rests for all. Crawls that have to wait for each other take turns: who waits goes before who asks again. A crawl
// alone at a place never waits.
//
// A [Registry] holds the records of all places: in memory, for the crawls of one process, or in a folder that the processes of a
// user share. Each record lies in one of 1024 files by the hash of its place, 32 records a file, so that the folder has 8 MB at
// most; of a full file the record that is over first gives way. A file is locked while it is read and written, for
// microseconds, and nobody waits for the lock. What is damaged counts as absent.
//
// A process that shares the folder keeps a file of its own locked there. When it ends, however it ends, the system unlocks
// the file, and its turns are over: the requests may have arrived, so that their delays run from when another crawl
// finds that out. A folder that fails is left: the process goes on with records in memory, and each crawl is told once.
package manners
