package archive

import "math"

// Limits on hostile input.
const (
	maxWARCHead = 1 << 20  // bytes of one record's WARC header
	maxHead     = 64 << 10 // bytes of an HTTP head, interim answers included
	maxFields   = 1000     // fields of an HTTP head; later ones are left out
	maxInterim  = 8        // 1xx answers before the real one
	maxURL      = 64 << 10 // bytes of a target URI
	maxMedia    = 127      // bytes of a media type in the index
	maxWarnings = 100      // warnings kept of one web
	maxForms    = 8        // captures kept of one URL, by media type
	maxRanges   = 64       // elements of a field Accept; later ones are left out

	maxGathered = 1 << 20   // bytes buffered for a file, except for a larger single answer
	maxKept     = 256 << 10 // largest buffer kept for the next answer

	noLimit = math.MaxInt64
	sortRun = 64 << 20 // bytes of index lines sorted in memory at once

	defaultMaxBody  = 10 << 20
	defaultMaxSpill = 64 << 30
	defaultMaxFile  = 1 << 30
)
