package daric

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Event is an event of a webhook or of the feed. Data is null once the service has deleted the body; read it by As.
type Event = EventRow

// As reads the data of an event into the type that belongs to its name: OrderEventData, DepositEventData, RefundEventData,
// SettlementEventData or TestEventData. It fails where the service has deleted the data.
func (e EventRow) As(data any) error {
	if len(e.Data) == 0 || string(e.Data) == "null" {
		return fmt.Errorf("daric: the data of the event %s is not kept any more", e.ID)
	}
	return json.Unmarshal(e.Data, data)
}

// WebhookError is the reason to ignore a webhook. BAD_SECRET is a fault of the receiver's code. MISSING_HEADER, MALFORMED_HEADER,
// BAD_SIGNATURE, TIMESTAMP_TOO_OLD, TIMESTAMP_IN_FUTURE and NOT_JSON are faults of the request: answer 400 to those.
type WebhookError struct {
	Code, Message string
}

func (e *WebhookError) Error() string { return "daric: " + e.Code + ": " + e.Message }

// AnyAge is the tolerance that accepts a delivery of any age. Then x-service-signature alone is enough, and a recorded delivery can
// be replayed.
const AnyAge = time.Duration(math.MaxInt64)

// DefaultTolerance is the allowed difference between the time of sending and now.
const DefaultTolerance = 5 * time.Minute

var (
	secretPattern    = regexp.MustCompile(`^whsec_[0-9a-f]{64}$`)
	timestampPattern = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// VerifyWebhook is the event of a webhook that Daric signed with one of these secrets, and sent just now. Give the body as it came,
// by io.ReadAll(request.Body), before anything parses it. Several secrets serve a rotation, or several endpoints behind one URL. The
// signature is compared in constant time. You must check by its ID whether you have handled it before. It fails with a
// *WebhookError.
func VerifyWebhook(rawBody []byte, header http.Header, secrets ...string) (*Event, error) {
	return VerifyWebhookAt(time.Now(), DefaultTolerance, rawBody, header, secrets...)
}

// VerifyWebhookAt verifies as VerifyWebhook does, at another time or with another tolerance.
func VerifyWebhookAt(now time.Time, tolerance time.Duration, rawBody []byte, header http.Header, secrets ...string) (*Event, error) {
	if err := checkSecrets(secrets); err != nil {
		return nil, err
	}
	var err error
	if tolerance == AnyAge && only(header, "Webhook-Signature") == "" {
		err = verifyBody(rawBody, header, secrets)
	} else {
		err = verifyStandard(now, tolerance, rawBody, header, secrets)
	}
	if err != nil {
		return nil, err
	}
	var event Event
	if json.Unmarshal(rawBody, &event) != nil || event.Event == "" {
		return nil, &WebhookError{"NOT_JSON", "the body is signed, and is no event in JSON"}
	}
	return &event, nil
}

func verifyBody(rawBody []byte, header http.Header, secrets []string) error {
	given, err := required(header, "X-Service-Signature")
	if err != nil {
		return err
	}
	var signatures [][]byte
	for _, text := range []string{given, only(header, "X-Service-Signature-Previous")} {
		if bytes, err := hex.DecodeString(text); err == nil && strings.ToLower(text) == text {
			signatures = append(signatures, bytes)
		}
	}
	return requireSignature(rawBody, signatures, secrets, func(secret string) []byte { return []byte(secret) })
}

func verifyStandard(now time.Time, tolerance time.Duration, rawBody []byte, header http.Header, secrets []string) error {
	var values [3]string
	for index, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		value, err := required(header, name)
		if err != nil {
			return err
		}
		values[index] = value
	}
	id, sentAt, entries := values[0], values[1], values[2]
	if !timestampPattern.MatchString(sentAt) {
		return &WebhookError{"MALFORMED_HEADER", "webhook-timestamp is not in seconds since 1970"}
	}
	var signatures [][]byte
	for _, entry := range strings.Split(entries, " ") {
		if text, ok := strings.CutPrefix(entry, "v1,"); ok {
			if bytes, err := base64.StdEncoding.DecodeString(text); err == nil {
				signatures = append(signatures, bytes)
			}
		}
	}
	signed := append([]byte(id+"."+sentAt+"."), rawBody...)
	err := requireSignature(signed, signatures, secrets, func(secret string) []byte {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		return key
	})
	if err != nil {
		return err
	}
	seconds, _ := strconv.ParseInt(sentAt, 10, 64)
	return requireRecent(now.Unix()-seconds, tolerance)
}

// requireSignature tries every signature with every key.
func requireSignature(signed []byte, signatures [][]byte, secrets []string, keyOf func(string) []byte) error {
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, keyOf(secret))
		mac.Write(signed)
		expected := mac.Sum(nil)
		for _, signature := range signatures {
			if hmac.Equal(signature, expected) {
				return nil
			}
		}
	}
	return &WebhookError{"BAD_SIGNATURE", "no signature matches this body under any of the secrets: is the secret that of this endpoint, and the body untouched, not parsed and written again?"}
}

func requireRecent(age int64, tolerance time.Duration) error {
	limit := int64(tolerance / time.Second)
	if age > limit {
		return &WebhookError{"TIMESTAMP_TOO_OLD", fmt.Sprintf("it was sent %d s ago, and %d s are accepted: it is a replay, or the clock here is ahead", age, limit)}
	}
	if age < -limit {
		return &WebhookError{"TIMESTAMP_IN_FUTURE", fmt.Sprintf("its time is %d s ahead: the clock here is behind", -age)}
	}
	return nil
}

func checkSecrets(secrets []string) error {
	isWhole := len(secrets) > 0
	for _, secret := range secrets {
		isWhole = isWhole && secretPattern.MatchString(secret)
	}
	if isWhole {
		return nil
	}
	return &WebhookError{"BAD_SECRET", "a secret is missing or not whole: it is whsec_ and 64 characters, as the endpoint's creation answered it, without blanks around it"}
}

// only is a header; empty if it is missing or repeated.
func only(header http.Header, name string) string {
	values := header.Values(name)
	if len(values) != 1 {
		return ""
	}
	return strings.TrimSpace(values[0])
}

func required(header http.Header, name string) (string, error) {
	if value := only(header, name); value != "" {
		return value, nil
	}
	return "", &WebhookError{"MISSING_HEADER", "the header " + strings.ToLower(name) + " is missing: pass all headers as they came; if they lack it, Daric did not send this, or a proxy removed it"}
}
