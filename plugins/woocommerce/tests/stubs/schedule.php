<?php

// What connecting calls beside options and Daric.

declare(strict_types=1);

function rest_url(string $path): string
{
    return "https://shop.example/wp-json/$path";
}

function wp_parse_url(string $url)
{
    return parse_url($url);
}

function wp_generate_password(int $length): string
{
    return substr(str_repeat('N', $length), 0, $length);
}

function as_has_scheduled_action(): bool
{
    return false;
}

function as_schedule_recurring_action(): void
{
    TestSite::$options['test_schedule'] = true;
}
