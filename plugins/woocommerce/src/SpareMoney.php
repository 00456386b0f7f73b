<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** What of the final money of an order is not asked back. */
final class SpareMoney
{
    /** What is left of an attempt and its rests, in millionths of its coin. */
    public static function left(\WC_Order $order, array $attempt): int
    {
        return Micros::of($attempt['received'] ?? '0') - self::sum(RefundRecords::ofAttempt($order, $attempt));
    }

    /** What is left of a surplus: a refund of the price takes nothing of it. */
    public static function surplus(\WC_Order $order, array $attempt): int
    {
        return Micros::of($attempt['surplus'] ?? '0') - self::sum(array_filter(RefundRecords::ofAttempt($order, $attempt), static function (array $record): bool {
            return $record['wcRefund'] === 0;
        }));
    }

    /** Whether an unpaid order has got money, and all of it is asked back. */
    public static function isAllAsked(\WC_Order $order): bool
    {
        $withMoney = array_filter(Attempts::of($order), static function (array $attempt): bool {
            return Judgement::hasMoney($attempt['state']);
        });
        foreach ($withMoney as $attempt) {
            if ($attempt['state'] === Judgement::SEEN || self::left($order, $attempt) > 0) {
                return false;
            }
        }
        return $withMoney !== [] && !Orders::isPaid($order);
    }

    /** Whether all of it is paid back, and the order waits on hold for nothing. */
    public static function isAllBack(\WC_Order $order): bool
    {
        $waiting = array_filter(RefundRecords::of($order), [RefundRecords::class, 'isWaiting']);
        return $waiting === [] && self::isAllAsked($order) && $order->has_status('on-hold');
    }

    private static function sum(array $records): int
    {
        return array_sum(array_map([Micros::class, 'of'], array_column($records, 'amount')));
    }
}
