package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/ask"
	"orbweaver/cmd/orbweaver/cluster"
	"orbweaver/cmd/orbweaver/flags"
	labs "orbweaver/cmd/orbweaver/lab"
	"orbweaver/cmd/orbweaver/mcp"
	"orbweaver/cmd/orbweaver/recommend"
	"orbweaver/cmd/orbweaver/self"
	"orbweaver/cmd/orbweaver/sink"
	"orbweaver/cmd/orbweaver/store"
	"orbweaver/cmd/orbweaver/watch"
	"orbweaver/internal/built"
	"orbweaver/internal/job"
)

// lab is the verb whose subcommands are a group of their own.
const lab = "lab"

// A group is verbs under one name. The first group has none: its verbs are those of the first day, and --help says
// what each does; of the others it has the names.
type group struct {
	name, about string
	verbs       []*cobra.Command
}

// groups builds all verbs but the hidden ones, in the order of the help.
func groups(a *job.Job, build built.Build) []group {
	steering := func(c *cobra.Command) *cobra.Command { return cluster.Steering(a, c) }
	reaching := func(c *cobra.Command) *cobra.Command { return cluster.Reaching(a, c) }
	return []group{
		{"", "", []*cobra.Command{
			newDemo(a), newInit(a), newStudio(a), profiled(newCrawl(a)), profiled(newJudge(a)), steering(newStatus(a)),
			reaching(newPages(a)), reaching(newExplain(a)), reaching(newSearch(a)), newSuggestions(a), reaching(newReport(a)),
			reaching(newExport(a)), reaching(newQuery(a)), newServe(a), profiled(newCompare(a)),
		}},
		{"steer", "a crawl that runs, or is to run again", []*cobra.Command{
			steering(newAdd(a)), steering(newPause(a)), steering(newResume(a)), steering(newStop(a)), watch.Command(a),
		}},
		{"improve", "what a crawl looks for", []*cobra.Command{
			ask.Command(a), newKRS(a), newOntology(a), newRate(a), newScope(a),
		}},
		{"data", "what crawls found, and RDF, catalogues and text of any origin", []*cobra.Command{
			newCatalog(a), newCrossref(a), newMap(a), mcp.Command(a, build), newRDF(a), recommend.Command(a), sink.Command(a),
			store.New(a, newLoad(a), flags.Verb, flags.Verbless), newText(a),
		}},
		{"operate", "crawl folders, archives and machines; to move a crawl, stop it, copy its folder and file, and run the same command there", []*cobra.Command{
			newCheck(a), cluster.Command(a), self.Doctor(a, build), newRemove(a), newRepair(a), newReplay(a), self.Version(a, build),
		}},
		{lab, "experiments, each a subcommand of lab", []*cobra.Command{labs.Command(a, profiled)}},
	}
}

// names returns the names of a group's verbs.
func (g group) names() (names []string) {
	for _, c := range g.listed() {
		names = append(names, strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "))
	}
	return names
}

// listed returns the verbs that the help lists: for lab its subcommands.
func (g group) listed() []*cobra.Command {
	if g.name == lab {
		return g.verbs[0].Commands()
	}
	return g.verbs
}

// screen is what orbweaver --help prints. It fits on a terminal of 24 lines by 80 columns.
func screen(all []group) string {
	var b strings.Builder
	b.WriteString("Finds the pages of a web about your topic, best first. Begin with one of these:\n")
	for i, c := range all[0].verbs {
		if i == 3 {
			b.WriteString("Then:\n")
		}
		fmt.Fprintf(&b, "  %-11s  %s\n", c.Name(), c.Short)
	}
	b.WriteString("More, by group (`orbweaver help GROUP`; of a verb: `orbweaver VERB --help`):\n")
	for _, g := range all[1:] {
		fmt.Fprintf(&b, "  %-11s  %s\n", g.name, strings.Join(g.names(), ", "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// sentences is what orbweaver help GROUP prints.
func (g group) sentences() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", g.name, g.about)
	width := 0
	for _, name := range g.names() {
		width = max(width, len(name))
	}
	for i, c := range g.listed() {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, g.names()[i], c.Short)
	}
	b.WriteString("\nFlags and examples: `orbweaver VERB --help`.")
	return b.String()
}

// helped gives the program its screen of help, and the verb help.
func helped(root *cobra.Command, all []group) {
	root.Long = screen(all)
	usual := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c.HasParent() {
			usual(c, args)
			return
		}
		c.Println(c.Long)
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [VERB | GROUP]",
		Short: "Say what a verb does, or which verbs a group has",
		RunE: func(c *cobra.Command, args []string) error {
			for _, g := range all[1:] {
				if len(args) == 1 && args[0] == g.name {
					c.Println(g.sentences())
					return nil
				}
			}
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 && about == root {
				return flags.Misused(c, "%q is neither a verb nor a group", strings.Join(args, " "))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (words []string, _ cobra.ShellCompDirective) {
			for _, g := range all {
				if len(args) > 0 {
					break
				}
				if g.name != "" {
					words = append(words, g.name)
				}
				for _, c := range g.verbs {
					words = append(words, c.Name())
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
	})
}

// groupOf reports whether a word is the name of a group.
func groupOf(all []group, word string) bool {
	for _, g := range all[1:] {
		if g.name == word {
			return true
		}
	}
	return false
}

// renamed returns a command line with the name that its verb has today, and what its verb was called and is called;
// both are empty unless the verb has another name now.
func renamed(args []string) (now []string, was, is string) {
	at := 0
	if len(args) > 1 && (args[0] == "help" || args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		at = 1
	}
	if len(args) <= at {
		return args, "", ""
	}
	was = args[at]
	rest := args[at+1:]
	switch was {
	case "accept", "reject":
		is = "suggestions " + was
	case "load":
		is = "store load"
	case "train":
		is = "text train"
		if len(rest) > 0 && rest[0] == "tagger" {
			was, rest = "train tagger", rest[1:]
		}
	case "labels", "simulate", "swget":
		is = lab + " " + was
	default:
		return args, "", ""
	}
	now = append(append(now, args[:at]...), strings.Fields(is)...)
	if at > 0 && strings.HasPrefix(args[0], "_") {
		was = "" // completion prints nothing else
	}
	return append(now, rest...), was, is
}
