// Package bus carries bytes between the workers of one crawl, and keeps what they must agree on: who owns which partition,
// and how much of a limit is left. It is all that the crawler knows of NATS JetStream, embedded ([StartServer]) or of one's
// own ([Dial]).
//
// A parcel is bytes for a partition ([Bus.Send], [Bus.Receive]). A stream keeps the parcels of all partitions in one order until
// they are trimmed; a parcel sent twice within [Window] is kept once. A worker proves that it is alive by a [Session]; its
// partitions are claimed under that session, and each change of owner has a larger epoch. Limits of the whole crawl are
// leased in blocks ([Bus.Take]). Workers answer questions of each other ([Bus.Answer], [Bus.Ask]), and send each other letters that
// may be lost ([Bus.Tell], [Bus.Hear]).
//
// The bus is a courier, not a memory: JetStream may lose what it acknowledged, when several servers die or a disk is wiped. Each
// loss that can be noticed is an error that wraps [ErrLost], and callers keep what they sent until they need it no more. The
// sequences of a stream, and epochs, go on above the old ones when it is made anew, unless the clock of who makes it
// shows a time before the old one was made: what was known by a lower sequence is older.
//
// Names of crawls, workers and questions are letters, digits, - and _; nothing that comes from the Web becomes a subject or a key.
package bus
