<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** A refund over the charges that paid an order together: a short one, and its rest. Amounts are millionths of the coin. */
final class RefundSplit
{
    /**
     * Takes from each charge what it has, in turn.
     *
     * @param array<string, int> $left what each charge has left
     * @return array<string, int> what to refund of each; empty if all have less than that together
     */
    public static function over(array $left, int $wanted): array
    {
        $parts = [];
        foreach ($left as $chargeId => $units) {
            $parts[$chargeId] = min(max($units, 0), $wanted);
            $wanted -= $parts[$chargeId];
        }
        return $wanted === 0 ? array_filter($parts) : [];
    }

    /**
     * The coins of a part of the price, rounded down, as Daric counts them.
     *
     * @param array<string, mixed> $charge the order's own charge
     * @return int|null null for another currency, and for numbers that no whole number of PHP holds
     */
    public static function coinsOf(Total $part, array $charge): ?int
    {
        if ($part->currency === $charge['currency']) {
            return Micros::of($part->amount);
        }
        if ($part->currency !== $charge['fiat_currency']) {
            return null;
        }
        $units = static function (Total $amount): int {
            return (int) str_replace('.', '', $amount->amount);
        };
        $product = $units($part) * Micros::of((string) $charge['amount_due']);
        return is_int($product) ? intdiv($product, $units(Total::of((string) $charge['fiat_amount'], $part->currency))) : null;
    }
}
