<?php

// A WordPress of options, of one process, whose Daric answers as the test says.

declare(strict_types=1);

/** What the test says and what it finds. */
final class TestSite
{
    /** @var array<string, mixed> */
    public static array $options = [];
    /** @var callable(string $path, array $query, string $body): array{0: int, 1: array} a status and a body; status 0 for no answer */
    public static $daric;
    /** @var list<string> the calls of Daric */
    public static array $calls = [];
    /** @var list<string> */
    public static array $warnings = [];
    /** Whether another process holds each lock. */
    public static bool $isLocked = false;

    public static function begin(array $options, callable $daric): void
    {
        [self::$options, self::$daric, self::$calls, self::$warnings, self::$isLocked] = [$options + ['home' => 'https://shop.example'], $daric, [], [], false];
    }
}

define('DB_NAME', 'shop');
define('WC_VERSION', '11.0.1');
$GLOBALS['wpdb'] = new class () {
    public string $prefix = 'wp_';

    public function prepare(string $sql): string
    {
        return $sql;
    }

    public function get_var(): string
    {
        return TestSite::$isLocked ? '0' : '1';
    }

    public function query(): int
    {
        return 1;
    }
};

function get_option(string $name, $default = false)
{
    return TestSite::$options[$name] ?? $default;
}

function update_option(string $name, $value): void
{
    TestSite::$options[$name] = $value;
}

function delete_option(string $name): void
{
    unset(TestSite::$options[$name]);
}

function wp_cache_delete(): void
{
}

function untrailingslashit(string $text): string
{
    return rtrim($text, '/');
}

function wc_get_orders(): array
{
    return [];
}

function wc_get_logger(): object
{
    return new class () {
        public function info(): void
        {
        }

        public function warning(string $message): void
        {
            TestSite::$warnings[] = $message;
        }
    };
}

final class WP_Error
{
    public function get_error_message(): string
    {
        return 'cURL error 28: Operation timed out';
    }

    public function get_error_code(): string
    {
        return 'http_request_failed';
    }
}

/** @return array|WP_Error */
function wp_remote_request(string $url, array $options = [])
{
    $parts = parse_url($url);
    parse_str($parts['query'] ?? '', $query);
    TestSite::$calls[] = $parts['path'] . (isset($query['after']) ? " after {$query['after']}" : '');
    [$status, $body] = (TestSite::$daric)($parts['path'], $query, (string) ($options['body'] ?? ''));
    return $status === 0 ? new WP_Error() : ['status' => $status, 'body' => json_encode(['success' => $status < 400, 'message' => 'No.'] + $body)];
}

function is_wp_error($value): bool
{
    return $value instanceof WP_Error;
}

function wp_remote_retrieve_headers(): array
{
    return ['content-type' => 'application/json'];
}

function wp_remote_retrieve_response_code(array $answer): int
{
    return $answer['status'];
}

function wp_remote_retrieve_body(array $answer): string
{
    return $answer['body'];
}
