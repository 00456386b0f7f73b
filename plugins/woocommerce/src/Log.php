<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** WooCommerce's log, source `daric`. No key, secret, token or link to a payment page may be in a message. */
final class Log
{
    public static function info(string $message): void
    {
        wc_get_logger()->info($message, ['source' => 'daric']);
    }

    public static function warning(string $message): void
    {
        wc_get_logger()->warning($message, ['source' => 'daric']);
    }
}
