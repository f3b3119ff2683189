package storage

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestSign: the examples of Amazon's documentation of Signature Version 4 for S3 have the signatures that it prints.
func TestSign(t *testing.T) {
	k := credentials{id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}
	at := time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		name, method, path, query, sum string
		header                         map[string]string
		want                           string
	}{
		{"get object", "GET", "/test.txt", "", emptySum, map[string]string{"Range": "bytes=0-9"},
			"f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"put object", "PUT", "/test$file.text", "", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
			map[string]string{"Date": "Fri, 24 May 2013 00:00:00 GMT", "X-Amz-Storage-Class": "REDUCED_REDUNDANCY"},
			"98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
		{"bucket lifecycle", "GET", "/", sorted("lifecycle", ""), emptySum, nil,
			"fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
		{"list objects", "GET", "/", sorted("prefix", "J", "max-keys", "2"), emptySum, nil,
			"34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := &http.Request{Method: tc.method, Header: http.Header{},
				URL: &url.URL{Scheme: "https", Host: "examplebucket.s3.amazonaws.com", Path: tc.path, RawPath: escapePath(tc.path), RawQuery: tc.query}}
			for name, value := range tc.header {
				r.Header.Set(name, value)
			}
			sign(r, k, "us-east-1", tc.sum, at)
			if got := r.Header.Get("Authorization"); !strings.HasSuffix(got, "Signature="+tc.want) {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestURL: the bucket is part of Amazon's host where a certificate covers that, and of the path elsewhere.
func TestURL(t *testing.T) {
	for _, tc := range []struct {
		at          address
		region, url string
	}{
		{address{bucket: "webs"}, "", "https://webs.s3.amazonaws.com/a%20b/c%2B"},
		{address{bucket: "webs"}, "eu-west-1", "https://webs.s3.eu-west-1.amazonaws.com/a%20b/c%2B"},
		{address{bucket: "my.webs"}, "eu-west-1", "https://s3.eu-west-1.amazonaws.com/my.webs/a%20b/c%2B"},
		{address{bucket: "webs", endpoint: "[::1]:9000", plain: true}, "r-1", "http://[::1]:9000/webs/a%20b/c%2B"},
	} {
		if got := (&client{at: tc.at}).url("a b/c+", "", tc.region).String(); got != tc.url {
			t.Errorf("%+v in %q: %s, want %s", tc.at, tc.region, got, tc.url)
		}
	}
}
