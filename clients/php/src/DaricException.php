<?php

declare(strict_types=1);

namespace Daric;

/** The failure of a call. Distinguish by `$errorCode`: one of the service, or TIMEOUT, CONNECTION, UNEXPECTED_ANSWER, ORDER_REF_CONFLICT. */
final class DaricException extends \RuntimeException
{
    public string $errorCode;
    /** The operation: `POST /v1/deposit-addresses`. */
    public string $operation;
    /** The HTTP status; null without an answer. */
    public ?int $status;
    /** @var list<array{path: string, message: string}> every failing field of a VALIDATION_ERROR */
    public array $details;
    /** The id of the call in the operator's logs. */
    public ?string $correlationId;
    /** The seconds to wait before another try. */
    public ?int $retryAfter;
    /** The page with the cause and the remedy. */
    public ?string $docUrl;
    /** Whether the call may have been carried out although it failed here: look before you send it again. */
    public bool $isOutcomeUnknown;

    /**
     * @param array{errorCode: string, operation: string, status?: int|null, details?: list<array{path: string, message: string}>,
     *   correlationId?: string|null, retryAfter?: int|null, docUrl?: string|null, isOutcomeUnknown?: bool} $facts
     */
    public function __construct(string $message, array $facts, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
        $this->errorCode = $facts['errorCode'];
        $this->operation = $facts['operation'];
        $this->status = $facts['status'] ?? null;
        $this->details = $facts['details'] ?? [];
        $this->correlationId = $facts['correlationId'] ?? null;
        $this->retryAfter = $facts['retryAfter'] ?? null;
        $this->docUrl = $facts['docUrl'] ?? null;
        $this->isOutcomeUnknown = $facts['isOutcomeUnknown'] ?? false;
    }
}
