package storage

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"orbweaver"
)

// A client makes the requests of a bucket, one attempt each. It is safe for concurrent use. Errors of the server are a refusal.
type client struct {
	at   address
	wire transport

	mu     sync.Mutex
	keys   credentials // zero: to be read again
	region string      // "" until the server was asked
}

// An upload is one whose parts are being sent, or were.
type upload struct {
	key, id string
	begun   time.Time
}

// A version is an object as it was when it was asked for.
type version struct {
	etag string
	size int64 // of the whole object
}

// connect makes a client, and no connection yet. Its errors wrap ErrInput.
func connect(at address, wire transport) (*client, error) {
	c := &client{at: at, wire: wire, region: at.region}
	_, err := c.credentials()
	return c, err
}

func (c *client) credentials() (credentials, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var err error
	if c.keys.id == "" {
		c.keys, err = findKeys()
	}
	return c.keys, err
}

// expire has the keys read again.
func (c *client) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys = credentials{}
}

// amazon is the host of S3 where no endpoint is said.
const amazon = "s3.amazonaws.com"

// url returns the URL of a key, or of the bucket. At Amazon the bucket is part of the host, for all whose certificate covers that.
func (c *client) url(key, query, region string) *url.URL {
	u := &url.URL{Scheme: "https", Host: cmp.Or(c.at.endpoint, amazon), Path: "/" + c.at.bucket + "/" + key, RawQuery: query}
	if c.at.plain {
		u.Scheme = "http"
	}
	if c.at.endpoint == "" {
		if region != "" {
			u.Host = "s3." + region + ".amazonaws.com"
		}
		if c.at.plain || !strings.Contains(c.at.bucket, ".") {
			u.Host, u.Path = c.at.bucket+"."+u.Host, "/"+key
		}
	}
	u.RawPath = escapePath(u.Path)
	return u
}

// A call is one request.
type call struct {
	method, key, query string
	header             http.Header
	body               piece
	sum                string // the SHA-256 of the body
	object             bool   // the body of the answer is an object
}

// do makes a request, whose answer has a status of 2xx.
func (c *client) do(ctx context.Context, x call) (*http.Response, error) {
	region, err := c.regionOf(ctx)
	if err != nil {
		return nil, err
	}
	return c.in(ctx, region, x)
}

// regionOf returns the region for signatures. One that the server does not tell is that of S3's beginnings.
func (c *client) regionOf(ctx context.Context) (string, error) {
	c.mu.Lock()
	region := c.region
	c.mu.Unlock()
	if region != "" {
		return region, nil
	}
	const first = "us-east-1"
	answer, err := c.in(ctx, first, call{method: http.MethodGet, query: "location="})
	var located struct {
		Region string `xml:",chardata"`
	}
	switch {
	case err == nil:
		if err = decode(answer, &located); err != nil {
			return "", err
		}
	case refusalOf(err) == nil, refusalOf(err).Region != "":
		return "", err
	}
	return c.learn(cmp.Or(strings.TrimSpace(located.Region), first)), nil
}

// learn keeps a region, unless one is said.
func (c *client) learn(region string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.region = cmp.Or(c.at.region, region)
	return c.region
}

// in makes a request in a region.
func (c *client) in(ctx context.Context, region string, x call) (*http.Response, error) {
	keys, err := c.credentials()
	if err != nil {
		return nil, err
	}
	r := (&http.Request{Method: x.method, URL: c.url(x.key, x.query, region), Header: http.Header{}}).WithContext(ctx)
	r.Host = r.URL.Host
	for name, values := range x.header {
		r.Header[name] = values
	}
	if x.body != nil {
		r.ContentLength = x.body.Size()
		if r.Body = io.NopCloser(x.body); r.ContentLength == 0 {
			r.Body = http.NoBody
		}
	}
	sign(r, keys, region, cmp.Or(x.sum, emptySum), time.Now())
	r.Header.Set("User-Agent", "orbweaver")
	answer, err := c.wire.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if !x.object || answer.StatusCode/100 != 2 {
		answer.Body = http.MaxBytesReader(nil, answer.Body, maxListing)
	}
	if answer.StatusCode/100 != 2 {
		refused := readRefusal(answer)
		if refused.Region != "" {
			c.learn(refused.Region)
		}
		return nil, refused
	}
	return answer, nil
}

// decode reads the XML of an answer. An <Error> is a refusal, with any status.
func decode(answer *http.Response, into any) error {
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	var root struct{ XMLName xml.Name }
	if err := xml.Unmarshal(body, &root); err == nil && root.XMLName.Local == "Error" {
		answer.Body = io.NopCloser(bytes.NewReader(body))
		return readRefusal(answer)
	}
	if err := xml.Unmarshal(body, into); err != nil {
		return &failure{reason: orbweaver.ErrInput, text: "no server of S3", err: fmt.Errorf("its answer is no XML: %w", err)}
	}
	return nil
}

// done ends an answer whose body is not wanted.
func done(answer *http.Response, err error) error {
	if err == nil {
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	return err
}

func (c *client) send(ctx context.Context, key string, body piece, sum string) error {
	return done(c.do(ctx, call{method: http.MethodPut, key: key, body: body, sum: sum}))
}

func (c *client) remove(ctx context.Context, key string) error {
	return done(c.do(ctx, call{method: http.MethodDelete, key: key}))
}

// begin begins an upload in parts.
func (c *client) begin(ctx context.Context, key string) (id string, err error) {
	answer, err := c.do(ctx, call{method: http.MethodPost, key: key, query: "uploads="})
	if err != nil {
		return "", err
	}
	var begun struct {
		ID string `xml:"UploadId"`
	}
	if err := decode(answer, &begun); err != nil {
		return "", err
	}
	if begun.ID == "" {
		return "", &failure{reason: orbweaver.ErrInput, text: "no server of S3: an upload has no name"}
	}
	return begun.ID, nil
}

func (c *client) sendPart(ctx context.Context, key, id string, number int, body piece, sum string) (etag string, err error) {
	query := sorted("partNumber", strconv.Itoa(number), "uploadId", id)
	answer, err := c.do(ctx, call{method: http.MethodPut, key: key, query: query, body: body, sum: sum})
	if err != nil {
		return "", err
	}
	return answer.Header.Get("ETag"), done(answer, nil)
}

// complete makes an object of the parts of an upload, whose ETags are as they were answered.
func (c *client) complete(ctx context.Context, key, id string, etags []string) error {
	type part struct {
		PartNumber int
		ETag       string
	}
	var whole struct {
		XMLName xml.Name `xml:"CompleteMultipartUpload"`
		Part    []part
	}
	for i, etag := range etags {
		whole.Part = append(whole.Part, part{i + 1, etag})
	}
	text, err := xml.Marshal(whole)
	if err != nil {
		return err
	}
	body := bytes.NewReader(text)
	sum, err := digest(body)
	if err != nil {
		return err
	}
	answer, err := c.do(ctx, call{method: http.MethodPost, key: key, query: sorted("uploadId", id), body: body, sum: sum})
	if err != nil {
		return err
	}
	var completed struct{ Key string }
	return decode(answer, &completed) // the status was sent before it was known whether it would succeed
}

func (c *client) abort(ctx context.Context, key, id string) error {
	return done(c.do(ctx, call{method: http.MethodDelete, key: key, query: sorted("uploadId", id)}))
}

// begun lists the uploads that are not complete, as far as they may be listed.
func (c *client) begun(ctx context.Context, prefix string) iter.Seq[upload] {
	return func(yield func(upload) bool) {
		for key, id := "", ""; ; {
			query := []string{"uploads", "", "prefix", prefix}
			if key != "" {
				query = append(query, "key-marker", key, "upload-id-marker", id)
			}
			answer, err := c.do(ctx, call{method: http.MethodGet, query: sorted(query...)})
			var list struct {
				IsTruncated   bool
				NextKeyMarker string
				NextID        string `xml:"NextUploadIdMarker"`
				Upload        []struct {
					Key       string
					ID        string `xml:"UploadId"`
					Initiated time.Time
				}
			}
			if err != nil || decode(answer, &list) != nil {
				return
			}
			for _, u := range list.Upload {
				if !yield(upload{u.Key, u.ID, u.Initiated}) {
					return
				}
			}
			if !list.IsTruncated || list.NextKeyMarker <= key && list.NextID <= id {
				return
			}
			key, id = list.NextKeyMarker, list.NextID
		}
	}
}

// ask asks for bytes of an object: length of them, 0: all, from an offset on; of one version alone if etag names it.
func (c *client) ask(ctx context.Context, key string, from, length int64, etag string) (io.ReadCloser, version, error) {
	x := call{method: http.MethodGet, key: key, header: http.Header{}, object: true}
	switch {
	case length > 0:
		x.header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, from+length-1))
	case from > 0:
		x.header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	if etag != "" {
		x.header.Set("If-Match", etag)
	}
	answer, err := c.do(ctx, x)
	if err != nil {
		return nil, version{}, err
	}
	is := version{answer.Header.Get("ETag"), answer.ContentLength}
	if from > 0 && !strings.HasPrefix(answer.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)) {
		answer.Body.Close()
		return nil, version{}, &failure{text: "the server does not send ranges"}
	}
	return answer.Body, is, nil
}

// list lists objects whose keys have a prefix, in order, behind one.
func (c *client) list(ctx context.Context, prefix, after string) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		query := []string{"list-type", "2", "prefix", prefix, "start-after", after}
		for token := ""; ; {
			page := query
			if token != "" {
				page = append(query[:4:4], "continuation-token", token)
			}
			answer, err := c.do(ctx, call{method: http.MethodGet, query: sorted(page...)})
			var list struct {
				IsTruncated           bool
				NextContinuationToken string
				Contents              []struct {
					Key          string
					Size         int64
					LastModified time.Time
				}
			}
			if err == nil {
				err = decode(answer, &list)
			}
			if err != nil {
				yield(listed{}, err)
				return
			}
			for _, o := range list.Contents {
				if !yield(listed{Object{o.Key, o.Size}, o.LastModified}, nil) {
					return
				}
			}
			if !list.IsTruncated || list.NextContinuationToken == "" {
				return
			}
			token = list.NextContinuationToken
		}
	}
}
