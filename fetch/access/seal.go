package access

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

// sealHead begins a sealed file; the nonce and the sealed JSON follow.
const sealHead = "orbweaver cookies 1\n"

const leastKey, maxKey = 32, 1 << 20 // bytes of a key file

// readKey derives the key of AES-256 from the content of a file, by HKDF (RFC 5869) with SHA-256.
func readKey(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("key of the cookies: %w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxKey+1))
	text = bytes.TrimRight(text, "\r\n")
	switch {
	case err != nil:
		return nil, fmt.Errorf("key of the cookies: %w (%w)", err, orbweaver.ErrInput)
	case len(text) < leastKey || len(text) > maxKey:
		return nil, fmt.Errorf("%s: a key of the cookies has %d bytes at least; make one by: head -c 32 /dev/urandom | base64 > %s (%w)", path, leastKey, path, orbweaver.ErrInput)
	}
	return hkdf.Key(sha256.New, text, nil, sealHead, 32)
}

// seal writes a value into a file of mode 0600, whole or not at all, encrypted and authenticated by AES-GCM under a random nonce.
func seal(path string, key []byte, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	box, err := boxOf(key)
	if err != nil {
		return err
	}
	nonce := make([]byte, box.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	sealed := box.Seal(append([]byte(sealHead), nonce...), nonce, text, []byte(sealHead))
	return atomicfile.WriteFile(path, sealed, 0o600)
}

// unseal reads a value that seal wrote.
func unseal(path, keyFile string, key []byte, value any) error {
	sealed, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	box, err := boxOf(key)
	if err != nil {
		return err
	}
	rest, found := bytes.CutPrefix(sealed, []byte(sealHead))
	if !found || len(rest) < box.NonceSize() {
		return fmt.Errorf("%s: %w: no jar of cookies", path, orbweaver.ErrDamaged)
	}
	text, err := box.Open(nil, rest[:box.NonceSize()], rest[box.NonceSize():], []byte(sealHead))
	if err != nil {
		return fmt.Errorf("%s: the key in %s does not open it: use the key that it was written with, or remove it to begin without cookies (%w)", path, keyFile, orbweaver.ErrInput)
	}
	if err := json.Unmarshal(text, value); err != nil {
		return errors.Join(orbweaver.ErrDamaged, fmt.Errorf("%s: %w", path, err))
	}
	return nil
}

func boxOf(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
