package crawlfile

import (
	"strings"
	"time"

	"orbweaver/internal/recrawl"
	"orbweaver/weburl"
)

// A Recrawl says when the pages of a crawl are visited again. By the zero value none are.
type Recrawl struct {
	Every    string        `yaml:"every" type:"duration or cron expression" doc:"When rounds begin, in which every page is visited: a duration, as in 24h, or five fields of cron (minute, hour, day of the month, month, day of the week), or @hourly, @daily, @weekly, @monthly or @yearly. Default: no rounds, each page is visited as often as it changes."`
	Zone     string        `yaml:"zone" type:"time zone" doc:"Time zone of the cron expression, as in Europe/Berlin. Default: that of the machine."`
	Requests int           `yaml:"requests" default:"0" min:"0" max:"10000000" doc:"Requests in any 24 hours, at most: visits and requests for new pages, without robots.txt files and subresources. 0: no limit; then every is needed."`
	Explore  float64       `yaml:"explore" as:"share" default:"0.1" min:"0" max:"0.9" type:"percentage or number from 0 to 90%" doc:"Share of the requests that may go to new pages, and to pages whose rate of change is not known yet. In rounds without a limit of requests it is a share of the pages."`
	Least    time.Duration `yaml:"least" default:"1h" min:"1m" max:"8760h" doc:"Shortest time between two visits of one page."`
	Seed     int64         `yaml:"seed" default:"1" doc:"Random seed of what is explored."`
	Webhook  string        `yaml:"webhook" type:"URL" doc:"Where changes are sent, as JSON by POST. A private address needs allow_private."`
	Secret   Secret        `yaml:"secret" type:"{env: NAME} or {file: PATH}" doc:"The key by which messages to the webhook are signed (HMAC-SHA256). Default: they are not signed."`
}

// On reports whether pages are visited again.
func (s Recrawl) On() bool { return s.Every != "" || s.Requests > 0 }

// Times are the times of rounds; nil: there are none.
func (s Recrawl) Times() (recrawl.Times, error) {
	if s.Every == "" {
		return nil, nil
	}
	return recrawl.ParseTimes(s.Every, s.Zone)
}

// checkSchedule reports times that are none, and what a schedule lacks.
func (d *decoding) checkSchedule(s *Recrawl, web *Web) {
	if !d.given("schedule") {
		return
	}
	if !s.On() && !d.troubled("schedule") {
		d.problem("schedule", "says neither how often nor when", "write requests: 1000 for at most so many a day, or every: 24h")
	}
	if web != nil {
		d.problem("schedule", "needs the live Web, but web: names an archive", "leave one of them out")
	}
	if _, err := s.Times(); err != nil {
		key := "schedule.every"
		if strings.Contains(err.Error(), "time zone") {
			key = "schedule.zone"
		}
		d.problem(key, shorten(s.Every)+" is no time: "+err.Error(), "")
	}
	if s.Zone != "" && s.Every == "" {
		d.problem("schedule.zone", "has no times to hold for", "add every")
	}
	if s.Webhook != "" {
		if _, err := weburl.Canonical(s.Webhook); err != nil {
			msg, hint := badURL(s.Webhook, err)
			d.problem("schedule.webhook", msg, hint)
		}
	}
	if s.Webhook == "" && s.Secret != (Secret{}) {
		d.problem("schedule.secret", "has no webhook to sign for", "")
	}
}
