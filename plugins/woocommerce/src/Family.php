<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Daric\Daric;

/**
 * A charge of an order and its rests. A rest asks for what is missing of the charge and of the rests before it; it is no attempt.
 *
 * A family is a list of rows of Daric: the charge, then its rests, the oldest first.
 */
final class Family
{
    /** More charges of one reference are not looked at. */
    private const MAX_CHARGES = 100;
    private const FULL = ['exact', 'over'];
    /** A price in another currency is rounded by up to a cent for a rest, which is less than this in any coin: that is no surplus. */
    private const ROUNDED = 20000;

    /**
     * @param string $chargeId the charge whose family it is; empty for every charge of the reference
     * @return list<array<string, mixed>> empty if Daric does not know the charge
     */
    public static function read(Daric $api, string $orderRef, string $chargeId): array
    {
        $page = $api->listDepositAddresses(['orderRef' => $orderRef, 'kind' => 'order', 'limit' => self::MAX_CHARGES]);
        $charges = array_filter($page['data'], static function (array $charge) use ($chargeId): bool {
            return $chargeId === '' || in_array($chargeId, [$charge['id'], $charge['rest_of']], true);
        });
        // Ids of Daric begin with their time.
        usort($charges, static function (array $one, array $other): int {
            return [$one['rest_of'] !== null, $one['id']] <=> [$other['rest_of'] !== null, $other['id']];
        });
        return $charges;
    }

    /** @return list<array<string, mixed>> those that were made for this very order */
    public static function own(array $charges, string $shopId, \WC_Order $order): array
    {
        return array_values(array_filter($charges, static function (array $charge) use ($shopId, $order): bool {
            return Attempts::isOwn($charge, $shopId, $order);
        }));
    }

    /** Whether a charge may have rests: one that was paid in time has none. */
    public static function mayHaveRests(array $charge): bool
    {
        return $charge['status'] === 'ARCHIVED' && ($charge['payment_state'] === 'under' || $charge['paid_late']);
    }

    /** Whether one of these got all that it asked for. Pure. */
    public static function isAnyFull(array $charges): bool
    {
        return array_intersect(array_column($charges, 'payment_state'), self::FULL) !== [];
    }

    /** Whether more came to a family that paid its order than it asked for. Pure. */
    public static function isOver(array $charges): bool
    {
        $states = array_column($charges, 'payment_state');
        return in_array('over', $states, true) || count(array_intersect($states, self::FULL)) > 1
            || (count($charges) > 1 && self::isAnyFull($charges) && array_sum(self::surplus($charges)) > 0);
    }

    /** The final money, in millionths of the coin. */
    public static function received(array $charges): int
    {
        return array_sum(array_map(static function (array $charge): int {
            return Micros::of($charge['amount_received']);
        }, $charges));
    }

    /**
     * What came too much to a family that paid its order. Pure.
     *
     * @return array<string, int> millionths of the coin by charge
     */
    public static function surplus(array $charges): array
    {
        $surplus = [];
        $isPaid = false;
        foreach ($charges as $at => $charge) {
            // Each one asks for what is missing: behind one that got it, nothing is missing any more.
            $due = $isPaid ? 0 : Micros::of((string) ($charge['amount_due'] ?? '0'));
            $later = array_slice($charges, $at + 1);
            $isPaidLater = $due > 0 && !self::isAnyFull([$charge]) && self::isAnyFull($later);
            // The next one asked for what this one had not got.
            $price = $isPaidLater ? $due - min($due, self::asked($later[0], $charge)) : $due;
            $over = Micros::of($charge['amount_received']) - $price;
            $surplus[$charge['id']] = $over > ($isPaidLater ? self::ROUNDED : 0) ? $over : 0;
            $isPaid = $isPaid || self::isAnyFull([$charge]);
        }
        return $surplus;
    }

    /** What a rest asked for, in millionths of the coin, at the rate of another charge of its family. */
    private static function asked(array $rest, array $charge): int
    {
        $due = Micros::of((string) ($rest['amount_due'] ?? '0'));
        if ($rest['fiat_amount'] === null) {
            return $due;
        }
        return RefundSplit::coinsOf(Total::of((string) $rest['fiat_amount'], (string) $rest['fiat_currency']), $charge) ?? $due;
    }

    /**
     * The row of the charge with the money of its family, for people. Pure.
     *
     * @return array<string, mixed>
     */
    public static function sum(array $charges): array
    {
        $first = $charges[0];
        if (count($charges) === 1) {
            return $first;
        }
        $received = self::received($charges);
        $due = Micros::of((string) ($first['amount_due'] ?? '0'));
        if (self::isAnyFull($charges)) {
            // A rest of a price in another currency has a rate of its own: what was due is what was asked for.
            $due = $received - array_sum(self::surplus($charges));
        }
        return array_merge($first, [
            'amount_received' => Micros::decimal($received),
            'amount_pending' => Micros::decimal(array_sum(array_map([Micros::class, 'of'], array_column($charges, 'amount_pending')))),
            'amount_due' => Micros::decimal($due),
            'payment_state' => self::isOver($charges) ? 'over' : ($received >= $due ? 'exact' : $first['payment_state']),
        ]);
    }
}
