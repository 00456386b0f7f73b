<?php

declare(strict_types=1);

namespace Daric;

/** No whole answer came. */
final class TransportException extends \RuntimeException
{
    public bool $isTimeout;
    /** Whether the request never left, so that nothing was done. */
    public bool $isUnsent;

    public function __construct(string $message, bool $isTimeout, bool $isUnsent)
    {
        parent::__construct($message);
        $this->isTimeout = $isTimeout;
        $this->isUnsent = $isUnsent;
    }
}
