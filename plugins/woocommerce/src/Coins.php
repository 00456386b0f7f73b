<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** USDT and TRX as currencies of WooCommerce, for shops with prices in a coin. */
final class Coins
{
    /** @param array<string, string> $currencies */
    public static function names($currencies): array
    {
        return $currencies + ['USDT' => __('Tether USD (USDT)', 'daric'), 'TRX' => __('TRON (TRX)', 'daric')];
    }

    /** @param array<string, string> $symbols */
    public static function symbols($symbols): array
    {
        return $symbols + ['USDT' => 'USDT', 'TRX' => 'TRX'];
    }
}
