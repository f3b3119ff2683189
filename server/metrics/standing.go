package metrics

import (
	"math"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// A standing collects Figures at each scrape.
type standing struct {
	read     func() Figures
	families []family
	absences *prometheus.Desc
	longest  *prometheus.Desc
	fresh    *prometheus.Desc
	age      *prometheus.Desc
	left     *prometheus.Desc
	next     *prometheus.Desc
}

// A family is a metric of one or more series.
type family struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	one  func(Figures) int64            // the value, without a label
	many func(Figures) map[string]int64 // by the label's value; nil: see one
	of   []string                       // values of the label that always exist
	rest string                         // value of the label for all others
}

// newStanding returns a collector of the Figures that Options.Read returns.
func newStanding(o Options) *standing {
	count := func(name, help string, one func(Figures) int64) family {
		return family{desc: prometheus.NewDesc(name, help, nil, nil), kind: prometheus.CounterValue, one: one}
	}
	gauge := func(name, help string, one func(Figures) int64) family {
		return family{desc: prometheus.NewDesc(name, help, nil, nil), kind: prometheus.GaugeValue, one: one}
	}
	labelled := func(name, help, label string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, []string{label}, nil)
	}
	return &standing{read: o.Read, absences: prometheus.NewDesc("orbweaver_absence_seconds",
		"CPU time of the goroutine that decides between two looks at its channel, in seconds.", nil, nil,
	), longest: prometheus.NewDesc("orbweaver_longest_absence_seconds",
		"The longest absence of the session, in seconds.", nil, nil,
	), fresh: prometheus.NewDesc("orbweaver_watch_fresh",
		"Expected share of watched pages whose copy is up to date.", []string{"weight"}, nil,
	), age: prometheus.NewDesc("orbweaver_watch_age_seconds",
		"Mean expected age of the copies of watched pages, in seconds.", nil, nil,
	), left: prometheus.NewDesc("orbweaver_left_pages",
		"Pages that the crawl would still accept if all went on, as estimated; NaN while too little is known.", []string{"bound"}, nil,
	), next: prometheus.NewDesc("orbweaver_next_pages",
		"Of these, pages expected of the next thousand requests.", []string{"bound"}, nil,
	), families: []family{
		count("orbweaver_requests_total", "Outcomes: pages, failures and redirects.", func(f Figures) int64 { return f.Requests }),
		count("orbweaver_pages_total", "Distinct URLs that answered 2xx.", func(f Figures) int64 { return f.Pages }),
		count("orbweaver_accepted_total", "Pages that the user wants to see.", func(f Figures) int64 { return f.Accepted }),
		count("orbweaver_bytes_total", "Payload as received, in bytes.", func(f Figures) int64 { return f.Bytes }),
		{
			desc: labelled("orbweaver_failures_total", "Outcomes without a page, by the reason.", "reason"),
			kind: prometheus.CounterValue, of: o.Failures, rest: "error",
			many: func(f Figures) map[string]int64 { return f.Failures },
		},
		{
			desc: labelled("orbweaver_refused_links_total", "Links that were not followed, by the reason.", "reason"),
			kind: prometheus.CounterValue, of: o.Refusals, rest: "other",
			many: func(f Figures) map[string]int64 { return f.Refused },
		},
		{
			desc: labelled("orbweaver_requisites_total", "What accepted pages need to be shown, by what became of it.", "fate"),
			kind: prometheus.CounterValue, of: []string{"fetched", "failed", "refused", "left-out"},
			many: func(f Figures) map[string]int64 { return f.Requisites },
		},
		count("orbweaver_requisite_bytes_total", "Payload of requisites as received, in bytes.", func(f Figures) int64 { return f.RequisiteBytes }),
		gauge("orbweaver_waiting_requisites", "Requisites that wait for their turn.", func(f Figures) int64 { return f.RequisitesWaiting }),
		count("orbweaver_http2_floods_total", "HTTP/2 connections that were closed because of frames that no request asked for.", func(f Figures) int64 { return f.Floods }),
		gauge("orbweaver_waiting_requests", "Requests that wait for their turn.", func(f Figures) int64 { return f.Waiting }),
		gauge("orbweaver_in_flight_requests", "Requests that are under way.", func(f Figures) int64 { return f.InFlight }),
		gauge("orbweaver_network_down", "1 while this machine's network is down.", func(f Figures) int64 { return f.NetworkDown }),
		gauge("orbweaver_sink_behind_pages", "Accepted pages that the sink lacks which lacks most.", func(f Figures) int64 { return f.SinkBehind }),
		gauge("orbweaver_failing_sinks", "Sinks whose last delivery failed.", func(f Figures) int64 { return f.SinksFailing }),
		gauge("orbweaver_waits_for_sink", "1 while the crawl makes no request because a sink is too far behind.", func(f Figures) int64 { return f.SinkWaits }),
		gauge("orbweaver_lost_logins", "Logins that the crawl tries in vain; their hosts wait.", func(f Figures) int64 { return f.LoginsLost }),
		gauge("orbweaver_watch_pages", "Pages that a watch visits.", func(f Figures) int64 { return f.Watch.Pages }),
		gauge("orbweaver_watch_requests", "Requests of a watch in the last 24 hours.", func(f Figures) int64 { return f.Watch.Spent }),
		gauge("orbweaver_known_urls", "Requests that wait, were made, or were found to be none to make.", func(f Figures) int64 { return f.Known }),
		{
			desc: labelled("orbweaver_hosts", "Hosts with something waiting, by whether they may be asked.", "state"),
			kind: prometheus.GaugeValue, of: []string{"ready", "resting", "down"},
			many: func(f Figures) map[string]int64 {
				return map[string]int64{"ready": f.Ready, "resting": f.Resting, "down": f.Down}
			},
		},
	}}
}

// Describe lists the metrics.
func (s *standing) Describe(to chan<- *prometheus.Desc) {
	for _, f := range s.families {
		to <- f.desc
	}
	to <- s.absences
	to <- s.longest
	to <- s.fresh
	to <- s.age
	to <- s.left
	to <- s.next
}

// Collect reads Figures once and sends all metrics.
func (s *standing) Collect(to chan<- prometheus.Metric) {
	figures := s.read()
	for _, f := range s.families {
		if f.many == nil {
			to <- prometheus.MustNewConstMetric(f.desc, f.kind, float64(f.one(figures)))
			continue
		}
		for value, n := range f.bounded(f.many(figures)) {
			to <- prometheus.MustNewConstMetric(f.desc, f.kind, float64(n), value)
		}
	}
	to <- figures.Absences.histogram(s.absences)
	to <- prometheus.MustNewConstMetric(s.longest, prometheus.GaugeValue, figures.Absences.Longest)
	to <- prometheus.MustNewConstMetric(s.fresh, prometheus.GaugeValue, figures.Watch.Fresh, "none")
	to <- prometheus.MustNewConstMetric(s.fresh, prometheus.GaugeValue, figures.Watch.Weighted, "worth")
	to <- prometheus.MustNewConstMetric(s.age, prometheus.GaugeValue, figures.Watch.Age)
	unknown := [3]float64{math.NaN(), math.NaN(), math.NaN()}
	all, next := unknown, unknown
	if figures.Left != nil {
		all, next = figures.Left.All, figures.Left.Next
	}
	for i, bound := range [...]string{"mean", "low", "high"} {
		to <- prometheus.MustNewConstMetric(s.left, prometheus.GaugeValue, all[i], bound)
		to <- prometheus.MustNewConstMetric(s.next, prometheus.GaugeValue, next[i], bound)
	}
}

// histogram returns the absences as a metric.
func (a Absences) histogram(desc *prometheus.Desc) prometheus.Metric {
	buckets, count := map[float64]uint64{}, uint64(0)
	for i, n := range a.Counts {
		if count += uint64(n); i < len(a.Bounds) {
			buckets[a.Bounds[i]] = count
		}
	}
	return prometheus.MustNewConstHistogram(desc, count, a.Sum, buckets)
}

// bounded returns the series of a family: those that always exist, and one for all others if there are any.
func (f *family) bounded(have map[string]int64) map[string]int64 {
	series := make(map[string]int64, len(f.of)+1)
	for _, value := range f.of {
		series[value] = have[value]
	}
	for value, n := range have { // sums do not depend on the order
		if !slices.Contains(f.of, value) {
			series[f.rest] += n
		}
	}
	return series
}
