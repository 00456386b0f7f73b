<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

use Daric\Transport;
use Daric\TransportException;

/** Sends the client's requests by WordPress, so that its proxy settings and its certificates count. */
final class WordPressTransport implements Transport
{
    private const MAX_BYTES = 4194304;
    /** curl's failures before a connection stood: proxy, name, connection, TLS, certificate. */
    private const UNSENT = '/cURL error (5|6|7|35|60)\b/';

    /** What each client of this site is made with. */
    public static function options(float $timeoutSeconds, int $maxRetries): array
    {
        return [
            'timeoutSeconds' => $timeoutSeconds,
            'maxRetries' => $maxRetries,
            'transport' => new self(),
            'userAgent' => 'woocommerce/' . WC_VERSION,
            'warn' => [Log::class, 'warning'],
        ];
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array
    {
        $answer = wp_remote_request($url, [
            'method' => $method,
            'headers' => $headers,
            'body' => $body,
            'timeout' => $timeoutSeconds,
            'redirection' => 0, // the key must reach no other host
            'limit_response_size' => self::MAX_BYTES,
        ]);
        if (is_wp_error($answer)) {
            $message = $answer->get_error_message();
            $isUnsent = $answer->get_error_code() === 'http_request_not_executed' || preg_match(self::UNSENT, $message) === 1;
            throw new TransportException($message, strpos($message, 'cURL error 28') !== false, $isUnsent);
        }
        $found = [];
        foreach (wp_remote_retrieve_headers($answer) as $name => $value) {
            $found[strtolower((string) $name)] = is_array($value) ? implode(', ', $value) : (string) $value;
        }
        return [
            'status' => (int) wp_remote_retrieve_response_code($answer),
            'headers' => $found,
            'body' => wp_remote_retrieve_body($answer),
        ];
    }
}
