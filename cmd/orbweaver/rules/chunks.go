package rules

import (
	"fmt"

	"github.com/spf13/pflag"

	"orbweaver/internal/offline/bytepair"
	"orbweaver/internal/offline/chunk"
)

// chunkHelp says in the help of export what the flags of chunks do.
const chunkHelp = `Chunks: a section that fits into --tokens is one chunk, a longer one is cut at its subsections, then at
paragraphs, then at sentences; short neighbours are joined. Tokens are estimated; with --tokenizer they are
counted as a model does, by a file with the ranks of its vocabulary in the format of tiktoken, which is
called cl100k_base or o200k_base (and any extension), or given as cl100k_base=FILE or o200k_base=FILE. Chunks
that repeat an earlier one, exactly or nearly, are left out unless --duplicates. --respect leaves out pages
whose host, response or text reserves their use for language models; docs/howto/language-models.md says by
which signs.`

// ChunkFlags adds the flags of chunks.
func ChunkFlags(f *pflag.FlagSet, o *chunk.Options) {
	f.IntVar(&o.Tokens, "tokens", chunk.DefaultTokens, fmt.Sprintf("chunks: at most `N` tokens each, at least %d", chunk.MinTokens))
	f.IntVar(&o.Overlap, "overlap", 0, "chunks: repeat sentences of at most `N` tokens of the chunk before in a section")
	f.String("tokenizer", "", "chunks: count tokens by a `file` of ranks, as cl100k_base.tiktoken")
	f.BoolVar(&o.Duplicates, "duplicates", false, "chunks: keep those that repeat an earlier one, and name that")
	f.BoolVar(&o.Respect, "respect", false, "chunks: leave out pages that reserve their use for language models")
}

// Tokenizer reads the file that --tokenizer names, if it does.
func Tokenizer(f *pflag.FlagSet, o *chunk.Options) error {
	name, err := f.GetString("tokenizer")
	if err != nil || name == "" {
		return err
	}
	encoding, err := bytepair.Read(name)
	if err == nil {
		o.Counter = encoding
	}
	return err
}
