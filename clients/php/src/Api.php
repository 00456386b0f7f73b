<?php

declare(strict_types=1);

namespace Daric;

/** Sends calls to one deployment, and retries them if that is safe. */
final class Api
{
    private Settings $settings;

    public function __construct(Settings $settings)
    {
        $this->settings = $settings;
    }

    /**
     * The envelope of the answer, in its wire form.
     *
     * @param array{path?: array<string, string>, query?: array<string, mixed>, body?: array<string, mixed>} $parts
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{data: mixed, meta?: array<string, mixed>}
     * @throws DaricException if the service refuses, cannot be reached or does not answer in time
     */
    public function send(string $operation, array $parts, array $options): array
    {
        return $this->answer($operation, $parts, $options, [Answers::class, 'envelope']);
    }

    /**
     * A download, which has no envelope. It is held in memory: ask for a range that fits.
     *
     * @param array{path?: array<string, string>, query?: array<string, mixed>} $parts
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{content: string, type: string, name: string|null}
     * @throws DaricException if the service refuses, cannot be reached or does not answer in time
     */
    public function download(string $operation, array $parts, array $options): array
    {
        return $this->answer($operation, $parts, $options, [Answers::class, 'file']);
    }

    private function answer(string $operation, array $parts, array $options, callable $read): array
    {
        $request = $this->request($operation, $parts, $options);
        $mayRepeat = RetryPolicy::isRepeatable($operation, $parts['body'] ?? null);
        for ($tries = 1; ; $tries++) {
            try {
                return $this->attempt($operation, $request, $read);
            } catch (DaricException $failure) {
                $waitMs = RetryPolicy::waitMs($failure, $tries, $mayRepeat, mt_rand() / mt_getrandmax());
                if ($waitMs === null || $tries > $this->settings->maxRetries) {
                    throw $failure;
                }
            }
            usleep((int) ($waitMs * 1000));
        }
    }

    private function attempt(string $operation, array $request, callable $read): array
    {
        [$method, $url, $headers, $body, $timeoutSeconds] = $request;
        try {
            $answer = $this->settings->transport->send($method, $url, $headers, $body, $timeoutSeconds);
        } catch (TransportException $fault) {
            throw Answers::unreachable($this->settings, $operation, $fault, $timeoutSeconds);
        }
        return $read($this->settings, $operation, $answer);
    }

    private function request(string $operation, array $parts, array $options): array
    {
        $facts = Contract::OPERATIONS[$operation];
        [$method, $template] = explode(' ', $operation);
        $path = preg_replace_callback('/\{(\w+)\}/', static function (array $name) use ($parts): string {
            return self::segment($name[1], $parts['path'][$name[1]] ?? null);
        }, $template);
        $query = [];
        foreach (self::encoded($parts['query'] ?? [], 'query') as $name => $value) {
            if ($value !== null) {
                $query[$name] = is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
            }
        }
        $url = $this->settings->baseUrl . $path . ($query === [] ? '' : '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986));
        $headers = ['accept' => 'application/json', 'user-agent' => $this->settings->userAgent];
        // No key is sent where none is needed: a token is its own credential, and currencies are public.
        if (!$facts['isKeyless']) {
            $apiKey = $this->settings->apiKey();
            if ($apiKey === null) {
                throw new \InvalidArgumentException("$operation needs an apiKey, and this client was made without one.");
            }
            $headers['x-api-key'] = $apiKey;
        }
        if (isset($options['correlationId'])) {
            $headers['x-correlation-id'] = self::printable($options['correlationId']);
        }
        $body = null;
        if (isset($parts['body'])) {
            self::requireFields($operation, $facts['required'], $parts['body']);
            $headers['content-type'] = 'application/json';
            $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;
            $body = json_encode((object) self::encoded($parts['body'], 'body'), $flags);
        }
        $timeout = $options['timeoutSeconds'] ?? $facts['timeoutSeconds'] ?? $this->settings->timeoutSeconds;
        return [$method, $url, $headers, $body, Settings::checkedTimeout($timeout)];
    }

    /** @param list<string> $required */
    private static function requireFields(string $operation, array $required, array $body): void
    {
        foreach ($required as $name) {
            if (!isset($body[$name]) || $body[$name] === '') {
                throw new \InvalidArgumentException("$operation needs the field $name.");
            }
        }
    }

    /**
     * A value as JSON has it. A time is sent with its offset.
     *
     * @param mixed $value
     * @return mixed
     * @throws \InvalidArgumentException for a float
     */
    private static function encoded($value, string $place)
    {
        if (is_float($value)) {
            throw new \InvalidArgumentException("$place is a float: a float cannot hold most amounts exactly. Use a string like \"12.50\".");
        }
        if ($value instanceof \DateTimeInterface) {
            return $value->format('Y-m-d\TH:i:s.vP');
        }
        if (!is_array($value)) {
            return $value;
        }
        $encoded = [];
        foreach ($value as $key => $item) {
            $encoded[$key] = self::encoded($item, "$place.$key");
        }
        return $encoded;
    }

    /** @param mixed $value */
    private static function segment(string $name, $value): string
    {
        if (!is_string($value) || in_array($value, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException("$name must be the text that the service answered.");
        }
        return rawurlencode($value);
    }

    private static function printable(string $text): string
    {
        if (preg_match('/^[\x20-\x7e]{1,128}$/D', $text) !== 1) {
            throw new \InvalidArgumentException('correlationId must be at most 128 printable ASCII characters.');
        }
        return $text;
    }
}
