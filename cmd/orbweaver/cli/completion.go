package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/crawlfolder"
)

// completed adds shell completion of the first argument of verbs that take a crawl folder or a crawl file.
func completed(root *cobra.Command) {
	for _, c := range root.Commands() {
		completed(c)
		_, argument, _ := strings.Cut(c.Use, " ")
		switch {
		case c.ValidArgsFunction != nil:
		case strings.HasPrefix(argument, "DIR") && c.Name() != "man":
			c.ValidArgsFunction = crawlFolders
		case c.Name() == "crawl", c.Name() == "compare", c.Name() == "judge", c.Name() == "scope":
			c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				if len(args) > 0 {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
	}
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
