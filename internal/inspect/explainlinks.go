package inspect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/fetch/robots"
	"orbweaver/internal/console"
	"orbweaver/internal/gate"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/weburl"
)

// maxReread is the maximum number of linking pages that are read again.
const maxReread = 5

// judge finds why a URL was never requested. Like a crawl, it checks scope and robots.txt first, then each link.
func (k *Knowledge) judge(ctx context.Context, x *Explanation) {
	if ok, rule := k.scope.Allows(x.URL); !ok {
		x.Kind, x.Rule, x.outside = KindScope, rule, true
		if len(x.links) == 0 && !x.Seed {
			x.Kind = KindUnlinked
		}
		return
	}
	if len(x.links) == 0 && !x.Seed && !x.known {
		x.Kind = KindUnlinked
		return
	}
	if allowed, line := k.robots(ctx, x); !allowed {
		x.Kind, x.Rule = KindRobots, line
		return
	}
	if word, is := k.logsOut(x); is {
		x.Kind, x.Rule = kindLogout, word
		return
	}
	k.judgeLinks(ctx, x)
}

// logsOut reports whether a URL was refused since it looks as if it ended a session, and by which word.
func (k *Knowledge) logsOut(x *Explanation) (word string, is bool) {
	if x.Seed {
		return "", false
	}
	if refused, was := k.ledger.Refusal(kindLogout, x.URL); was {
		return refused.Rule, true
	}
	if logsOut := services.Logouts(k.file); logsOut != nil {
		return logsOut(x.URL, "")
	}
	return "", false
}

// robots checks the URL against its host's robots.txt, from the crawl's memory or else from the archive. line is the
// rule that disallows it.
func (k *Knowledge) robots(ctx context.Context, x *Explanation) (allowed bool, line string) {
	if !k.file.Politeness.Robots || k.file.Web != nil && k.file.Web.Robots != "archived" {
		return true, ""
	}
	host := weburl.Host(x.URL)
	rules := x.rules
	if !x.ruled {
		var err error
		if rules, err = k.archivedRules(ctx, host); err != nil {
			x.Note = fmt.Sprintf("%s/robots.txt could not be read: %v", host, err)
		}
	}
	return rules.Allows(x.URL[len(host):])
}

// archivedRules reads a robots.txt of the archive. If there is none, everything is allowed.
func (k *Knowledge) archivedRules(ctx context.Context, host string) (*robots.Rules, error) {
	url := host + "/robots.txt"
	for hops := 0; ; hops++ {
		response, payload, err := k.Web.Fetch(ctx, orbweaver.Request{URL: url, Purpose: orbweaver.ForRobots})
		failure := orbweaver.FailureOf(err)
		if failure == orbweaver.ErrAbsent {
			return nil, nil
		}
		if response == nil && (failure == "error" || ctx.Err() != nil) {
			return nil, err // the archive failed
		}
		v := robots.Judge(gate.AnswerFor(response, payload, hops, err), k.file.Politeness.UserAgent)
		if v.Next == "" {
			return v.Rules, nil
		}
		url = v.Next
	}
}

// judgeLinks counts why each link was not followed, and sets the kind by the check that stopped the most successful
// link: the focus before the depth limit, the depth limit before nofollow.
func (k *Knowledge) judgeLinks(ctx context.Context, x *Explanation) {
	reread := 0
	for _, o := range x.links {
		may := o.Page == nil || !o.Page.NoFollow // a source has no page
		sure := !may
		deep := k.file.Limits.Depth > 0 && o.Request.Depth+1 > k.file.Limits.Depth
		if may && reread < maxReread {
			reread++
			may, sure = k.linked(ctx, o, x.URL)
		}
		switch {
		case sure && !may:
			x.Links.NoFollow++
		case deep:
			x.Links.Deep++
		default:
			x.Links.Open++
			if !sure {
				x.Note = "a page that links to it cannot be read again: whether the link is nofollow is not known"
			}
		}
	}
	x.Kind = kindOf(x)
}

// kindOf returns the kind of a URL whose links were all refused.
func kindOf(x *Explanation) string {
	switch {
	case x.wasDropped:
		x.Rule = judge.Ruled(orbweaver.Reason{Rule: x.dropped.Rule, Evidence: x.dropped.Evidence}, 200)
		return KindDropped
	case x.Links == nil: // a seed, or a URL that robots.txt disallowed earlier
		return kindNotTaken
	case x.Links.Open > 0 && x.Note == "":
		return KindDropped
	case x.Links.Open > 0 && x.unfollowed && x.Links.Open == x.Links.Pages && x.Links.Pages == 1:
		x.Links.NoFollow, x.Links.Open, x.Note = 1, 0, ""
		return KindNoFollow
	case x.Links.Open > 0:
		return kindNotTaken
	case x.Links.Deep > 0:
		return KindDeep
	}
	return KindNoFollow
}

// linked reads a page again and reports whether one of its links to a URL may be followed. sure is false if the page
// cannot be read or no longer has the link.
func (k *Knowledge) linked(ctx context.Context, o orbweaver.Outcome, url string) (may, sure bool) {
	response, payload, err := k.Web.Fetch(ctx, o.Request)
	if err != nil {
		return true, false
	}
	reread, can := services.Rereading(k.file), kind.AbilitiesOf(k.file.Focus)
	reread.Complete = contexts.CompleterOf(nil, can.Data, can.Syntaxes, k.file.Limits.Redirects, page.NewReader(page.Options{MaxBody: k.file.Limits.Body, MaxDump: kind.DumpOf(k.file)}))
	get := func(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
		return k.Web.Fetch(ctx, orbweaver.Request{URL: url, Accept: accept, Purpose: orbweaver.ForContext})
	}
	p, _, err := reread.Page(ctx, response, payload, pipeline.Direct(get))
	if err != nil {
		return true, false
	}
	found := false
	for _, l := range p.Links {
		if l.To == url {
			found = true
			if !p.NoFollow && !l.NoFollow() {
				return true, true
			}
		}
	}
	return !found, found // a script may have inserted the link
}

// sentence explains the kind in one sentence.
func (x *Explanation) sentence(limitDepth int) string {
	switch x.Kind {
	case KindPage:
		return fmt.Sprintf("It was fetched, as request %d: %s.", x.Outcome.N, x.Outcome.answer())
	case KindRedirect:
		return fmt.Sprintf("It was asked for, as request %d, and leads to %s (%d), which was followed.", x.Outcome.N, x.Outcome.Redirect, x.Outcome.Status)
	case KindUnfollowed:
		return fmt.Sprintf("It was asked for, as request %d, and leads to %s (%d), which was not followed: %s.", x.Outcome.N, x.Outcome.Redirect, x.Outcome.Status, x.unfollowedFor())
	case KindFailed:
		return fmt.Sprintf("It was asked for, as request %d, and gave no page: %s.", x.Outcome.N, x.Outcome.Message)
	case KindSource:
		return fmt.Sprintf("It was fetched, as request %d, for its links alone: %s.", x.Outcome.N, x.Outcome.Message)
	case KindRemoved:
		return "A person had it removed from the crawl: nothing is kept of it, and it is not asked for again."
	case KindWaiting:
		return x.waitingSentence()
	case kindInFlight:
		return "It is being asked for."
	}
	return x.refusedSentence(limitDepth)
}

// waitingSentence explains what a waiting request waits for.
func (x *Explanation) waitingSentence() string {
	s := "It waits"
	if w := x.Waiting; w.Rank > 0 {
		s += fmt.Sprintf(", at rank %d of %d", w.Rank, w.Of)
		if w.Here < w.Rank {
			s += fmt.Sprintf(" (%d of its host)", w.Here)
		}
	}
	switch x.Host.State {
	case hostDown:
		s += "; its host is down"
		if a := x.Host.Account; a != nil {
			s += " (" + string(a.Down) + ")"
		}
		if until := x.Host.Until; !until.IsZero() {
			s += ", and is asked again at " + until.Local().Format(time.TimeOnly)
		}
	case hostSpent:
		s += "; its host has given as many pages as limits.per_host allows"
	case hostOutside:
		s += "; a round is under way that it is not part of"
	case hostResting:
		s += "; its host rests"
	case hostAddress:
		s += "; its host's address is to be looked up first"
	case hostRobots:
		s += "; its host's robots.txt is to be asked for first"
	case hostBusy:
		s += "; its host has as many requests in flight as it may have"
	case hostUnlisted:
		s += "; a refresh asks for accepted pages alone"
	case hostIdle:
		if x.ended != "" {
			s += "; the crawl ended before: " + x.ended
		} else {
			s += "; no process runs the crawl"
		}
	}
	return s + "."
}

// unfollowedFor explains why a redirect was not followed.
func (x *Explanation) unfollowedFor() string {
	switch x.Outcome.Error {
	case orbweaver.ErrScope:
		if x.Rule != "" {
			return "the crawl file's scope excludes it by " + x.Rule
		}
		return "it is out of the crawl file's scope, or forbidden by robots.txt"
	case step.ErrLogsOut:
		return x.Outcome.Message
	case orbweaver.ErrRedirects:
		return "it is one redirect too many, or leads back"
	}
	return string(x.Outcome.Error)
}

// refusedSentence explains why a URL was never requested.
func (x *Explanation) refusedSentence(limitDepth int) string {
	linked := "A page links to it"
	switch {
	case x.Links != nil && x.Links.More:
		linked = fmt.Sprintf("More than %d pages link to it", x.Links.Pages)
	case x.Links != nil && x.Links.Pages > 1:
		linked = fmt.Sprintf("%d pages link to it", x.Links.Pages)
	case x.Links == nil && x.Seed:
		linked = "It is a seed"
	case x.Links == nil:
		linked = "It was found"
	}
	switch x.Kind {
	case KindScope:
		return linked + ", but " + outOfScope(x.Rule) + "."
	case KindRobots:
		return linked + ", but robots.txt forbids it: " + console.Visible(x.Rule, 200) + "."
	case kindLogout:
		return linked + ", but it looks like a logout (" + console.Visible(x.Rule, 60) +
			"), and the crawl is logged in there. http: [{logout: follow}] has such links followed."
	case KindDeep:
		return fmt.Sprintf("%s, but only from pages %d links from a seed: limits.depth is %d.", linked, limitDepth, limitDepth)
	case KindNoFollow:
		if x.Links.Pages > 1 {
			return linked + ", but each asks that the link be not followed (nofollow)."
		}
		return linked + ", but asks that the link be not followed (nofollow)."
	case KindDropped:
		if x.Rule != "" {
			return linked + ", but the focus dropped it: " + x.Rule + "."
		}
		if x.wasDropped {
			return linked + ", but the focus followed no link of " + x.dropped.Parent + "."
		}
		return linked + ", but the focus did not follow it."
	case kindNotTaken:
		return linked + ", but it was not taken: by wish of the page (nofollow), or by the focus."
	}
	return x.unlinkedSentence()
}

// unlinkedSentence explains a URL that no fetched page links to.
func (x *Explanation) unlinkedSentence() string {
	var s strings.Builder
	s.WriteString("No page that was fetched links to it")
	if r := x.Redirected; len(r) > 0 {
		fmt.Fprintf(&s, "; %s redirects to it, and was not followed: %s", r[0].URL, r[0].Error)
	}
	if x.outside {
		s.WriteString("; and " + outOfScope(x.Rule))
	}
	return s.String() + "." + x.cut.Sentence()
}

func outOfScope(rule string) string {
	if rule == "" {
		return "no pattern of the crawl file's scope covers it"
	}
	return "the crawl file's scope excludes it by " + console.Visible(rule, 200)
}
