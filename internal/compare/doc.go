// Package compare runs focuses over the same part of the Web and compares what they find.
package compare
