<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** Addresses: this site's own, and that of Daric. */
final class Site
{
    private const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

    /** The address of this site, without the filters of plugins for languages. */
    public static function now(): string
    {
        return untrailingslashit((string) get_option('home'));
    }

    /**
     * An address as it is stored. Each tool that copies a site replaces its old address in the whole database: this form it does not find,
     * so that the copy still knows where it comes from.
     */
    public static function hidden(string $address): string
    {
        return bin2hex($address);
    }

    /** The address of its stored form; empty for any other text. */
    public static function shown(string $hidden): string
    {
        return preg_match('/^(?:[0-9a-f]{2})+$/D', $hidden) === 1 ? (string) hex2bin($hidden) : '';
    }

    /** Whether both are one site: http and https are. */
    public static function isSame(string $one, string $other): bool
    {
        $plain = static function (string $address): string {
            return strtolower((string) preg_replace('~^https?://~i', '', $address));
        };
        return $plain($one) === $plain($other);
    }

    /**
     * The address of Daric in one form: `https://pay.example.com`.
     *
     * @throws \InvalidArgumentException it says in words what is wrong
     */
    public static function checkedBaseUrl(string $text): string
    {
        $parts = wp_parse_url(trim($text));
        $host = is_array($parts) ? strtolower($parts['host'] ?? '') : '';
        $scheme = is_array($parts) ? strtolower($parts['scheme'] ?? '') : '';
        if ($host === '' || !in_array($scheme, ['http', 'https'], true)) {
            throw new \InvalidArgumentException(__('The address of Daric looks like https://pay.example.com.', 'daric'));
        }
        $isLonger = isset($parts['query']) || isset($parts['fragment']) || isset($parts['user']);
        if ($isLonger || !in_array($parts['path'] ?? '', ['', '/'], true)) {
            throw new \InvalidArgumentException(__('The address of Daric ends after its host: https://pay.example.com, without a path.', 'daric'));
        }
        if ($scheme === 'http' && !in_array($host, self::LOOPBACK, true)) {
            throw new \InvalidArgumentException(__('The address of Daric must begin with https://, because a key goes there.', 'daric'));
        }
        return "$scheme://$host" . (isset($parts['port']) ? ":{$parts['port']}" : '');
    }
}
