<?php

// What the pages of the shop's people call.

declare(strict_types=1);

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_attr(string $text): string
{
    return esc_html($text);
}

function esc_url(string $text): string
{
    return esc_html($text);
}

function esc_html__(string $text): string
{
    return esc_html($text);
}

function admin_url(string $path): string
{
    return "https://shop.example/wp-admin/$path";
}

function current_user_can(): bool
{
    return true;
}

function get_current_user_id(): int
{
    return 1;
}

function get_transient(): bool
{
    return false;
}

function submit_button(string $label): void
{
    echo '<button>' . esc_html($label) . '</button>';
}

function wp_nonce_field(): void
{
}

/** The text that work prints. */
function printed(callable $work): string
{
    ob_start();
    $work();
    return (string) ob_get_clean();
}
