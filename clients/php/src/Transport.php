<?php

declare(strict_types=1);

namespace Daric;

/** Sends one request. Give an own one to use the HTTP functions of a framework. */
interface Transport
{
    /**
     * The answer with any status, its headers by names in small letters. It follows no redirect, because the key must reach no
     * other host, and it ends after the time limit, whatever has come by then.
     *
     * @param array<string, string> $headers
     * @param float $timeoutSeconds the limit until the answer is read completely
     * @return array{status: int, headers: array<string, string>, body: string}
     * @throws TransportException without a whole answer
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array;
}
