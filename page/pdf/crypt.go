package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
)

// The password that fills up every other one (ISO 32000-1, 7.6.3.3): the empty one is nothing else.
const padding = "\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08" +
	"\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a"

// A crypt decrypts a file that opens with the empty user password: security handlers of revision 2 to 6.
type crypt struct {
	key              []byte
	strings, streams cipherKind
	left             int64 // budget of bytes to decrypt
}

type cipherKind int

const (
	plain  cipherKind = iota
	rc4Key            // RC4, a key for each object
	aesKey            // AES-128, a key for each object
	aesAll            // AES-256, one key for all
)

// decrypts sets up decryption by an encryption dictionary. The reason says why it cannot be; empty: it can.
func (r *reader) decrypts(head dict, id str) (reason string) {
	version, _ := r.number(head["V"])
	revision, _ := r.number(head["R"])
	c := &crypt{left: r.limits.Decoded, strings: rc4Key, streams: rc4Key}
	if filter, _ := r.resolve(head["Filter"]).(name); filter != "Standard" {
		return ReasonHandler
	}
	bits, _ := r.number(head["Length"])
	if version >= 4 {
		c.streams, c.strings = r.cryptFilter(head, "StmF"), r.cryptFilter(head, "StrF")
		bits = 128
	}
	size := 5
	if revision >= 3 && bits >= 40 && bits <= 128 {
		size = int(bits) / 8
	}
	switch {
	case version >= 1 && version <= 4 && revision >= 2 && revision <= 4:
		c.key = r.fileKey(head, id, int(revision), size)
	case version == 5 && (revision == 5 || revision == 6):
		c.key = r.fileKey256(head, revision == 6)
	default:
		return ReasonHandler
	}
	if c.key == nil {
		return ReasonPassword
	}
	r.crypt = c
	return ""
}

// cryptFilter returns the kind of the crypt filter that an entry names.
func (r *reader) cryptFilter(head dict, entry name) cipherKind {
	called, _ := r.resolve(head[entry]).(name)
	all, _ := r.resolve(head["CF"]).(dict)
	filter, _ := r.resolve(all[called]).(dict)
	switch method, _ := r.resolve(filter["CFM"]).(name); method {
	case "V2":
		return rc4Key
	case "AESV2":
		return aesKey
	case "AESV3":
		return aesAll
	}
	return plain // Identity
}

// text returns an entry that is a string.
func (r *reader) text(d dict, entry name) str {
	s, _ := r.resolve(d[entry]).(str)
	return s
}

// fileKey computes the key of revisions 2 to 4 (algorithm 2), nil if the empty password is wrong (6).
func (r *reader) fileKey(head dict, id str, revision, size int) []byte {
	owner, user := r.text(head, "O"), r.text(head, "U")
	if len(owner) < 32 || len(user) < 16 {
		return nil
	}
	key, check := r.userKey(head, owner[:32], id, revision, size)
	if check[:16] != user[:16] {
		return nil
	}
	return key
}

// userKey returns the key for the empty password, and what U should be by it (algorithms 4 and 5).
func (r *reader) userKey(head dict, owner, id str, revision, size int) (key []byte, check str) {
	permissions, _ := r.number(head["P"])
	all := append([]byte(padding), owner...)
	all = binary.LittleEndian.AppendUint32(all, uint32(int64(permissions)))
	all = append(all, id...)
	if clear, ok := r.resolve(head["EncryptMetadata"]).(bool); ok && !clear && revision >= 4 {
		all = append(all, 0xff, 0xff, 0xff, 0xff)
	}
	sum := md5.Sum(all)
	if revision == 2 {
		return sum[:size], str(unRC4(sum[:size], []byte(padding)))
	}
	for range 50 {
		sum = md5.Sum(sum[:size])
	}
	key = bytes.Clone(sum[:size])
	sum = md5.Sum(append([]byte(padding), id...))
	out := sum[:]
	for round := range 20 {
		varied := bytes.Clone(key)
		for i := range varied {
			varied[i] ^= byte(round)
		}
		out = unRC4(varied, out)
	}
	return key, str(out)
}

// fileKey256 computes the key of revisions 5 and 6 (ISO 32000-2, algorithm 2.A), nil if the empty password is wrong.
func (r *reader) fileKey256(head dict, hardened bool) []byte {
	user, wrapped := r.text(head, "U"), r.text(head, "UE")
	if len(user) < 48 || len(wrapped) < 32 {
		return nil
	}
	if string(r.passwordHash(user[32:40], hardened)) != string(user[:32]) {
		return nil
	}
	block, err := aes.NewCipher(r.passwordHash(user[40:48], hardened))
	if err != nil { // unreachable: it has 32 bytes
		return nil
	}
	key := []byte(wrapped[:32])
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(key, key)
	return key
}

// passwordHash is the hash of the empty password and a salt.
func (r *reader) passwordHash(salt str, hardened bool) []byte {
	sum := sha256.Sum256([]byte(salt))
	if hardened {
		return hardenedHash(sum)
	}
	return sum[:]
}

// hardenedHash continues a hash of the empty password and a salt (ISO 32000-2, algorithm 2.B). It ends: the last
// byte of a round is at most 255.
func hardenedHash(sum [32]byte) []byte {
	key := sum[:]
	for round := 1; ; round++ {
		all := bytes.Repeat(key, 64)
		block, err := aes.NewCipher(key[:16])
		if err != nil { // unreachable
			return nil
		}
		cipher.NewCBCEncrypter(block, key[16:32]).CryptBlocks(all, all)
		third := 0
		for _, c := range all[:16] {
			third += int(c)
		}
		switch third % 3 {
		case 0:
			s := sha256.Sum256(all)
			key = s[:]
		case 1:
			s := sha512.Sum384(all)
			key = s[:]
		default:
			s := sha512.Sum512(all)
			key = s[:]
		}
		if round >= 64 && int(all[len(all)-1]) <= round-32 {
			return key[:32]
		}
	}
}

// An origin is the object that has a string or a stream.
type origin struct{ id, generation int }

// decrypt returns data in the clear; as much as the budget allows.
func (c *crypt) decrypt(kind cipherKind, of origin, data []byte) []byte {
	if kind == plain {
		return data
	}
	data = data[:max(0, min(int64(len(data)), c.left))]
	c.left -= int64(len(data))
	key := c.objectKey(kind, of)
	if kind == rc4Key {
		return unRC4(key, data)
	}
	return unAES(key, data)
}

// objectKey is the key of an object (algorithm 1).
func (c *crypt) objectKey(kind cipherKind, of origin) []byte {
	if kind == aesAll {
		return c.key
	}
	key := append(bytes.Clone(c.key), byte(of.id), byte(of.id>>8), byte(of.id>>16), byte(of.generation), byte(of.generation>>8))
	if kind == aesKey {
		key = append(key, "sAlT"...)
	}
	sum := md5.Sum(key)
	return sum[:min(len(c.key)+5, 16)]
}

func unRC4(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil { // unreachable: keys have 5 to 16 bytes
		return nil
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}

// unAES decrypts whole blocks behind an initial vector, and cuts off what fills up the last one.
func unAES(key, data []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil || len(data) < 2*aes.BlockSize {
		return nil
	}
	out := bytes.Clone(data[aes.BlockSize : len(data)/aes.BlockSize*aes.BlockSize])
	cipher.NewCBCDecrypter(block, data[:aes.BlockSize]).CryptBlocks(out, out)
	if n := int(out[len(out)-1]); n >= 1 && n <= aes.BlockSize {
		out = out[:len(out)-n]
	}
	return out
}

// clear decrypts the strings in an object, and notes in a stream whose it is. What is in an object stream is clear.
func (c *crypt) clear(o object, of origin) object {
	switch o := o.(type) {
	case str:
		return str(c.decrypt(c.strings, of, []byte(o)))
	case array:
		for i := range o {
			o[i] = c.clear(o[i], of)
		}
	case dict:
		for k := range o {
			o[k] = c.clear(o[k], of)
		}
	case *stream:
		c.clear(o.head, of)
		o.sealed, o.of = true, of
	}
	return o
}

// unsealed returns the bytes of a stream in the clear: its filters are yet to be undone.
func (r *reader) unsealed(s *stream, filters array) []byte {
	if r.crypt == nil || !s.sealed {
		return s.raw
	}
	if len(filters) > 0 && r.resolve(filters[0]) == name("Crypt") {
		return s.raw // its own filter is Identity: nothing else is allowed in practice
	}
	return r.crypt.decrypt(r.crypt.streams, s.of, s.raw)
}
