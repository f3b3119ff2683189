package value

import (
	"math"
	"math/big"
)

// arithmetic applies an operator to two numbers, promoted to a common type (section 17.3).
func arithmetic(op string, a, b Value) (Value, error) {
	if !a.IsNumeric() || !b.IsNumeric() {
		return Value{}, ErrType
	}
	switch max(a.class, b.class) {
	case double:
		return newDouble(calculate(op, a.toDouble(), b.toDouble())), nil
	case float:
		return newFloat(calculate(op, a.toFloat(), b.toFloat())), nil
	}
	switch op {
	case "+":
		return add(a, b)
	case "-":
		b, err := negate(b)
		if err != nil {
			return Value{}, err
		}
		return add(a, b)
	case "*":
		return multiply(a, b)
	}
	return divide(a, b)
}

func calculate[T float32 | float64](op string, a, b T) T {
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	return a / b
}

// plain returns a number without its original lexical form and derived type.
func plain(v Value) (Value, error) {
	if !v.IsNumeric() {
		return Value{}, ErrType
	}
	v.value, v.datatype = "", ""
	return v, nil
}

// negate returns -v.
func negate(v Value) (Value, error) {
	v, err := plain(v)
	switch {
	case err != nil:
		return Value{}, err
	case v.class >= float:
		v.n = int64(math.Float64bits(-v.float()))
		return v, nil
	case v.big == nil && v.n != math.MinInt64:
		v.n = -v.n
		return v, nil
	}
	return exact(v, v, new(big.Int).Neg(v.unscaled()), v.scale)
}

// absolute returns |v|.
func absolute(v Value) (Value, error) {
	if v.class >= float && v.IsNumeric() && math.Signbit(v.float()) || v.IsNumeric() && v.class < float && v.sign() < 0 {
		return negate(v)
	}
	return plain(v)
}

// rounded is CEIL, FLOOR or ROUND; ROUND rounds halves up.
func rounded(name string, v Value) (Value, error) {
	v, err := plain(v)
	switch {
	case err != nil || v.class == integer || v.class == decimal && v.scale == 0:
		return v, err
	case v.class >= float:
		v.n = int64(math.Float64bits(roundFloat(name, v.float())))
		return v, nil
	}
	n, unit := v.unscaled(), pow10(v.scale)
	switch name {
	case "CEIL":
		n = new(big.Int).Add(n, new(big.Int).Sub(unit, big.NewInt(1)))
	case "ROUND":
		n = new(big.Int).Add(n, new(big.Int).Quo(unit, big.NewInt(2)))
	}
	return newDecimal(new(big.Int).Div(n, unit), 0) // Div is floor: unit is positive
}

func roundFloat(name string, f float64) float64 {
	switch name {
	case "CEIL":
		return math.Ceil(f)
	case "FLOOR":
		return math.Floor(f)
	}
	below := math.Floor(f)
	if f-below >= 0.5 {
		below++
	}
	return math.Copysign(below, f) // -0.2 is rounded to -0
}
