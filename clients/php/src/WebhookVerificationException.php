<?php

declare(strict_types=1);

namespace Daric;

/**
 * A webhook that the receiver must ignore. BODY_PARSED and BAD_SECRET are faults of the receiver's code. MISSING_HEADER,
 * MALFORMED_HEADER, BAD_SIGNATURE, TIMESTAMP_TOO_OLD, TIMESTAMP_IN_FUTURE and NOT_JSON are faults of the request: answer 400.
 */
final class WebhookVerificationException extends \RuntimeException
{
    public string $errorCode;

    public function __construct(string $errorCode, string $message)
    {
        parent::__construct($message);
        $this->errorCode = $errorCode;
    }
}
