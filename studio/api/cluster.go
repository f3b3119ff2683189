package api

import (
	"context"
	"net/http"
)

// clusterRoutes are those of the cluster.
func clusterRoutes() []route {
	return []route{
		{"GET", "/cluster", (*API).clusterStanding},
		{"POST", "/cluster/nodes/{name}/drain", (*API).drain},
	}
}

func (a *API) clusterStanding(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), usualTime)
	defer cancel()
	s, err := a.cluster.Look(ctx)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, s)
}

func (a *API) drain(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), usualTime)
	defer cancel()
	if err := a.cluster.Drain(ctx, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusAccepted)
	return nil
}
