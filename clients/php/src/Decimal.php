<?php

declare(strict_types=1);

namespace Daric;

/** Decimals as exact texts, and never as floats. */
final class Decimal
{
    /** The canonical form of a decimal: `12.5` for `12.50` and for `012.5`. Null for any other value. */
    public static function canonical($text): ?string
    {
        // Every price has fewer digits on each side of the point.
        if (!is_string($text) || preg_match('/^([0-9]{1,64})(?:\.([0-9]{1,64}))?$/D', $text, $parts) !== 1) {
            return null;
        }
        $digits = ltrim($parts[1], '0');
        $rest = rtrim($parts[2] ?? '', '0');
        return ($digits === '' ? '0' : $digits) . ($rest === '' ? '' : ".$rest");
    }
}
