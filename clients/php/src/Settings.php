<?php

declare(strict_types=1);

namespace Daric;

/** The validated options of a client. */
final class Settings
{
    /** The version of this package. */
    public const VERSION = '0.1.0';

    private const MAX_RETRIES = 10;
    private const MAX_SECONDS = 2147483;

    public string $baseUrl;
    /** `test` or `live`, as the key says; null without a key. */
    public ?string $environment;
    public float $timeoutSeconds;
    public int $maxRetries;
    public string $userAgent;
    public Transport $transport;
    /** @var callable(string): void */
    public $warn;
    /** In a function, so that no dump of a client shows it. */
    private \Closure $apiKey;

    /** @throws \InvalidArgumentException for an option that cannot work: a base URL that ends with /v1, a malformed key */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter]
        ?string $apiKey,
        array $options
    ) {
        $known = ['timeoutSeconds', 'maxRetries', 'userAgent', 'transport', 'warn'];
        foreach (array_diff(array_keys($options), $known) as $name) {
            throw new \InvalidArgumentException("There is no option $name; there are " . implode(', ', $known) . '.');
        }
        $this->baseUrl = self::checkedBaseUrl($baseUrl);
        $this->environment = self::environmentOf($apiKey);
        $this->apiKey = static function () use ($apiKey): ?string {
            return $apiKey;
        };
        $this->timeoutSeconds = self::checkedTimeout($options['timeoutSeconds'] ?? 15);
        $this->maxRetries = self::checkedRetries($options['maxRetries'] ?? 2);
        $this->userAgent = trim('daric-php/' . self::VERSION . ' ' . ($options['userAgent'] ?? ''));
        $this->transport = $options['transport'] ?? self::curl();
        $this->warn = $options['warn'] ?? static function (string $message): void {
            error_log($message);
        };
    }

    public function apiKey(): ?string
    {
        return ($this->apiKey)();
    }

    public function origin(): string
    {
        return implode('/', array_slice(explode('/', $this->baseUrl), 0, 3));
    }

    /** @param mixed $seconds */
    public static function checkedTimeout($seconds): float
    {
        if ((is_int($seconds) || is_float($seconds)) && $seconds > 0 && $seconds <= self::MAX_SECONDS) {
            return (float) $seconds;
        }
        throw new \InvalidArgumentException('timeoutSeconds must be a number of seconds above 0.');
    }

    /** @param mixed $retries */
    private static function checkedRetries($retries): int
    {
        if (is_int($retries) && $retries >= 0 && $retries <= self::MAX_RETRIES) {
            return $retries;
        }
        throw new \InvalidArgumentException('maxRetries must be a whole number from 0 to ' . self::MAX_RETRIES . '.');
    }

    private static function curl(): Transport
    {
        if (!extension_loaded('curl')) {
            throw new \InvalidArgumentException('ext-curl is missing: install it, or give the option transport.');
        }
        return new CurlTransport();
    }

    private static function checkedBaseUrl(string $text): string
    {
        $parts = parse_url($text);
        $scheme = $parts['scheme'] ?? '';
        if ($parts === false || !in_array($scheme, ['http', 'https'], true) || ($parts['host'] ?? '') === '') {
            throw new \InvalidArgumentException("baseUrl must be the URL of the deployment, like https://pay.example.com, not \"$text\".");
        }
        $path = rtrim($parts['path'] ?? '', '/');
        if (substr($path, -3) === '/v1') {
            throw new \InvalidArgumentException('baseUrl must not end with /v1: the client adds it to every path.');
        }
        if (isset($parts['query']) || isset($parts['fragment']) || isset($parts['user'])) {
            throw new \InvalidArgumentException('baseUrl must have no query, fragment or password.');
        }
        return "$scheme://{$parts['host']}" . (isset($parts['port']) ? ":{$parts['port']}" : '') . $path;
    }

    private static function environmentOf(
        #[\SensitiveParameter]
        ?string $apiKey
    ): ?string {
        if ($apiKey === null) {
            return null;
        }
        if (preg_match('/^daric_(test|live)_sk_[0-9A-Za-z]+_[0-9A-Za-z]+$/D', $apiKey, $parts) === 1) {
            return $parts[1];
        }
        throw new \InvalidArgumentException(
            strpos($apiKey, 'whsec_') === 0
                ? 'apiKey is the secret of a webhook endpoint: it goes to Webhook::verify. A key begins with daric_test_sk_ or daric_live_sk_.'
                : 'apiKey is not in the form of a key: daric_test_sk_… or daric_live_sk_…, without blanks around it.'
        );
    }
}
