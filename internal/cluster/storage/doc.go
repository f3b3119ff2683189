// Package storage keeps what all workers of a crawl can read: objects under names, in a folder that all of them see or in a bucket
// of an S3 server.
//
// An object is there whole or not at all, whoever is killed when. A [Store] of a folder writes a file beside the object's place, syncs it,
// renames it, and syncs the folder; what a killed writer leaves is never listed, and is removed when it is a day old. A Store of a
// bucket sends one request, or the parts of an upload that a last request completes; uploads that were never completed are aborted by a
// later [Open] when they are a day old. Each body that is sent has its SHA-256 in the signed request, which the server compares.
//
// Names are slash-separated segments of letters, digits, dots, - and _. A name must not be the folder of another one: a and a/b cannot
// both be objects. A folder refuses the second; a bucket does not look.
//
// Failures that may pass (no connection, an answer cut short, a busy server) are tried again, with pauses that grow, for two minutes of
// failing or until the context is done. The others say what to change: they wrap [orbweaver.ErrInput], or [ErrFull], or [ErrAbsent].
//
// Keys for S3 come from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or the file that
// AWS_SHARED_CREDENTIALS_FILE names (its profile default, unless AWS_PROFILE names another), which is read again when the server says
// that a token is expired. They are never part of a location. SSL_CERT_FILE names further authorities to trust.
package storage
