<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** Amounts of a coin in its smallest part, a millionth, as whole numbers: 9 billion billion of them fit. */
final class Micros
{
    private const DECIMALS = 6;

    /** @throws \InvalidArgumentException if the text is no decimal of a coin */
    public static function of(string $amount): int
    {
        if (preg_match('/^([0-9]{1,12})(?:\.([0-9]{1,6}))?$/D', $amount, $parts) !== 1) {
            throw new \InvalidArgumentException("\"$amount\" is no amount of a coin.");
        }
        return (int) ($parts[1] . str_pad($parts[2] ?? '', self::DECIMALS, '0'));
    }

    /** The decimal of an amount that is not below zero. */
    public static function decimal(int $micros): string
    {
        $digits = str_pad((string) $micros, self::DECIMALS + 1, '0', STR_PAD_LEFT);
        return substr($digits, 0, -self::DECIMALS) . '.' . substr($digits, -self::DECIMALS);
    }
}
