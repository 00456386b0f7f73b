<?php

declare(strict_types=1);

namespace Daric;

/** Which call may be repeated, and when. */
final class RetryPolicy
{
    /** Refusals without any effect, after which the same call may succeed later. */
    private const LATER = ['RATE_LIMITED', 'RATE_UNAVAILABLE', 'TIMEOUT', 'CONNECTION'];
    private const FIRST_WAIT_MS = 500;
    private const MAX_WAIT_MS = 8000;
    /** For a longer Retry-After the call fails at once, so that the caller decides. */
    private const MAX_RETRY_AFTER_S = 60;

    /** Whether a repetition does no harm, whatever happened to the first call. */
    public static function isRepeatable(string $operation, ?array $body): bool
    {
        if (Contract::OPERATIONS[$operation]['isRepeatable']) {
            return true;
        }
        // A receive address, and a refund with a reference, are found or created.
        return ($operation === 'POST /v1/deposit-addresses' && ($body['reusable'] ?? false) === true)
            || ($operation === 'POST /v1/deposit-addresses/{id}/refunds' && is_string($body['refundRef'] ?? null));
    }

    /**
     * The milliseconds before the next try, or null for no retry. There is none after a lasting failure, after a possible success
     * that must not repeat, or beyond a Retry-After of 60 s.
     *
     * Full jitter: random between zero and a bound that doubles with each try, added to Retry-After.
     */
    public static function waitMs(DaricException $failure, int $tries, bool $mayRepeat, float $random): ?float
    {
        if (!self::isPassing($failure) || ($failure->isOutcomeUnknown && !$mayRepeat)) {
            return null;
        }
        $retryAfter = $failure->retryAfter ?? 0;
        if ($retryAfter > self::MAX_RETRY_AFTER_S) {
            return null;
        }
        return $retryAfter * 1000 + $random * min(self::FIRST_WAIT_MS * 2 ** ($tries - 1), self::MAX_WAIT_MS);
    }

    /** Whether a later call may succeed without a change. */
    public static function isPassing(DaricException $failure): bool
    {
        // A proxy that limits calls has no code.
        if ($failure->status === 429 && $failure->retryAfter !== null) {
            return true;
        }
        return in_array($failure->errorCode, self::LATER, true) || ($failure->status ?? 0) >= 500;
    }
}
