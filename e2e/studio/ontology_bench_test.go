//go:build e2e

package studio_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"orbweaver/internal/realdata"
	"orbweaver/server/door/doortest"
	"orbweaver/studio"
	"orbweaver/studio/workspace"
)

// BenchmarkOntology measures the editor of ontologies in Chromium: opened after a start of the studio, searched as by typing, its graph
// expanded to 500 nodes, a node dragged in it, a label added with this graph beside, and that undone. It reports medians, in ms: of the time
// until the page shows tree and graph or what was done, and of the longest task of the page's main thread by the trace, by the clock and in time
// of the processor. The ontologies are a vocabulary of DBpedia, that and one of LinkedGeoData together, and 50 000 classes of 150 000 labels.
func BenchmarkOntology(b *testing.B) {
	for _, o := range []struct{ name, words, text string }{
		{"dbpedia", "person", vocabularyText(b, "dbpedia-owl__v4.2")},
		{"two", "person", vocabularyText(b, "dbpedia-owl__v4.2") + vocabularyText(b, "lgdo__v2011")},
		{"generated", "class 7", manyLabels(50_000)},
	} {
		b.Run(o.name, func(b *testing.B) {
			told := map[string][]float64{}
			for b.Loop() {
				measureEditor(b, o.text, o.words, told)
			}
			for name, all := range told {
				b.ReportMetric(median(all), name)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// vocabularyText is the content of a vocabulary of the archive.
func vocabularyText(b *testing.B, name string) string {
	b.Helper()
	packed, err := os.ReadFile(filepath.Join(realdata.Folder(b, "vocabularies-2018.tar.gz"), "vocabularies-2018.tar.gz"))
	if err != nil {
		b.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		b.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
		if strings.Contains(h.Name, name) {
			text, err := io.ReadAll(r)
			if err != nil {
				b.Fatal(err)
			}
			return string(text)
		}
	}
}

// manyLabels is an ontology of n classes, ten below each, with three labels each.
func manyLabels(n int) string {
	var text strings.Builder
	text.WriteString("@prefix : <http://e.example/many#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n")
	for i := range n {
		fmt.Fprintf(&text, ":C%d a owl:Class ; rdfs:label \"class %d\"@en, \"Klasse %d\"@de, \"classe %d\"@fr", i, i, i, i)
		if i > 0 {
			fmt.Fprintf(&text, " ; rdfs:subClassOf :C%d", (i-1)/10)
		}
		text.WriteString(" .\n")
	}
	return text.String()
}

// editorScript has what a person does in the editor, as functions that end when the page shows what came of it.
const editorScript = `window.until = async (holds, what) => {
	for (let n = 0; n < 3000; n++) { if (holds()) return performance.now(); await new Promise(r => setTimeout(r, 10)); }
	throw new Error("it did not come to " + what);
};
window.still = async () => { await new Promise(r => setTimeout(r, 300)); };
window.graph = () => document.querySelector("#graph .graph-canvas")._cyreg.cy;
window.placed = () => Number(document.querySelector("#graph").dataset.placed);
window.usable = () => until(() => document.querySelector('#tree [role="treeitem"]') && placed() > 1, "tree and graph");
window.search = async words => {
	const field = document.querySelector("#t-q");
	field.focus();
	for (let n = 1; n <= words.length; n++) {
		if (n > 1) await new Promise(r => setTimeout(r, 150));
		if (n === words.length) document.querySelector("#hits")?.replaceChildren();
		field.value = words.slice(0, n);
		field.dispatchEvent(new Event("input", {bubbles: true}));
	}
	const begin = performance.now();
	const at = await until(() => document.querySelector("#hits a")?.textContent.toLowerCase().startsWith(words), "hits");
	return at - begin;
};
window.grow = async () => {
	const begin = performance.now(), tried = new Set();
	while (placed() < 500) {
		const next = graph().nodes().toArray().filter(n => n.data("iri") && !tried.has(n.id())).sort((a, b) => b.data("links") - a.data("links"))[0];
		if (!next) break;
		tried.add(next.id());
		const was = placed();
		next.emit("dbltap");
		for (let n = 0; n < 40 && placed() === was; n++) await new Promise(r => setTimeout(r, 25));
		await new Promise(r => setTimeout(r, 100));
	}
	return performance.now() - begin;
};
window.drag = async () => {
	const cy = graph(), node = cy.nodes().toArray().sort((a, b) => b.degree() - a.degree())[0], canvas = document.querySelector("#graph .graph-canvas");
	canvas.scrollIntoView({block: "center"});
	cy.center(node);
	await still();
	const box = canvas.getBoundingClientRect(), at = node.renderedPosition(), all = () => cy.nodes().map(n => n.position("x")).join(), was = all();
	const send = (type, dx, buttons) => (type === "mousedown" ? canvas.querySelector("canvas") : window).dispatchEvent(new MouseEvent(type, {bubbles: true, cancelable: true, view: window, button: 0, buttons, clientX: box.left + at.x + dx, clientY: box.top + at.y}));
	send("mousedown", 0, 1);
	const begin = performance.now();
	for (let n = 1; n <= 40; n++) { send("mousemove", 3 * n, 1); await new Promise(requestAnimationFrame); }
	const took = performance.now() - begin;
	send("mouseup", 120, 0);
	if (all() === was) throw new Error("the node stays where it is");
	return took / 40;
};
window.label = async text => {
	const form = [...document.querySelectorAll("#entity form")].find(f => f.querySelector('[placeholder="another word for it"]'));
	form.elements.text.value = text;
	const begin = performance.now();
	form.requestSubmit();
	const at = await until(() => document.querySelector("#entity").textContent.includes(text), "the label");
	return at - begin;
};
window.undo = async text => {
	const begin = performance.now();
	[...document.querySelectorAll("#standing button")].find(n => n.textContent === "Undo").click();
	const at = await until(() => !document.querySelector("#entity").textContent.includes(text), "the label undone");
	return at - begin;
}; true`

// measureEditor opens an ontology in a studio that was started just now, works with it, and notes how long everything took.
func measureEditor(b *testing.B, text, words string, told map[string][]float64) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "o.ttl"), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	ws, err := workspace.Open(dir, workspace.Options{Spare: -1})
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Skipf("no loopback: %v", err)
	}
	ctx, stop := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- studio.New(studio.Options{Workspace: ws}).Serve(ctx, l) }()
	defer func() {
		stop()
		if err := errors.Join(<-done, ws.Close()); err != nil {
			b.Error(err)
		}
	}()
	chromium, stopChromium := chromedp.NewExecAllocator(b.Context(), append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(doortest.Chromium(b)), chromedp.NoSandbox)...)
	defer stopChromium()
	tab, stopTab := chromedp.NewContext(chromium)
	defer stopTab()
	p := &traced{b, tab, told}
	p.run(chromedp.EmulateViewport(1280, 900))
	p.run(chromedp.Navigate("http://" + l.Addr().String() + "/ontologies")) // scripts and styles are there, as for who comes from the list
	address := "http://" + l.Addr().String() + "/ontology?" + url.Values{"file": {"o.ttl"}}.Encode()
	p.measure("open", "usable()", chromedp.Navigate(address))
	p.measure("search", fmt.Sprintf("search(%q)", words))
	p.run(chromedp.Navigate(p.text(`document.querySelector("#hits a").href`)))
	p.value(editorScript)
	p.await("usable()")
	p.measure("expand", "grow()")
	told["nodes"] = append(told["nodes"], p.await("Promise.resolve(placed())"))
	p.measure("drag", "drag()")
	p.measure("label", `label("a word for it")`)
	p.measure("undo", `undo("a word for it")`)
}

// traced is a tab of Chromium whose main thread is watched.
type traced struct {
	b    *testing.B
	tab  context.Context
	told map[string][]float64
}

func (p *traced) run(action chromedp.Action[chromedp.Void]) {
	p.b.Helper()
	if _, err := chromedp.Run(p.tab, action); err != nil {
		p.b.Fatal(err)
	}
}

// await is the number that a promise on the page gives.
func (p *traced) await(promise string) float64 {
	p.b.Helper()
	n, err := chromedp.Run(p.tab, chromedp.Evaluate[float64](promise, chromedp.EvalAwaitPromise))
	if err != nil {
		p.b.Fatalf("%s: %v", promise, err)
	}
	return n
}

func (p *traced) value(script string) {
	p.b.Helper()
	if _, err := chromedp.Run(p.tab, chromedp.Evaluate[bool](script)); err != nil {
		p.b.Fatal(err)
	}
}

func (p *traced) text(expression string) string {
	p.b.Helper()
	text, err := chromedp.Run(p.tab, chromedp.Evaluate[string](expression))
	if err != nil {
		p.b.Fatal(err)
	}
	return text
}

// measure does something before, if it is given, then what a promise does, under a trace.
func (p *traced) measure(name, promise string, before ...chromedp.Action[chromedp.Void]) {
	p.b.Helper()
	var over iter.Seq2[tracing.EventTracingComplete, error]
	p.run(func(ctx context.Context, tab *chromedp.Target) (v chromedp.Void, err error) {
		over = cdp.Events(p.tab, tab, tracing.TracingComplete)
		_, err = cdp.Call(ctx, tab, tracing.Start, tracing.StartParams{TransferMode: tracing.StartTransferModeReturnAsStream, TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "__metadata"}}})
		return v, err
	})
	for _, action := range before {
		p.run(action)
		p.value(editorScript)
	}
	took := p.await(promise)
	p.await("still().then(() => 0)")
	var events []event
	p.run(func(ctx context.Context, tab *chromedp.Target) (v chromedp.Void, err error) {
		if _, err = cdp.Call(ctx, tab, tracing.End, cdp.Empty{}); err == nil {
			events, err = collected(ctx, tab, over)
		}
		return v, err
	})
	clock, processor := longest(events)
	p.told[name+"-ms"] = append(p.told[name+"-ms"], took)
	p.told[name+"-task-ms"] = append(p.told[name+"-task-ms"], clock)
	p.told[name+"-task-cpu-ms"] = append(p.told[name+"-task-cpu-ms"], processor)
	p.b.Logf("%s: %.0f ms, longest task %.0f ms, %.0f of the processor", name, took, clock, processor)
}

// An event of a trace, as far as it counts here.
type event struct {
	Name    string
	Process int64   `json:"pid"`
	Thread  int64   `json:"tid"`
	Took    float64 `json:"dur"`  // µs
	Used    float64 `json:"tdur"` // µs of the processor
	Args    struct{ Name string }
}

// collected reads a trace that is over.
func collected(ctx context.Context, tab *chromedp.Target, over iter.Seq2[tracing.EventTracingComplete, error]) ([]event, error) {
	for e, err := range over {
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		for done := false; !done; {
			part, err := cdp.Call(ctx, tab, cdpio.Read, cdpio.ReadParams{Handle: e.Stream})
			if err != nil {
				return nil, err
			}
			text.Write(part.Data)
			done = part.EOF
		}
		var trace struct{ TraceEvents []event }
		err = json.Unmarshal([]byte(text.String()), &trace)
		return trace.TraceEvents, err
	}
	return nil, errors.New("the trace does not end")
}

// longest is the length of the longest task of the main threads of pages, in ms by the clock and of the processor.
func longest(events []event) (clock, processor float64) {
	type thread struct{ process, id int64 }
	main := map[thread]bool{}
	for _, e := range events {
		if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
			main[thread{e.Process, e.Thread}] = true
		}
	}
	for _, e := range events {
		if main[thread{e.Process, e.Thread}] && strings.HasSuffix(e.Name, "RunTask") {
			clock, processor = max(clock, e.Took/1000), max(processor, e.Used/1000)
		}
	}
	return clock, processor
}
