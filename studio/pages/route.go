package pages

import (
	"fmt"
	"net/http"

	"orbweaver/kb/editing"
	"orbweaver/studio/workspace"
)

// pageNames are the templates that are pages.
var pageNames = []string{"failure", "home", "trash", "live", "exclude", "page", "results", "new", "newedit", "map", "compare", "ask", "removed",
	"ontologies", "ontology", "ontologysave", "ontologycheck", "ontologydelete", "ontologycounts", "ontologyhistory",
	"ontologyimport", "ontologyeffect", "proposals", "effect", "teach",
	"labels", "models", "topic", "learn", "learning", "ratings", "rate", "ratingresult",
	"recommendations", "linked", "cluster", "schedule", "logins", "stopping", "help"}

// route says which request is whose.
func (h *Handler) route() {
	h.get("/", func(_ http.ResponseWriter, r *http.Request) error {
		return fmt.Errorf("there is no page %s: %w", cut(r.URL.Path, 200), workspace.ErrUnknown)
	})
	h.get("/{$}", h.home)
	h.get("/trash", h.trash)
	h.get("/crawls/{crawl}", h.live)
	h.get("/crawls/{crawl}/exclude", h.writer(h.previewExclusion))

	h.get("/crawls/{crawl}/page", h.onePage)
	h.get("/crawls/{crawl}/results", h.results)
	h.get("/crawls/{crawl}/map", h.showMap)
	h.get("/crawls/{crawl}/ask", h.ask)
	h.get("/crawls/{crawl}/removed", h.removed)
	h.get("/crawls/{crawl}/proposals", h.proposals)
	h.get("/crawls/{crawl}/teach", h.teach)
	h.get("/compare", h.compare)
	h.get("/cluster", h.cluster)
	h.get("/help", h.help)
	h.get("/help/{folder}/{page}", h.help)
	h.get("/help/{folder}/picture/{picture}", h.helpPicture)

	h.get("/new", h.writer(h.newCrawl))
	h.get("/crawls/{crawl}/edit", h.writer(h.edit))
	h.answer("POST /new", maxUpload, h.begin)
	h.answer("POST /new/edit", maxDraft, h.edited)
	h.answer("POST /crawls/{crawl}/edit", maxDraft, h.edited)

	h.routeOntologies()
	h.routeModels()
	h.routeRatings()

	h.answer("POST /crawls/{crawl}/proposals/effect", maxForm, h.proposalEffect)
	h.answer("POST /crawls/{crawl}/proposals/who", maxForm, h.keepWho)

	h.post("/crawls/{crawl}/proposals", h.decideProposal)
	h.post("/crawls/{crawl}/proposals/borrow", h.borrow)
	h.post("/cluster/nodes/{node}/drain", h.drain)
	h.post("/demo", h.startDemo)
	h.post("/trash/{thrown}/restore", h.restore)
	h.post("/trash/{thrown}/forget", h.forget)
	h.post("/crawls/{crawl}/start", h.start)
	h.post("/crawls/{crawl}/pause", h.pause)
	h.post("/crawls/{crawl}/resume", h.resume)
	h.post("/crawls/{crawl}/stop", h.stop)
	h.post("/crawls/{crawl}/delete", h.remove)
	h.post("/crawls/{crawl}/add", h.add)
	h.post("/crawls/{crawl}/limits", h.limits)
	h.post("/crawls/{crawl}/exclude", h.exclude)
	h.post("/crawls/{crawl}/verdict", h.verdict)
	h.post("/crawls/{crawl}/teach", h.teachBy)
	h.post("/crawls/{crawl}/removed", h.takeOut)
}

// routeOntologies says which request about ontologies is whose.
func (h *Handler) routeOntologies() {
	h.get("/ontologies", h.ontologies)
	h.get("/ontology", h.ontology)
	h.get("/ontology/save", h.writer(h.lookAtSave))
	h.get("/ontology/check", h.checkOntology)
	h.get("/ontology/delete", h.writer(h.askDelete))
	h.get("/ontology/counts", h.counts)
	h.get("/ontology/entity", h.entityOf)
	h.get("/ontology/history", h.history)
	h.get("/ontology/effect", h.ontologyEffect)
	h.get("/ontology/import", h.writer(h.askImport))
	h.post("/ontologies/new", h.newOntology)
	h.post("/ontologies/learned", h.learnedOntology)
	h.post("/ontology/import", h.importModules)
	h.answer("POST /ontology/take", maxUpload, h.takeIn)
	h.answer("POST /ontologies/import", maxUpload, h.importOntology)
	h.post("/ontology/edit", h.editOntology)
	h.post("/ontology/undo", h.turnOntology((*editing.File).Undo, "Undone", "/ontology/redo"))
	h.post("/ontology/redo", h.turnOntology((*editing.File).Redo, "Done again", "/ontology/undo"))
	h.post("/ontology/discard", h.discardOntology)
	h.post("/ontology/save", h.saveOntology)
	h.post("/ontology/convert", h.convertOntology)
}

// routeModels says which request about what crawls have learned is whose.
func (h *Handler) routeModels() {
	h.get("/models", h.models)
	h.get("/crawls/{crawl}/recommendations", h.recommendations)
	h.post("/crawls/{crawl}/recommendations/answer", h.answerClass)
	h.get("/crawls/{crawl}/schedule", h.schedule)
	h.get("/crawls/{crawl}/logins", h.logins)
	h.get("/crawls/{crawl}/stopping", h.stopping)
	h.get("/crawls/{crawl}/links", h.linkedData)
	h.get("/crawls/{crawl}/endpoints", h.endpoints)
	h.get("/topic", h.topic)
	h.get("/topics/new", h.writer(h.learnTopic))
	h.get("/topics/{learning}", h.learning)
	h.answer("POST /topics", maxUpload, h.orderTopic)
	h.post("/topics/{learning}/cancel", h.cancelLearning)
	h.post("/topics/{learning}/again", h.learnAgain)
	h.post("/topics/{learning}/forget", h.forgetLearning)
	h.get("/crawls/{crawl}/krs", h.topic)
	h.post("/crawls/{crawl}/krs", h.setAccept)
	h.get("/labels", h.labels)
	h.get("/crawls/{crawl}/labels", h.labels)
	h.answer("POST /labels", maxPasted, h.whyText)
	h.answer("POST /crawls/{crawl}/labels", maxPasted, h.whyText)
}

// routeRatings says which request about ratings is whose.
func (h *Handler) routeRatings() {
	const rating = "/crawls/{crawl}/ratings/{rating}"
	h.get("/crawls/{crawl}/ratings", h.ratings)
	h.get(rating, h.writer(h.rate))
	h.get(rating+"/result", h.ratingResult)
	h.post("/crawls/{crawl}/ratings", h.newRating)
	h.post(rating+"/answer", h.answerPage)
	h.post(rating+"/settle", h.settle)
	h.post(rating+"/teach", h.teachRating)
	h.post(rating+"/delete", h.deleteRating)
	h.answer("POST "+rating+"/sheet", maxUpload, h.takeSheet)
}
