<?php

declare(strict_types=1);

namespace Daric;

/** The default transport, over ext-curl. Its connection stays open between calls. */
final class CurlTransport implements Transport
{
    /** Failures before a connection stood. */
    private const UNSENT = [
        CURLE_COULDNT_RESOLVE_PROXY,
        CURLE_COULDNT_RESOLVE_HOST,
        CURLE_COULDNT_CONNECT,
        CURLE_SSL_CONNECT_ERROR,
        60, // the peer's certificate is not trusted
    ];

    /** @var resource|\CurlHandle|null */
    private $handle = null;

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array
    {
        $this->handle = $this->handle ?? curl_init();
        curl_reset($this->handle);
        $found = [];
        $lines = ['Expect:'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $options = [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => max(1, (int) ceil($timeoutSeconds * 1000)),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$found): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $found[strtolower(trim($parts[0]))] = trim($parts[1]);
                } elseif (strpos($line, 'HTTP/') === 0) {
                    $found = []; // the headers of an interim answer do not count
                }
                return strlen($line);
            },
        ];
        if ($body !== null) {
            $options[CURLOPT_POSTFIELDS] = $body;
        }
        curl_setopt_array($this->handle, $options);
        $text = curl_exec($this->handle);
        $fault = curl_errno($this->handle);
        if ($fault !== 0 || !is_string($text)) {
            $isConnected = curl_getinfo($this->handle, CURLINFO_PRETRANSFER_TIME) > 0;
            $isTimeout = $fault === CURLE_OPERATION_TIMEDOUT;
            $isUnsent = in_array($fault, self::UNSENT, true) || ($isTimeout && !$isConnected);
            throw new TransportException(curl_error($this->handle), $isTimeout, $isUnsent);
        }
        return ['status' => (int) curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE), 'headers' => $found, 'body' => $text];
    }
}
