package main

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"daric"
	"daric/darictest"
)

func TestAnOrderIsDeliveredOnceAndAForgedEventIsRefused(t *testing.T) {
	secret := "whsec_" + strings.Repeat("01", 32)
	own := &shop{
		secret:    secret,
		orders:    map[string]daric.ExpectedOrder{"A-1042": {OrderRef: "A-1042", DepositAddressID: "d-1", Amount: "25.50", Currency: "USDT"}},
		delivered: map[string]bool{},
	}
	paid, err := darictest.SignedEvent("deposit.confirmed", map[string]any{"depositAddressId": "d-1"}, secret)
	if err != nil {
		t.Fatal(err)
	}
	post := func(body []byte) (int, string) {
		request := httptest.NewRequest("POST", "/hook", bytes.NewReader(body))
		request.Header = paid.Header.Clone()
		answer := httptest.NewRecorder()
		own.ServeHTTP(answer, request)
		return answer.Code, strings.TrimSpace(answer.Body.String())
	}
	if status, code := post(bytes.ReplaceAll(paid.Body, []byte("25.5"), []byte("99.5"))); status != 400 || code != "BAD_SIGNATURE" || len(own.delivered) != 0 {
		t.Fatal(status, code, own.delivered)
	}
	for range [2]int{} {
		if status, _ := post(paid.Body); status != 204 || !own.delivered["A-1042"] {
			t.Fatal(status, own.delivered)
		}
	}
}
