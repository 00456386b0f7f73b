<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Automattic\WooCommerce\Caches\OrderCache;
use Automattic\WooCommerce\Utilities\OrderUtil;

/** Reads orders. */
final class Orders
{
    /** The order as the database has it now, past every cache of this process; null if it is deleted. */
    public static function fresh(int $orderId): ?\WC_Order
    {
        clean_post_cache($orderId);
        if (OrderUtil::orders_cache_usage_is_enabled()) {
            wc_get_container()->get(OrderCache::class)->remove($orderId);
        }
        $store = \WC_Data_Store::load('order');
        if ($store->has_callable('clear_cached_data')) {
            $store->clear_cached_data([$orderId]);
        }
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order) {
            return null;
        }
        $order->read_meta_data(true);
        return $order;
    }

    public static function isDaric(\WC_Order $order): bool
    {
        return $order->get_payment_method() === Plugin::GATEWAY;
    }

    /**
     * An order that a person sets back to waiting for payment keeps its date of payment. It is paid nevertheless if Daric's money paid
     * it.
     */
    public static function isPaid(\WC_Order $order): bool
    {
        return $order->is_paid() || ($order->get_date_paid() !== null && (!$order->needs_payment() || self::hasPayment($order)));
    }

    /** Whether the customer may go to the payment page. An order on hold may still get the rest of a short payment. */
    public static function isPayable(\WC_Order $order): bool
    {
        $mayPay = $order->needs_payment() || ($order->has_status('on-hold') && !self::isPaid($order));
        // No money makes an order that was cancelled one to deliver.
        return $mayPay && self::isDaric($order) && (string) $order->get_meta(Attempts::TASK_META) !== Judgement::TASK_CANCELED;
    }

    /** Whether a charge paid the order by itself, and not a person that took less or late money. */
    private static function hasPayment(\WC_Order $order): bool
    {
        $attempt = Attempts::find($order, (string) $order->get_meta(Attempts::PAID_META));
        return $attempt !== null && in_array($attempt['state'], Judgement::PAYS, true);
    }

    /** Whether a price is the rounded total of the order now. */
    public static function isPrice(\WC_Order $order, ?string $amount, ?string $currency): bool
    {
        try {
            return Total::ofOrder($order)->equals($amount, $currency);
        } catch (\InvalidArgumentException $_) {
            return false;
        }
    }

    /** Whether money of this charge, or of a rest of it, goes or went back. The other coin is no part of it. */
    public static function hasRefund(\WC_Order $order, array $attempt): bool
    {
        return RefundRecords::ofAttempt($order, $attempt) !== [];
    }

    /** The order got the status of a paid one: the newest money by Daric is its price then, final or not, if Daric is its method. */
    public static function settle(int $orderId): void
    {
        $order = wc_get_order($orderId);
        $withMoney = !$order instanceof \WC_Order ? [] : array_filter(Attempts::of($order), static function (array $attempt): bool {
            return Judgement::hasMoney($attempt['state']);
        });
        if ($withMoney === []) {
            return;
        }
        if (self::isDaric($order) && (string) $order->get_meta(Attempts::PAID_META) === '') {
            $order->update_meta_data(Attempts::PAID_META, end($withMoney)['chargeId']);
        }
        $paidBy = (string) $order->get_meta(Attempts::PAID_META);
        $isSpare = array_filter($withMoney, static function (array $attempt) use ($order, $paidBy): bool {
            return $attempt['state'] !== Judgement::SEEN && $attempt['chargeId'] !== $paidBy && !self::hasRefund($order, $attempt);
        }) !== [];
        $task = Judgement::taskOfPaid((string) $order->get_meta(Attempts::TASK_META), $isSpare);
        $order->update_meta_data(Attempts::TASK_META, $task);
        $order->save_meta_data();
    }

    /** A person lets the customer pay a cancelled order anew: it is an order as any other then. */
    public static function reopen(int $orderId): void
    {
        $order = wc_get_order($orderId);
        if ($order instanceof \WC_Order && (string) $order->get_meta(Attempts::TASK_META) === Judgement::TASK_CANCELED) {
            $order->update_meta_data(Attempts::TASK_META, '');
            $order->save_meta_data();
        }
    }
}
