package storage

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The keys of the fake server.
const (
	fakeKey    = "AKIDFAKE"
	fakeSecret = "confidential-secret"
)

// A fakeObject is an object of the fake server.
type fakeObject struct {
	body    []byte
	changed time.Time
}

func (o fakeObject) etag() string { return fmt.Sprintf("%x", md5.Sum(o.body)) }

// A fakeUpload is an upload that is not completed.
type fakeUpload struct {
	key   string
	parts map[int]fakeObject
	begun time.Time
}

// A fake is an S3 server of one bucket, as far as a store needs one.
type fake struct {
	bucket string
	page   int // keys of a listing's answer
	// before, if there is one, may answer a request instead; it reports whether it did.
	before func(w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	objects  map[string]fakeObject
	uploads  map[string]*fakeUpload
	requests int
}

func newFake() *fake {
	return &fake{bucket: "webs", page: 3, objects: map[string]fakeObject{}, uploads: map[string]*fakeUpload{}}
}

// refuse answers with an error of S3.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>the server says %s</Message></Error>", code, code)
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	if f.before != nil && f.before(w, r) {
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if auth := r.Header.Get("Authorization"); !strings.Contains(auth, "Credential="+fakeKey+"/") {
		refuse(w, http.StatusForbidden, "InvalidAccessKeyId")
		return
	}
	sum := sha256.Sum256(body)
	if said := r.Header.Get("X-Amz-Content-Sha256"); len(body) > 0 && said != hex.EncodeToString(sum[:]) {
		refuse(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch")
		return
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	query := r.URL.Query()
	switch {
	case bucket != f.bucket:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case query.Has("location"):
		fmt.Fprint(w, `<LocationConstraint>eu-test-1</LocationConstraint>`)
	case key == "" && query.Has("uploads"):
		f.listUploads(w)
	case key == "":
		f.list(w, query.Get("prefix"), max(query.Get("start-after"), query.Get("continuation-token")))
	case query.Has("uploads"), query.Has("uploadId"):
		f.upload(w, r, key, body)
	default:
		f.object(w, r, key, body)
	}
}

func (f *fake) object(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	switch r.Method {
	case http.MethodPut:
		o := fakeObject{body, time.Now()}
		f.objects[key] = o
		w.Header().Set("ETag", `"`+o.etag()+`"`)
	case http.MethodDelete:
		delete(f.objects, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		o, ok := f.objects[key]
		match := strings.Trim(r.Header.Get("If-Match"), `"`)
		switch {
		case !ok:
			refuse(w, http.StatusNotFound, "NoSuchKey")
			return
		case match != "" && match != o.etag():
			refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
			return
		}
		if from, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok {
			from, _, _ = strings.Cut(from, "-")
			if n, _ := strconv.Atoi(from); n >= len(o.body) {
				refuse(w, http.StatusRequestedRangeNotSatisfiable, "InvalidRange")
				return
			}
		}
		w.Header().Set("ETag", `"`+o.etag()+`"`)
		http.ServeContent(w, r, "", o.changed, bytes.NewReader(o.body))
	}
}

func (f *fake) list(w http.ResponseWriter, prefix, after string) {
	type content struct {
		Key          string
		Size         int
		LastModified string
	}
	var answer struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
		Contents              []content
	}
	var keys []string
	for key := range f.objects {
		if strings.HasPrefix(key, prefix) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if len(keys) > f.page {
		keys = keys[:f.page]
		answer.IsTruncated, answer.NextContinuationToken = true, keys[f.page-1]
	}
	for _, key := range keys {
		o := f.objects[key]
		answer.Contents = append(answer.Contents, content{key, len(o.body), o.changed.UTC().Format(time.RFC3339)})
	}
	_ = xml.NewEncoder(w).Encode(answer)
}

func (f *fake) listUploads(w http.ResponseWriter) {
	fmt.Fprint(w, "<ListMultipartUploadsResult>")
	for id, u := range f.uploads {
		fmt.Fprintf(w, "<Upload><Key>%s</Key><UploadId>%s</UploadId><Initiated>%s</Initiated></Upload>", u.key, id, u.begun.UTC().Format(time.RFC3339))
	}
	fmt.Fprint(w, "</ListMultipartUploadsResult>")
}

func (f *fake) upload(w http.ResponseWriter, r *http.Request, key string, body []byte) {
	id := r.URL.Query().Get("uploadId")
	u := f.uploads[id]
	if u == nil && id != "" {
		refuse(w, http.StatusNotFound, "NoSuchUpload")
		return
	}
	switch {
	case id == "":
		id = fmt.Sprint("upload", f.requests)
		f.uploads[id] = &fakeUpload{key, map[int]fakeObject{}, time.Now()}
		fmt.Fprintf(w, "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>", id)
	case r.Method == http.MethodPut:
		number, _ := strconv.Atoi(r.URL.Query().Get("partNumber"))
		u.parts[number] = fakeObject{body: body}
		w.Header().Set("ETag", `"`+u.parts[number].etag()+`"`)
	case r.Method == http.MethodDelete:
		delete(f.uploads, id)
		w.WriteHeader(http.StatusNoContent)
	default:
		var said struct{ Part []struct{ PartNumber int } }
		if err := xml.Unmarshal(body, &said); err != nil || len(said.Part) != len(u.parts) {
			refuse(w, http.StatusBadRequest, "InvalidPart")
			return
		}
		var whole []byte
		for _, p := range said.Part {
			whole = append(whole, u.parts[p.PartNumber].body...)
		}
		f.objects[key] = fakeObject{whole, time.Now()}
		delete(f.uploads, id)
		fmt.Fprintf(w, "<CompleteMultipartUploadResult><Bucket>%s</Bucket><Key>%s</Key></CompleteMultipartUploadResult>", f.bucket, key)
	}
}

// RoundTrip answers a request without a network, so that time may be virtual.
func (f *fake) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	recorder := httptest.NewRecorder()
	f.ServeHTTP(recorder, served)
	answer := recorder.Result()
	answer.Request = r
	return answer, nil
}
