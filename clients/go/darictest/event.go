// Package darictest makes signed events for the tests of a receiver.
package darictest

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	_ "embed" // the examples of the contract
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

//go:embed events.json
var examples []byte

// Delivery is a delivery as Daric sends it.
type Delivery struct {
	Body   []byte
	Header http.Header
}

// SignedEvent is the contract's example of an event with an id of its own, signed now as Daric signs it. The fields of data, as they
// are on the wire, replace those of the example. A second secret is the one before a rotation. It fails for an unknown name.
func SignedEvent(name string, data map[string]any, secrets ...string) (*Delivery, error) {
	var events map[string]map[string]any
	if err := json.Unmarshal(examples, &events); err != nil {
		return nil, err
	}
	event, ok := events[name]
	if !ok || len(secrets) == 0 {
		return nil, fmt.Errorf("darictest: no event %q, or no secret", name)
	}
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, err
	}
	id := fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:])
	event["id"] = id
	for field, value := range data {
		event["data"].(map[string]any)[field] = value
	}
	body, err := json.Marshal(event)
	if err != nil {
		return nil, err
	}
	seconds := strconv.FormatInt(time.Now().Unix(), 10)
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("Webhook-Id", id)
	header.Set("Webhook-Timestamp", seconds)
	var signatures []string
	for index, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(sign(key, []byte(id+"."+seconds+"."+string(body)))))
		header.Set([]string{"X-Service-Signature", "X-Service-Signature-Previous"}[min(index, 1)], hex.EncodeToString(sign([]byte(secret), body)))
	}
	header.Set("Webhook-Signature", strings.Join(signatures, " "))
	return &Delivery{body, header}, nil
}

func sign(key, signed []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(signed)
	return mac.Sum(nil)
}
