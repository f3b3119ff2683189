package value

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"orbweaver/rdf"
)

// errSize means that a number or a string is too large.
var errSize = fmt.Errorf("too large: %w", ErrType)

// float returns a float or double.
func (v Value) float() float64 { return math.Float64frombits(uint64(v.n)) }

// unscaled returns an integer, or a decimal times ten to the power of its scale; read-only.
func (v Value) unscaled() *big.Int {
	if v.big != nil {
		return v.big
	}
	return big.NewInt(v.n)
}

// sign returns -1, 0 or 1 for an integer or decimal.
func (v Value) sign() int {
	switch {
	case v.big != nil:
		return v.big.Sign()
	case v.n < 0:
		return -1
	case v.n > 0:
		return 1
	}
	return 0
}

// newInteger returns an integer and takes ownership of n.
func newInteger(n *big.Int) (Value, error) {
	if n.IsInt64() {
		return Integer(n.Int64()), nil
	}
	if n.BitLen() > maxDigits*10/3 {
		return Value{}, errSize
	}
	return Value{kind: rdf.Literal, class: integer, big: n}, nil
}

// newDecimal returns n / 10^scale and takes ownership of n.
func newDecimal(n *big.Int, scale uint32) (Value, error) {
	if n.IsInt64() {
		return smallDecimal(n.Int64(), scale), nil
	}
	if n.BitLen() > 2*maxDigits*10/3 {
		return Value{}, errSize
	}
	if scale > 0 && n.TrailingZeroBits() > 0 { // a multiple of ten is even
		digits := n.String()
		zeros := min(len(digits)-len(strings.TrimRight(digits, "0")), int(scale))
		n = new(big.Int).Quo(n, pow10(uint32(zeros)))
		if scale -= uint32(zeros); n.IsInt64() {
			return smallDecimal(n.Int64(), scale), nil
		}
	}
	if scale > maxDigits || n.BitLen() > maxDigits*10/3 {
		return Value{}, errSize
	}
	return Value{kind: rdf.Literal, class: decimal, big: n, scale: scale}, nil
}

// smallDecimal returns n / 10^scale.
func smallDecimal(n int64, scale uint32) Value {
	for scale > 0 && n%10 == 0 {
		n /= 10
		scale--
		if n == 0 {
			scale = 0
		}
	}
	return Value{kind: rdf.Literal, class: decimal, n: n, scale: scale}
}

// pow10 returns a power of ten.
func pow10(n uint32) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// aligned returns two integers or decimals as multiples of the same power of ten.
func aligned(a, b Value) (x, y *big.Int, scale uint32) {
	x, y = a.unscaled(), b.unscaled()
	switch {
	case a.scale < b.scale:
		x = new(big.Int).Mul(x, pow10(b.scale-a.scale))
	case b.scale < a.scale:
		y = new(big.Int).Mul(y, pow10(a.scale-b.scale))
	}
	return x, y, max(a.scale, b.scale)
}

// smallAligned is aligned for numbers that fit 64 bits.
func smallAligned(a, b Value) (x, y int64, scale uint32, ok bool) {
	if a.big != nil || b.big != nil {
		return 0, 0, 0, false
	}
	x, y, scale = a.n, b.n, max(a.scale, b.scale)
	for range scale - a.scale {
		if magnitude(x) > math.MaxInt64/10 {
			return 0, 0, 0, false
		}
		x *= 10
	}
	for range scale - b.scale {
		if magnitude(y) > math.MaxInt64/10 {
			return 0, 0, 0, false
		}
		y *= 10
	}
	return x, y, scale, true
}

// compareExact compares two integers or decimals.
func compareExact(a, b Value) int {
	if x, y, _, ok := smallAligned(a, b); ok {
		return order(x, y)
	}
	if a.sign() != b.sign() {
		return order(int64(a.sign()), int64(b.sign()))
	}
	x, y, _ := aligned(a, b)
	return x.Cmp(y)
}

// order is the order of numbers.
func order[T int | int64 | uint32 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// digits returns an integer or decimal in canonical form.
func (v Value) digits() string {
	if v.scale == 0 && v.big == nil {
		return strconv.FormatInt(v.n, 10)
	}
	s := v.unscaled().String()
	if v.scale == 0 {
		return s
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	if missing := int(v.scale) + 1 - len(s); missing > 0 {
		s = strings.Repeat("0", missing) + s
	}
	point := len(s) - int(v.scale)
	return sign + s[:point] + "." + s[point:]
}

// floatText returns the canonical form of an xsd:double or, with 32 bits, xsd:float.
func floatText(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "INF"
	case math.IsInf(f, -1):
		return "-INF"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'E', -1, bits), "E")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	e, _ := strconv.Atoi(exponent) // FormatFloat writes it with a sign and two digits
	return mantissa + "E" + strconv.Itoa(e)
}

// toDouble returns the double nearest to a number.
func (v Value) toDouble() float64 {
	switch {
	case v.class >= float:
		return v.float()
	case v.big == nil && v.scale == 0:
		return float64(v.n)
	}
	f, _ := strconv.ParseFloat(v.digits(), 64) // beyond the range: infinite
	return f
}

// toFloat returns the float nearest to a number.
func (v Value) toFloat() float32 {
	switch {
	case v.class >= float:
		return float32(v.float())
	case v.big == nil && v.scale == 0:
		return float32(v.n)
	}
	f, _ := strconv.ParseFloat(v.digits(), 32)
	return float32(f)
}

// toDecimal returns a number as an exact decimal; an error for infinities and NaN.
func (v Value) toDecimal() (Value, error) {
	switch v.class {
	case decimal:
		v.value, v.datatype = "", ""
		return v, nil
	case integer:
		return Value{kind: rdf.Literal, class: decimal, n: v.n, big: v.big}, nil
	}
	f := v.float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, ErrType
	}
	r := new(big.Rat)
	r.SetFloat64(f) // its denominator is a power of two, 2^k: so it is n×5^k / 10^k
	k := uint32(r.Denom().BitLen() - 1)
	five := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(k)), nil)
	return newDecimal(five.Mul(five, r.Num()), k)
}

// truncated returns a number as an integer, rounded towards zero.
func (v Value) truncated() (Value, error) {
	if v.class == integer {
		v.value, v.datatype = "", ""
		return v, nil
	}
	d, err := v.toDecimal()
	if err != nil {
		return Value{}, err
	}
	return newInteger(new(big.Int).Quo(d.unscaled(), pow10(d.scale)))
}

// add returns a + b, for integers and decimals.
func add(a, b Value) (Value, error) {
	if x, y, scale, ok := smallAligned(a, b); ok {
		if sum := x + y; (sum > x) == (y > 0) {
			return exactly(a, b, sum, scale), nil
		}
	}
	x, y, scale := aligned(a, b)
	return exact(a, b, new(big.Int).Add(x, y), scale)
}

// multiply returns a × b, for integers and decimals.
func multiply(a, b Value) (Value, error) {
	if a.big == nil && b.big == nil {
		high, low := bits.Mul64(magnitude(a.n), magnitude(b.n))
		if high == 0 && low <= math.MaxInt64 {
			n := int64(low)
			if (a.n < 0) != (b.n < 0) {
				n = -n
			}
			return exactly(a, b, n, a.scale+b.scale), nil
		}
	}
	return exact(a, b, new(big.Int).Mul(a.unscaled(), b.unscaled()), a.scale+b.scale)
}

// magnitude returns the absolute value.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// exactly returns n / 10^scale, as an integer if both operands are integers, otherwise as a decimal.
func exactly(a, b Value, n int64, scale uint32) Value {
	if a.class == integer && b.class == integer {
		return Integer(n)
	}
	return smallDecimal(n, scale)
}

// exact is exactly for large numbers.
func exact(a, b Value, n *big.Int, scale uint32) (Value, error) {
	if a.class == integer && b.class == integer {
		return newInteger(n)
	}
	return newDecimal(n, scale)
}

// quotientDigits is the least precision of an inexact quotient, in digits.
const quotientDigits = 20

// divide returns a / b as a decimal, for integers and decimals: exact, or rounded half away from zero.
func divide(a, b Value) (Value, error) {
	if b.sign() == 0 {
		return Value{}, fmt.Errorf("division by zero: %w", ErrType)
	}
	x, y, _ := aligned(a, b)
	scale := uint32(quotientDigits)
	if longer := y.BitLen() - x.BitLen(); longer > 0 {
		scale += uint32(longer) * 30103 / 100000
	}
	if scale > maxDigits {
		scale = maxDigits
	}
	x = new(big.Int).Mul(x, pow10(scale))
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Lsh(r, 1).CmpAbs(y) >= 0 {
		q.Add(q, big.NewInt(int64(x.Sign()*y.Sign())))
	}
	return newDecimal(q, scale)
}
