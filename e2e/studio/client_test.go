//go:build e2e

package studio_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"orbweaver/studio"
)

// foreign is a program of somebody else: it knows of the studio what its OpenAPI description says.
const foreign = `
import createClient from "openapi-fetch";
import type { paths } from "./studio.js";

declare const process: { argv: string[]; exit(code: number): never };
const api = createClient<paths>({ baseUrl: process.argv[2] + "/api/v1" });
const fail = (why: unknown): never => { console.error(why); return process.exit(1); };

const made = await api.POST("/demo");
const id = made.data?.id ?? fail(made.error);
for (;;) {
  const { data, error } = await api.GET("/crawls/{crawl}", { params: { path: { crawl: id } } });
  if (error) fail(error);
  if (data?.state === "ended") break;
  await new Promise((again) => setTimeout(again, 50));
}
const list = await api.GET("/crawls/{crawl}/pages", { params: { path: { crawl: id }, query: { accepted: true, sort: "score", limit: 3 } } });
const best = list.data?.pages[0] ?? fail(list.error);
const page = await api.GET("/crawls/{crawl}/page", { params: { path: { crawl: id }, query: { url: best.url } } });
if (page.error) fail(page.error);
const verdict = await api.POST("/crawls/{crawl}/verdicts", { params: { path: { crawl: id } }, body: { verdicts: [{ url: best.url, relevant: true }] } });
if (verdict.error) fail(verdict.error);
const none = await api.GET("/crawls/{crawl}", { params: { path: { crawl: "none" } } });
if (none.response.status !== 404 || !none.error?.detail) fail("no problem is told of");
console.log(best.title);
`

// TestForeignClient: a client that others generate from the description type-checks, and works.
func TestForeignClient(t *testing.T) {
	packages(t, "openapi-typescript")
	node := packages(t, "typescript")
	modules := filepath.Dir(node)
	c := newClient(t, serve(t, studio.Options{}))
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Skip(err)
	}
	_, _, description := c.send("GET", "/api/v1/openapi.json", "")
	for name, text := range map[string]string{"openapi.json": description, "client.ts": foreign, "package.json": `{"type": "module"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "node", args...)
		cmd.Dir = dir
		var said, wrong bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &wrong
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %v\n%s%s", args, err, said.String(), wrong.String())
		}
		return said.String()
	}
	run(filepath.Join(modules, "openapi-typescript", "bin", "cli.js"), "openapi.json", "-o", "studio.ts")
	run(filepath.Join(modules, "typescript", "bin", "tsc"), "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--lib", "es2022,dom", "client.ts")
	if got := run("client.js", "http://"+c.addr); got != "The Boeing 747: facts and history - Skylines\n" {
		t.Errorf("the client says %q", got)
	}
}
