package cli

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/rdffile"
)

// completed adds shell completion of the first argument of verbs that take a crawl folder or a crawl file, and of the values of flags.
func completed(root *cobra.Command) {
	for _, c := range root.Commands() {
		completed(c)
		c.Flags().VisitAll(func(f *pflag.Flag) { completeFlag(c, f) })
		_, argument, _ := strings.Cut(c.Use, " ")
		switch {
		case c.ValidArgsFunction != nil:
		case strings.HasPrefix(argument, "DIR") && c.Name() != "man":
			c.ValidArgsFunction = crawlFolders
		case c.Name() == "crawl", c.Name() == "compare", c.Name() == "judge", c.Name() == "scope", c.Name() == "watch", c.Name() == "doctor":
			c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				if len(args) > 0 {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
	}
}

// completeFlag completes the value of a flag by what its usage says: one of the words that it lists, a file or a folder. No file is
// offered for other values.
func completeFlag(c *cobra.Command, f *pflag.Flag) {
	kind, usage := pflag.UnquoteUsage(f)
	usage = strings.TrimPrefix(usage, "without a crawl file: ")
	words := wordsOf(usage)
	if read, written := rdffile.Syntaxes(); kind == "syntax" {
		if words = read; f.Name == "to" {
			words = written
		}
	}
	complete := cobra.NoFileCompletions
	switch {
	case f.NoOptDefVal != "": // a switch
		return
	case len(words) > 0:
		complete = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	case kind == "folder":
		complete = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	case strings.Contains(strings.ToLower(kind+usage), "file"):
		return
	}
	_ = c.RegisterFlagCompletionFunc(f.Name, complete) // fails for a flag that has one already
}

// listed is how the usage of a flag lists its values: "text or json", "what it is: one, another or a third (default one)".
var listed = regexp.MustCompile(`^(?:[^:(;]*: )?([a-z0-9_]+(?:, [a-z0-9_]+)*(?:,? or [a-z0-9_]+)?)(?: \(|:|;|$)`)

// wordsOf returns the values that a usage lists; none: it lists none.
func wordsOf(usage string) []string {
	found := listed.FindStringSubmatch(usage)
	if found == nil {
		return nil
	}
	if words := strings.FieldsFunc(strings.ReplaceAll(found[1], " or ", ","), func(r rune) bool { return r == ',' || r == ' ' }); len(words) > 1 {
		return words
	}
	return nil
}

// crawlFolders completes a crawl folder: those in crawls/ and those below the prefix typed so far.
func crawlFolders(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var folders []string
	for _, pattern := range []string{begun + "*", filepath.Join("crawls", "*"), filepath.Join(begun, "*")} {
		files, err := filepath.Glob(filepath.Join(pattern, crawlfolder.RunFile))
		if err != nil {
			continue
		}
		for _, file := range files {
			if folder := filepath.Dir(file); strings.HasPrefix(folder, begun) && !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
	}
	if folders == nil {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return folders, cobra.ShellCompDirectiveNoFileComp
}
