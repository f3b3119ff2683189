package pages

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/kb/editing"
	"orbweaver/studio/help"
	"orbweaver/studio/workspace"
)

// hostile are texts that the Web may have as titles, anchors, URLs and labels.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `javascript:alert(1)`, `data:text/html,<script>alert(1)</script>`,
	"\u202egnp.exe\u2066", strings.Repeat("x", 10_000), "\x00\xff\xfe", `</textarea><style>*{}</style>`, `{{.Token}}`,
}

// typed is the value of a field: what a person typed, or what goes back as it came.
var typed = regexp.MustCompile(`(?s) value="[^"]*"|<textarea[^>]*>[^<]*`)

// hostileDraft is a draft all of whose texts are bad.
func hostileDraft(frame Frame, bad string) editView {
	problems := []crawl.Problem{{Line: 1, Key: "limits.requests", Msg: bad, Hint: bad}, {Key: bad, Msg: bad}}
	values := map[string]string{"focus": "keyword", "focus.keyword.terms": bad, "politeness.contact": bad, "prefixes": bad, "seeds": bad}
	judged := &crawl.Trial{Verdict: &crawl.Judged{}, Page: crawl.Passages{Title: bad, Text: bad, Without: bad}}
	if err := json.Unmarshal([]byte(`{"score": 0.5}`), judged); err != nil {
		panic(err)
	}
	judged.Title, judged.AsOf = bad, bad
	marked := []Segment{{bad, bad, bad}, {Text: bad}}
	reasons := []Reason{{Words: bad, Evidence: bad}}
	return editView{
		Frame: frame, Action: "/new/edit", CSS: "/x.css", JS: "/x.js", Groups: groupsOf(values, problems), Problems: problems, Files: []workspace.File{{Name: bad}},
		draft: draft{
			Name: bad, Text: bad, Was: bad, Failed: []string{bad}, Sample: crawl.Sample{URL: bad, Text: bad}, URLs: bad, Scoped: []crawl.Scoped{{URL: bad, Why: bad}},
			Trial: &trialView{Trial: judged, Failed: bad, Reasons: reasons, Heading: marked, Body: marked, Links: []trialLink{{URL: bad, Anchor: bad, Refused: bad, Reasons: reasons}}},
		},
	}
}

// hostileRemoval is a removal all of whose texts are bad.
func hostileRemoval(frame Frame, bad string) removedView {
	r := crawl.Removed{Examples: []string{bad}}
	r.Patterns, r.Reason = []string{bad}, bad
	frame.MayWrite = true
	return removedView{
		Frame: frame, Patterns: bad, Reason: bad, Preview: &r, Problem: bad, Removals: []crawl.Removal{r.Removal}, Removing: &workspace.Removing{Step: bad, All: 1},
	}
}

// hostileOntology are the pages of an ontology all of whose texts are bad.
func hostileOntology(frame Frame, bad string) map[string]any {
	frame.MayWrite = true
	item := editing.Item{IRI: bad, Name: bad, Kind: bad, Below: 1, Deprecated: true}
	items, labels := []editing.Item{item}, []editing.Label{{As: bad, Text: bad, Language: bad, Also: []string{bad}}}
	steps := []editing.Step{{Says: bad, By: bad}}
	v := &ontologyView{
		Frame: frame, File: bad, Standing: editing.Standing{Unsaved: 1, Undo: 1, Redo: 1, Editable: true, Changed: true}, CSS: "/x.css", Words: bad, Says: bad, Namespace: bad,
		Counts: []kindCount{{Kind: bad, Plural: bad, N: 1, Path: ontologyPath(bad, bad)}}, Found: []editing.Found{{Item: item, Label: bad + "x"}}, Relations: []string{bad}, Kinds: []string{bad}, Uses: []workspace.Use{{Crawl: bad, File: bad}},
	}
	v.Branch = branch{Under: bad, Items: v.links(items), Total: 2, Next: ontologyPath(bad, bad), Previous: ontologyPath(bad, bad)}
	v.Entity = &entityView{view: v, Form: editing.Form{
		Item: item, Path: items, Labels: labels, Comments: labels, Above: items, Under: items, Of: items, Instances: items, Domains: items, Ranges: items, Properties: items,
		Relations: []editing.Relation{{As: item, To: item}, {As: item, To: item, Back: true}}, Anonymous: []editing.Anonymous{{As: item, Text: bad, Node: bad}},
		Others: []editing.Other{{As: item, Value: bad, Language: bad}, {As: item, Value: bad, Link: true}}, More: 1,
	}}
	return map[string]any{
		"ontologies":      ontologiesView{Frame: frame, CSS: "/x.css", Templates: workspace.Templates(), Crawls: []string{bad}, Files: []ontologyRow{{workspace.OntologyFile{File: workspace.File{Name: bad}, Draft: true, Uses: []workspace.Use{{Crawl: bad, File: bad}}}, ontologyPath(bad, "")}}},
		"ontology":        v,
		"ontologysave":    saveView{Frame: frame, File: bad, Digest: bad, CSS: "/x.css", Lines: []diffLine{{"added", bad}}},
		"ontologycheck":   checkView{Frame: frame, File: bad, CSS: "/x.css", Total: 1, Findings: []editing.Finding{{Kind: bad, Entity: item, Evidence: bad}, {Kind: bad, Entity: editing.Item{Name: bad}}}},
		"ontologydelete":  deleteView{Frame: frame, File: bad, IRI: bad, Name: bad, CSS: "/x.css", Dependents: editing.Dependents{Statements: 1, Below: items, Instances: items, Properties: items, Others: items}},
		"ontologycounts":  countsView{Frame: frame, File: bad, Target: bad, Name: bad, Query: url.Values{"file": {bad}}.Encode(), CSS: "/x.css", Sets: []string{bad}, Discounts: []string{bad}, Total: 1, Rows: []countRow{{Counted: editing.Counted{Item: item, Path: items}, Href: ontologyPath(bad, bad)}}},
		"ontologyhistory": historyView{Frame: frame, File: bad, CSS: "/x.css", Done: steps, Undone: steps},
		"ontologyeffect": ontologyEffectView{
			Frame: frame, File: bad, Of: bad, Uses: v.Uses, CSS: "/x.css", Sets: []string{bad}, Discounts: []string{bad}, Asked: true, URL: bad, Failed: bad, In: []movedRow{{Row: Row{Title: bad, Host: bad, Path: pagePath(bad, bad)}}},
			Sides: []trialSide{{Label: "Now", Class: bad, Reasons: []Reason{{Words: bad, Evidence: bad}}, Heading: []Segment{{Text: bad, Rule: bad}}, Body: []Segment{{Text: bad}}}},
		},
		"ontologyimport": importView{Frame: frame, File: bad, From: bad, CSS: "/x.css", Modules: []editing.Module{{Item: item, Entities: 2}}, More: 1},
	}
}

// hostileProposals is a queue all of whose texts are bad.
func hostileProposals(frame Frame, bad string) proposalsView {
	frame.MayWrite = true
	v := proposalsView{Frame: frame, By: bad, Query: bad, Others: []string{bad}}
	s := orbweaver.Suggestion{ID: bad, Kind: bad, Text: bad, Entity: bad, Other: bad, As: bad, Examples: []string{bad}}
	quotes := []crawl.Passage{{URL: bad, Title: bad, Text: "a" + bad, Spans: [][2]int{{1, 1 + len(bad)}, {0, 99999}, {5, 2}}}}
	d := orbweaver.Decision{ID: bad, By: bad, As: orbweaver.AsEntry, Text: bad, Entity: bad, Range: bad}
	var all []crawl.Proposal
	for _, state := range []string{crawl.ProposalOpen, crawl.ProposalLater, crawl.ProposalAccepted, crawl.ProposalRejected, bad} {
		p := crawl.Proposal{Suggestion: s, From: "/x/" + bad, Name: bad, Sentences: quotes, Pages: []crawl.Page{{URL: bad, Title: bad}}, State: state, Decision: &d}
		pair := p
		pair.Kind = orbweaver.SuggestPair
		all = append(all, p, pair)
	}
	v.filters(url.Values{"kind": {bad}}, crawl.ProposalList{States: map[string]int{bad: 1}, Kinds: map[string]int{bad: 1}})
	v.rows(all)
	return v
}

// hostileModels are the pages of models all of whose texts are bad.
func hostileModels(frame Frame, bad string) map[string]any {
	labels, topic, models, cluster := &labelsView{}, &topicView{}, &modelsView{}, &clusterView{}
	ratings, rate, result, found := &ratingsView{}, &rateView{}, &resultView{}, &recommendationsView{}
	learn, learning := &learnView{}, &learningView{}
	tables, hosts, endpoints := &linkedView{}, &linkedView{}, &linkedView{}
	for _, v := range []any{cluster, learn, learning, labels, topic, models, ratings, rate, result, found, tables, hosts, endpoints} {
		fill(reflect.ValueOf(v).Elem(), bad, 10)
	}
	labels.Frame, labels.CSS, labels.None, labels.Back, labels.Next, labels.Source = frame, "/x.css", "", "/labels", "/labels", "/api/v1/labels/timeline"
	topic.Frame, topic.CSS, topic.None, topic.Back, topic.Next, topic.Line = frame, "/x.css", "", "/topic", "/topic", nil
	labels.Views, topic.Views = []Tab{{Path: "/labels", Label: bad}}, []Tab{{Path: "/topic", Label: bad}}
	models.Frame, models.CSS = frame, "/x.css"
	cluster.Frame, cluster.CSS, cluster.Live = frame, "/x.css", "/cluster/view"
	cluster.Nodes[0].Key, cluster.Crawls[0].Key = keyOf(bad), keyOf("crawl "+bad)
	for i := range models.Models {
		models.Models[i].Path = "/labels?" + url.Values{"model": {bad}}.Encode()
	}
	ratings.Frame, rate.Frame, result.Frame = frame, frame, frame
	ratings.CSS, rate.CSS, result.CSS = "/x.css", "/x.css", "/x.css"
	found.Frame, found.CSS, found.None, found.View, found.Back, found.Web = frame, "/x.css", "", "terms", "/labels", "/api/v1/labels"
	learn.Frame, learn.CSS, learn.FormCSS, learn.Cancel = frame, "/x.css", "/x.css", "/models"
	learn.Values = url.Values{"topic": {bad}, "category": {bad}, "wiki": {bad}, "url": {bad}, "contact": {bad}, "paste": {bad}, "gazetteer": {bad}}
	learning.Frame, learning.CSS, learning.Topic, learning.NewCrawl, learning.Change, learning.Self = frame, "/x.css", topicPath(bad), crawlFor(bad), "/topics/new", learningPath(bad)
	for view, v := range map[string]*linkedView{"": tables, "hosts": hosts, "endpoints": endpoints} {
		v.Frame, v.CSS, v.View, v.Back = frame, "/x.css", view, "/labels"
		v.Figures, v.None = linkFigures(v.Data.Links), ""
	}
	return map[string]any{"learn": learn, "learning": learning, "cluster": cluster, "linked": tables, "linked:hosts": hosts, "linked:endpoints": endpoints, "recommendations": found, "labels": labels, "topic": topic, "models": models, "ratings": ratings, "rate": rate, "ratingresult": result}
}

// fill sets all texts of a value, in lists of one element, to a depth.
func fill(v reflect.Value, bad string, depth int) {
	if !v.CanSet() || depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(bad)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(.5)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Button]() {
			v.Set(reflect.ValueOf(Button{Action: "/labels", Label: "Do it", Fields: []Field{{"name", bad}}}))
			return
		}
		paths := []string{"Path", "Result", "Web", "Archived", "List", "KeysPath", "SkippedPath", "Next", "Before", "Sheets", "Action"}
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.String && slices.Contains(paths, v.Type().Field(i).Name) {
				fill(v.Field(i), "/labels", depth-1)
				continue
			}
			fill(v.Field(i), bad, depth-1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), bad, depth-1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), bad, depth-1)
	}
}

// TestHostile: whatever stands in a page, a URL, a label or a message, a page stays sound.
func TestHostile(t *testing.T) {
	h := New(Options{Workspace: nil, Token: func(*http.Request) string { return "token" }})
	for _, bad := range hostile {
		frame := h.frame(httptest.NewRequest(http.MethodGet, "/", nil), bad)
		frame.Crawl, frame.Flash = bad, &Flash{Text: bad, Bad: true}
		reasons := reasonsOf([]orbweaver.Reason{{Rule: bad, Evidence: bad}})
		row := Row{URL: bad, Path: pagePath(bad, bad), Title: bad, Snippet: bad, Class: bad, Host: hostOf(bad), Reasons: reasons}
		c := workspace.Crawl{
			ID: bad, State: workspace.Running, Error: bad, Notices: []string{bad}, Status: &crawl.Status{},
			Problems: []crawl.Problem{{Line: 1, Key: bad, Msg: bad, Hint: bad}},
		}
		standing := Standing{
			Crawl: c, Why: bad, Next: bad, Newest: []Row{row}, Best: []Row{row}, Waits: []Wait{{URL: bad, Path: row.Path, Reasons: reasons}},
			Hosts: []Host{{Name: bad, Robots: bad, Down: bad}}, Refused: []refusal{{bad, 1, []ruled{{bad, 1}}, []string{bad}, bad}},
			Failed: []failure{{bad, 1, []crawl.Failed{{URL: bad, Message: bad}}}},
		}
		act := frame.Button("/trash/1/restore", "Restore", "")
		marked := segments("a"+bad, orbweaver.InText, []orbweaver.Span{{Field: orbweaver.InText, Start: 1, End: 1 + len(bad), Rule: bad, Name: bad}})
		views := map[string]any{
			"new": newView{
				Frame: frame, CSS: "/x.css", Ways: ways, From: ways[1], Problem: bad, Ontologies: []workspace.File{{Name: bad}},
				Values: url.Values{"paste": {bad}, "url": {bad}, "target": {bad}, "seeds": {bad}, "name": {bad}},
			},
			"newedit": hostileDraft(frame, bad),
			"failure": failureView{frame, bad, "Go back."},
			"home":    homeView{Frame: frame, Full: bad, Live: "/view", Crawls: []crawlRow{{Crawl: c, Why: bad}}},
			"trash":   trashView{frame, []thrownRow{{workspace.Thrown{Crawl: bad, File: bad}, act, act}}},
			"live":    liveView{Frame: frame, Standing: standing, Text: bad},
			"exclude": excludeView{frame, bad, crawl.Excluded{Waiting: 1, Examples: []string{bad}}},
			"results": resultsView{Frame: frame, Words: bad, Min: bad, Host: bad, Class: bad, Rows: []Row{row}, Label: bad, Found: []Hit{{row, marked, []string{bad}}}},
			"map":     hostileMap(frame, bad),
			"compare": compareView{frame, []choice{{bad, true}}, []comparedRow{{Compared: workspace.Compared{ID: bad, Focus: bad}, Path: crawlPath(bad)}}, "/api/v1/compare?" + url.Values{"crawl": {bad}}.Encode()},
			"ask":     hostileAnswer(frame, bad),
			"removed": hostileRemoval(frame, bad),
			"schedule": scheduleView{Frame: frame, CSS: "/x.css", Watch: &crawl.Watching{}, Figures: []Figure{{Label: "Pages", Value: "3"}}, Upcoming: []crawl.Upcoming{{URL: bad}},
				Changes: []crawl.PageChange{{ID: bad, URL: bad, Kind: "changed", Title: bad, To: bad, Diff: bad}}},

			"help":     helpView{Frame: frame, CSS: "/x.css", Index: help.Base, Query: bad, Searched: true, Found: []help.Found{{Path: help.Base, Page: bad, Section: bad, Passage: []help.Part{{Text: bad, Hit: true}, {Text: bad}}}}},
			"logins":   hostileLogins(frame, bad),
			"stopping": stoppingView{Frame: frame, CSS: "/x.css", Rule: "R", Says: "S", Figures: []Figure{{"F", "1", "M"}}, Limits: []limitRow{{"requests", "1", "2"}}, Now: crawl.Stopping{State: bad, Now: &crawl.LeftEstimate{}, History: make([]crawl.LeftEstimate, 2)}},

			"proposals": hostileProposals(frame, bad),
			"effect": effectView{
				Frame: frame, Words: bad, As: bad, Entity: bad, Problem: "", Accept: []Field{{"id", bad}},
				In: []movedRow{{row, 0.5}}, Out: []movedRow{{row, 0.5}},
			},
			"teach": hostileTeaching(frame, bad, row),
			"page": pageView{
				Frame: frame, URL: bad, Web: link(bad), Archived: link(bad), Reasons: reasons, Heading: marked, Body: marked,
				Explained: &crawl.Explanation{URL: bad, Why: bad, Rule: bad, Nearest: []string{bad}},
			},
		}
		maps.Copy(views, hostileOntology(frame, bad))
		maps.Copy(views, hostileModels(frame, bad))
		for _, name := range slices.Concat(pageNames, []string{"linked:hosts", "linked:endpoints"}) {
			rec := httptest.NewRecorder()
			template, _, _ := strings.Cut(name, ":")
			if err := h.show(rec, http.StatusOK, template, views[name]); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			page := typed.ReplaceAllString(rec.Body.String(), "")
			sound(t, rec.Body.String())
			for _, never := range []string{"<script>", "<img", "\u202e", "\u2066", "ZgotmplZ", `href="javascript:`, `href="data:`} {
				if strings.Contains(page, never) {
					t.Errorf("%s with %.40q has %q", name, bad, never)
				}
			}
		}
	}
}

// hostileMap is a map around a page.
func hostileMap(frame Frame, bad string) mapView {
	v := mapView{Frame: frame, URL: bad, Sizes: mapSizes}
	v.tell(crawl.Map{Nodes: []crawl.MapNode{{ID: bad, Title: bad}, {ID: "a" + bad, Title: bad, Known: true}}, Edges: []crawl.MapEdge{{From: bad, To: "a" + bad, Links: 1}}})
	hosts := mapView{Frame: frame}
	hosts.tell(crawl.Map{Nodes: []crawl.MapNode{{ID: bad}, {ID: "a"}}, Edges: []crawl.MapEdge{{From: bad, To: "a", Links: 1}}})
	v.Hosts = hosts.Hosts
	return v
}

// hostileTeaching asks about a page, and tells of what verdicts changed.
func hostileTeaching(frame Frame, bad string, row Row) teachView {
	moved := []crawl.Moved{{URL: bad, Title: bad, Said: bad}, {URL: bad}}
	v := teachView{
		Frame: frame, Questions: []question{{Row: row, Web: link(bad), Archived: link(bad), Threshold: 0.5}}, Answers: teachAnswers,
		Given:  crawl.GivenList{Verdicts: []crawl.Given{{URL: bad, Title: bad, Said: bad}, {URL: bad}}},
		Taught: crawl.Teaching{Pages: 1, FellOut: 1, Out: moved, In: moved, Words: []crawl.Moving{{Stem: bad}}, Against: []crawl.Moving{{Stem: bad}}},
	}
	v.tell(url.Values{"pages": {bad}})
	return v
}

// hostileAnswer is an answer with terms of all kinds.
func hostileAnswer(frame Frame, bad string) askView {
	v := askView{Frame: frame, Query: bad, Asked: true, Columns: []string{bad}, Examples: examplesAt("/crawls/x/ask"), Endpoint: "/api/v1/crawls/x/sparql"}
	for _, written := range []string{"<" + bad + ">", `"` + bad + `"@en`, `"` + bad + `"`, bad, `"`, "<", `"\u202E\U0001F600\q"`} {
		v.Rows = append(v.Rows, []Term{v.term(written)})
	}
	return v
}

func TestLink(t *testing.T) {
	for _, bad := range append(hostile, "//host/", "/path", "ftp://host/", "http:", "http:///x") {
		if got := link(bad); got != "" {
			t.Errorf("%.40q is linked as %.40q", bad, got)
		}
	}
	if link("https://a.example/b") == "" {
		t.Error("an address of the Web is not linked")
	}
}

func hostileLogins(frame Frame, bad string) loginsView {
	v := loginsView{Frame: frame, CSS: "/x.css", State: "paused"}
	l := crawl.LoginState{For: []string{bad}, Way: bad, When: bad, Text: bad}
	l.Name, l.Hosts, l.Why, l.State = bad, []string{bad}, bad, crawl.LoginStuck
	v.Logins = append(v.Logins, v.row(l))
	return v
}
