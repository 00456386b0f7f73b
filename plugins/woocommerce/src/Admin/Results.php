<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

defined('ABSPATH') || exit;

/** The result of a person's last button, shown once on the next page. */
final class Results
{
    private const KEEP_SECONDS = 120;

    public static function keep(bool $isGood, string $text): void
    {
        set_transient(self::name(), ['isGood' => $isGood, 'text' => $text], self::KEEP_SECONDS);
    }

    public static function show(): void
    {
        $result = get_transient(self::name());
        if (!is_array($result)) {
            return;
        }
        delete_transient(self::name());
        printf(
            '<div class="notice %s inline" role="%s"><p>%s</p></div>',
            esc_attr($result['isGood'] ? 'notice-success' : 'notice-error'),
            esc_attr($result['isGood'] ? 'status' : 'alert'),
            esc_html($result['text'])
        );
    }

    private static function name(): string
    {
        return 'daric_result_' . get_current_user_id();
    }
}
