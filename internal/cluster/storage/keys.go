package storage

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/minio/minio-go/v7/pkg/credentials"

	"orbweaver"
)

// maxKeysFile bounds a shared credentials file, in bytes.
const maxKeysFile = 1 << 20

// keys finds the keys for S3 in the environment each time it is asked.
type keys struct{}

// IsExpired returns false: whoever learns from the server that a token is expired says so.
func (keys) IsExpired() bool { return false }

// Retrieve returns the keys.
func (k keys) Retrieve() (credentials.Value, error) { return k.RetrieveWithCredContext(nil) }

// RetrieveWithCredContext returns the keys.
func (keys) RetrieveWithCredContext(*credentials.CredContext) (credentials.Value, error) {
	v := credentials.Value{
		AccessKeyID:     os.Getenv("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken:    os.Getenv("AWS_SESSION_TOKEN"),
		SignerType:      credentials.SignatureV4,
	}
	file := os.Getenv("AWS_SHARED_CREDENTIALS_FILE")
	from := "the environment"
	if v.AccessKeyID == "" && v.SecretAccessKey == "" && file != "" {
		profile := cmp.Or(os.Getenv("AWS_PROFILE"), "default")
		from = fmt.Sprintf("profile %s of %s", profile, file)
		if err := readKeys(file, profile, &v); err != nil {
			return credentials.Value{}, fmt.Errorf("AWS_SHARED_CREDENTIALS_FILE: %w (%w)", err, orbweaver.ErrInput)
		}
	}
	if v.AccessKeyID == "" || v.SecretAccessKey == "" {
		return credentials.Value{}, fmt.Errorf(
			"no credentials in %s: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE to a file with aws_access_key_id and aws_secret_access_key (%w)",
			from, orbweaver.ErrInput)
	}
	return v, nil
}

// readKeys reads the keys of a profile from a shared credentials file: lines of KEY = VALUE, below lines of [PROFILE].
func readKeys(path, profile string, v *credentials.Value) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	within := false
	lines := bufio.NewScanner(io.LimitReader(file, maxKeysFile))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if name, ok := strings.CutPrefix(line, "["); ok {
			name, _, _ = strings.Cut(name, "]")
			within = strings.TrimSpace(name) == profile
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !within || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		switch value = strings.TrimSpace(value); strings.ToLower(strings.TrimSpace(key)) {
		case "aws_access_key_id":
			v.AccessKeyID = value
		case "aws_secret_access_key":
			v.SecretAccessKey = value
		case "aws_session_token":
			v.SessionToken = value
		}
	}
	return lines.Err()
}
