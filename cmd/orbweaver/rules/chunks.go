package rules

import (
	"fmt"

	"github.com/spf13/pflag"

	"orbweaver/internal/offline/chunk"
)

// chunkHelp says in the help of export what the flags of chunks do.
const chunkHelp = `Chunks: a section that fits into --tokens is one chunk, a longer one is cut at its subsections, then at
paragraphs, then at sentences; short neighbours are joined. Tokens are estimated. Chunks that repeat an
earlier one, exactly or nearly, are left out unless --duplicates. --respect leaves out pages whose host,
response or text reserves their use for language models; docs/howto/language-models.md says by which signs.`

// ChunkFlags adds the flags of chunks.
func ChunkFlags(f *pflag.FlagSet, o *chunk.Options) {
	f.IntVar(&o.Tokens, "tokens", chunk.DefaultTokens, fmt.Sprintf("chunks: at most `N` tokens each, at least %d", chunk.MinTokens))
	f.IntVar(&o.Overlap, "overlap", 0, "chunks: repeat sentences of at most `N` tokens of the chunk before in a section")
	f.BoolVar(&o.Duplicates, "duplicates", false, "chunks: keep those that repeat an earlier one, and name that")
	f.BoolVar(&o.Respect, "respect", false, "chunks: leave out pages that reserve their use for language models")
}
