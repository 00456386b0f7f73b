package daric

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// Decimal is money as a decimal text, "12.50", since a float cannot hold most amounts.
type Decimal string

// Every price has fewer digits on each side of the point.
var decimalPattern = regexp.MustCompile(`^[0-9]{1,64}(?:\.[0-9]{1,64})?$`)

// Canonical is the shortest form, 12.5 for 12.50 and for 012.5; false for a text that is no decimal.
func (d Decimal) Canonical() (string, bool) {
	if !decimalPattern.MatchString(string(d)) {
		return "", false
	}
	whole, fraction, _ := strings.Cut(string(d), ".")
	whole, fraction = strings.TrimLeft(whole, "0"), strings.TrimRight(fraction, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole, true
	}
	return whole + "." + fraction, true
}

// Equal compares by value: 12.50 equals 12.5. A text that is no decimal equals nothing.
func (d Decimal) Equal(other Decimal) bool {
	left, isLeft := d.Canonical()
	right, isRight := other.Canonical()
	return isLeft && isRight && left == right
}

// Rat is the exact value, to compute with. Balances of a statement may be negative.
func (d Decimal) Rat() (*big.Rat, error) {
	unsigned := Decimal(strings.TrimPrefix(string(d), "-"))
	if _, ok := unsigned.Canonical(); !ok {
		return nil, fmt.Errorf("daric: %q is no decimal", string(d))
	}
	value, _ := new(big.Rat).SetString(string(d))
	return value, nil
}

// Nullable is a field of a change: left out, null, or a value. Use Set and Null.
type Nullable[T any] map[bool]T

// Set is a value of a Nullable.
func Set[T any](value T) Nullable[T] { return Nullable[T]{true: value} }

// Null clears a field.
func Null[T any]() Nullable[T] {
	var none T
	return Nullable[T]{false: none}
}

// MarshalJSON writes the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if value, ok := n[true]; ok {
		return encoded(value)
	}
	return []byte("null"), nil
}

// Ptr is a pointer to a value, for the optional fields of a body.
func Ptr[T any](value T) *T { return &value }
