package storage

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"orbweaver"
)

// maxKeysFile bounds a shared credentials file, in bytes.
const maxKeysFile = 1 << 20

// credentials are the keys for S3.
type credentials struct{ id, secret, token string }

// findKeys finds the keys in the environment. Its errors wrap ErrInput.
func findKeys() (credentials, error) {
	v := credentials{os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN")}
	file := os.Getenv("AWS_SHARED_CREDENTIALS_FILE")
	from := "the environment"
	if v.id == "" && v.secret == "" && file != "" {
		profile := cmp.Or(os.Getenv("AWS_PROFILE"), "default")
		from = fmt.Sprintf("profile %s of %s", profile, file)
		if err := readKeys(file, profile, &v); err != nil {
			return credentials{}, fmt.Errorf("AWS_SHARED_CREDENTIALS_FILE: %w (%w)", err, orbweaver.ErrInput)
		}
	}
	if v.id == "" || v.secret == "" {
		return credentials{}, fmt.Errorf(
			"no credentials in %s: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE to a file with aws_access_key_id and aws_secret_access_key (%w)",
			from, orbweaver.ErrInput)
	}
	return v, nil
}

// readKeys reads the keys of a profile from a shared credentials file: lines of KEY = VALUE, below lines of [PROFILE].
func readKeys(path, profile string, v *credentials) error {
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
			v.id = value
		case "aws_secret_access_key":
			v.secret = value
		case "aws_session_token":
			v.token = value
		}
	}
	return lines.Err()
}
