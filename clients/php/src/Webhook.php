<?php

declare(strict_types=1);

namespace Daric;

/** Verification of webhooks. */
final class Webhook
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * The event of a webhook that Daric signed with one of these secrets, and sent just now, as an array: `id`, `event`, `data`.
     *
     * Several secrets serve a rotation, or several endpoints behind one URL. The signature is compared in constant time. You must
     * check by its `id` whether you have handled it before.
     *
     * @param string $rawBody the body as it came: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers in any case: `getallheaders()`, `$request->headers->all()`, or `$_SERVER`
     * @param string|list<string> $secrets
     * @param array{toleranceSeconds?: float, now?: int} $options `toleranceSeconds` is the allowed difference between the time of
     *   sending and now (300). INF accepts a delivery of any age, and then `x-service-signature` alone is enough: a recorded
     *   delivery can be replayed. `now` is the Unix time, for tests.
     * @return array<string, mixed>
     * @throws WebhookVerificationException with a code for each reason not to act on it
     */
    public static function verify(
        $rawBody,
        array $headers,
        #[\SensitiveParameter]
        $secrets,
        array $options = []
    ): array {
        if (!is_string($rawBody)) {
            throw new WebhookVerificationException(
                'BODY_PARSED',
                "The signature is over the bytes of the body as they came, and a parsed value was passed. Take the raw body:\n"
                . "- plain PHP: file_get_contents('php://input');\n- Laravel, Symfony: \$request->getContent();\n"
                . '- PSR-7: (string) $request->getBody();' . "\n- WordPress: \$request->get_body()."
            );
        }
        $keys = self::checkedSecrets($secrets);
        $given = self::normalized($headers);
        $tolerance = (float) ($options['toleranceSeconds'] ?? self::TOLERANCE_SECONDS);
        if ($tolerance === INF && !isset($given['webhook-signature'])) {
            $signatures = [self::required($given, 'x-service-signature'), $given['x-service-signature-previous'] ?? ''];
            self::requireSignature($rawBody, array_map([self::class, 'bytesOfHex'], $signatures), $keys);
        } else {
            self::verifyStandard($rawBody, $given, $keys, $tolerance, $options['now'] ?? time());
        }
        $event = json_decode($rawBody, true, 512, JSON_BIGINT_AS_STRING);
        if (!is_array($event) || !is_string($event['event'] ?? null)) {
            throw new WebhookVerificationException('NOT_JSON', 'The body is signed, and is no event in JSON.');
        }
        return $event;
    }

    private static function verifyStandard(string $body, array $given, array $keys, float $tolerance, int $now): void
    {
        $id = self::required($given, 'webhook-id');
        $sentAt = self::required($given, 'webhook-timestamp');
        $entries = self::required($given, 'webhook-signature');
        if (preg_match('/^[0-9]{1,12}$/D', $sentAt) !== 1) {
            throw new WebhookVerificationException('MALFORMED_HEADER', 'webhook-timestamp is not in seconds since 1970.');
        }
        $signatures = [];
        foreach (explode(' ', $entries) as $entry) {
            if (strpos($entry, 'v1,') === 0) {
                $bytes = base64_decode(substr($entry, 3), true);
                $signatures[] = $bytes === false ? null : $bytes;
            }
        }
        $standardKeys = array_map(static function (string $secret): string {
            return (string) base64_decode(substr($secret, strlen('whsec_')), true);
        }, $keys);
        self::requireSignature("$id.$sentAt.$body", $signatures, $standardKeys);
        $age = $now - (int) $sentAt;
        if ($age > $tolerance) {
            throw new WebhookVerificationException(
                'TIMESTAMP_TOO_OLD',
                "It was sent $age s ago, and $tolerance s are accepted: it is a replay, or the clock here is ahead."
            );
        }
        if (!($age >= -$tolerance)) {
            throw new WebhookVerificationException('TIMESTAMP_IN_FUTURE', 'Its time is ' . -$age . ' s ahead: the clock here is behind.');
        }
    }

    /**
     * Tries every signature with every key.
     *
     * @param list<string|null> $signatures
     * @param list<string> $keys
     */
    private static function requireSignature(string $signed, array $signatures, array $keys): void
    {
        foreach ($keys as $key) {
            $expected = hash_hmac('sha256', $signed, $key, true);
            foreach ($signatures as $signature) {
                if ($signature !== null && hash_equals($expected, $signature)) {
                    return;
                }
            }
        }
        throw new WebhookVerificationException(
            'BAD_SIGNATURE',
            'No signature matches this body under any of the secrets. Is the secret that of this endpoint, and the body untouched: '
            . 'not parsed and written again, not decoded, not trimmed?'
        );
    }

    /** @return list<string> */
    private static function checkedSecrets($secrets): array
    {
        $list = is_array($secrets) ? array_values($secrets) : [$secrets];
        foreach ($list === [] ? [null] : $list as $secret) {
            if (!is_string($secret) || preg_match('/^whsec_[0-9a-f]{64}$/D', $secret) !== 1) {
                throw new WebhookVerificationException(
                    'BAD_SECRET',
                    "A secret is missing or not whole: it is whsec_ and 64 characters, as the endpoint's creation answered it, "
                    . 'without blanks around it.'
                );
            }
        }
        return $list;
    }

    /** The headers by names in small letters, without repeated ones; `HTTP_WEBHOOK_ID` of `$_SERVER` is `webhook-id`. */
    private static function normalized(array $headers): array
    {
        $found = [];
        foreach ($headers as $name => $value) {
            $plain = strtolower(preg_replace('/^HTTP_/', '', (string) $name));
            $key = str_replace('_', '-', $plain);
            foreach ((array) $value as $one) {
                $found[$key][] = trim((string) $one);
            }
        }
        $single = array_filter($found, static function (array $values): bool {
            return count($values) === 1 && $values[0] !== '';
        });
        return array_map('current', $single);
    }

    private static function required(array $headers, string $name): string
    {
        if (isset($headers[$name])) {
            return $headers[$name];
        }
        throw new WebhookVerificationException(
            'MISSING_HEADER',
            "The header $name is missing. Pass all headers as they came; if they lack it, Daric did not send this, or a proxy removed it."
        );
    }

    private static function bytesOfHex(string $text): ?string
    {
        return preg_match('/^[0-9a-f]{64}$/D', $text) === 1 ? hex2bin($text) : null;
    }
}
