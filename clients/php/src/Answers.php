<?php

declare(strict_types=1);

namespace Daric;

/** Reads answers: the envelope of a success, or the failure. */
final class Answers
{
    /**
     * @param array{status: int, headers: array<string, string>, body: string} $answer
     * @throws DaricException for a refusal, and for an answer that is not Daric's
     */
    public static function envelope(Settings $settings, string $operation, array $answer): array
    {
        $body = json_decode($answer['body'], true, 512, JSON_BIGINT_AS_STRING);
        $body = is_array($body) ? $body : [];
        $success = $body['success'] ?? null;
        if (self::isOk($answer) && $success === true && array_key_exists('data', $body)) {
            if (isset($answer['headers']['x-ignored-fields'])) {
                ($settings->warn)("Daric ignored unknown fields of $operation: {$answer['headers']['x-ignored-fields']}");
            }
            return $body;
        }
        $isRefusal = $success === false && is_string($body['message'] ?? null) && is_string($body['error']['code'] ?? null);
        throw $isRefusal ? self::refusal($settings, $operation, $answer, $body) : self::unexpected($settings, $operation, $answer);
    }

    /**
     * A download, which has no envelope.
     *
     * @param array{status: int, headers: array<string, string>, body: string} $answer
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException for a refusal, and for an answer that is not Daric's
     */
    public static function file(Settings $settings, string $operation, array $answer): array
    {
        $disposition = $answer['headers']['content-disposition'] ?? '';
        if (!self::isOk($answer) || strpos($disposition, 'attachment') !== 0) {
            self::envelope($settings, $operation, $answer);
            throw self::unexpected($settings, $operation, $answer);
        }
        $isNamed = preg_match('/filename="([^"\/\\\\]+)"/', $disposition, $parts) === 1;
        return ['content' => $answer['body'], 'type' => $answer['headers']['content-type'] ?? '', 'name' => $isNamed ? $parts[1] : null];
    }

    /** The failure of a call without an answer. */
    public static function unreachable(Settings $settings, string $operation, TransportException $fault, float $timeout): DaricException
    {
        $origin = $settings->origin();
        $facts = ['operation' => $operation, 'isOutcomeUnknown' => self::isWrite($operation) && !$fault->isUnsent];
        return $fault->isTimeout
            ? new DaricException("$origin did not answer $operation within $timeout s.", ['errorCode' => 'TIMEOUT'] + $facts, $fault)
            : new DaricException(
                "$origin could not be reached for $operation: {$fault->getMessage()}.",
                ['errorCode' => 'CONNECTION'] + $facts,
                $fault
            );
    }

    /** The failure for an answer of a proxy or another server. */
    public static function unexpected(Settings $settings, string $operation, array $answer): DaricException
    {
        $origin = $settings->origin();
        $status = $answer['status'];
        $type = $answer['headers']['content-type'] ?? 'no content type';
        $message = $status >= 300 && $status < 400
            ? "$origin redirects $operation, and a key is not sent after a redirect: set baseUrl to the target of the redirect."
            : "$origin answered $operation with $status and $type, not as Daric does: is the baseUrl right, or is a proxy in between down?";
        return new DaricException($message, [
            'errorCode' => 'UNEXPECTED_ANSWER',
            'operation' => $operation,
            'status' => $status,
            'correlationId' => $answer['headers']['x-correlation-id'] ?? null,
            'retryAfter' => self::retryAfter($answer),
            'isOutcomeUnknown' => self::isUnknown($operation, $answer),
        ]);
    }

    private static function refusal(Settings $settings, string $operation, array $answer, array $body): DaricException
    {
        $error = $body['error'];
        $message = $body['message'];
        if ($error['code'] === 'WRONG_ENVIRONMENT') {
            $message .= " The key of this client is a {$settings->environment} key, and {$settings->origin()} is a deployment "
                . 'of the other environment: change the key or the baseUrl.';
        }
        $details = is_array($error['details'] ?? null) ? $error['details'] : [];
        $correlationId = $body['correlationId'] ?? null;
        return new DaricException($message, [
            'errorCode' => $error['code'],
            'operation' => $operation,
            'status' => $answer['status'],
            'details' => array_values(array_filter($details, 'is_array')),
            'correlationId' => is_string($correlationId) ? $correlationId : null,
            'retryAfter' => self::retryAfter($answer),
            'docUrl' => self::docUrl($settings, $error['docUrl'] ?? null),
            // RATE_UNAVAILABLE is the only 5xx code that means that nothing was done.
            'isOutcomeUnknown' => self::isUnknown($operation, $answer) && $error['code'] !== 'RATE_UNAVAILABLE',
        ]);
    }

    private static function isWrite(string $operation): bool
    {
        return strpos($operation, 'GET ') !== 0;
    }

    private static function isOk(array $answer): bool
    {
        return $answer['status'] >= 200 && $answer['status'] < 300;
    }

    private static function isUnknown(string $operation, array $answer): bool
    {
        return self::isWrite($operation) && (self::isOk($answer) || $answer['status'] >= 500);
    }

    /** The seconds of Retry-After, which has seconds or an HTTP date. */
    private static function retryAfter(array $answer): ?int
    {
        $text = trim($answer['headers']['retry-after'] ?? '');
        if (preg_match('/^[0-9]+$/D', $text) === 1) {
            return (int) substr($text, 0, 15);
        }
        $time = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $text, new \DateTimeZone('UTC'));
        return $time === false ? null : max(0, $time->getTimestamp() - time());
    }

    /** @param mixed $text a path of the service, or a whole URL */
    private static function docUrl(Settings $settings, $text): ?string
    {
        if (!is_string($text)) {
            return null;
        }
        return strpos($text, '/') === 0 ? $settings->origin() . $text : $text;
    }
}
