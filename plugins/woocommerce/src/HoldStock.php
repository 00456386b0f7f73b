<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** Answers to WooCommerce about the stock of unpaid orders. */
final class HoldStock
{
    /** A shop that is disconnected for longer than a day after the end of a charge does not ask any more. */
    private const UNASKED_SECONDS = 86400;
    /** Open states in which money was seen. */
    private const WITH_MONEY = [Judgement::SEEN, Judgement::SHORT];

    /**
     * Whether WooCommerce's timer may cancel an unpaid order: not while money may be on its way.
     *
     * @param bool $mayCancel what others answered
     */
    public static function mayCancel($mayCancel, \WC_Order $order): bool
    {
        $connection = Connection::current();
        if (!$mayCancel || !Orders::isDaric($order) || !self::mayHaveMoney($order, $connection->merchantId())) {
            return (bool) $mayCancel;
        }
        // Before the end of the newest charge there is nothing to ask. After it Daric knows whether money came.
        $end = max(array_column(Attempts::of($order), 'expiresAt'));
        if (time() <= $end) {
            return false;
        }
        if ($connection->obstacle() === Connection::NOT_CONNECTED) {
            return time() > $end + self::UNASKED_SECONDS && !self::mayHaveMoney($order, $connection->merchantId(), self::WITH_MONEY);
        }
        (new OrderWork($connection))->lookAtOpen($order);
        $now = Orders::fresh($order->get_id());
        return $now !== null && $now->has_status('pending') && !self::mayHaveMoney($now, $connection->merchantId());
    }

    /**
     * Whether an order takes its stock now. Money for a cancelled order brings it on hold without stock, which may be sold: a person
     * decides, and the status that the person sets takes it.
     *
     * @param bool $mayReduce what others answered
     * @param int $orderId
     */
    public static function mayReduce($mayReduce, $orderId): bool
    {
        $order = $mayReduce ? wc_get_order($orderId) : false;
        if (!$order instanceof \WC_Order || !$order->has_status('on-hold')) {
            return (bool) $mayReduce;
        }
        return (string) $order->get_meta(Attempts::TASK_META) !== Judgement::TASK_CANCELED;
    }

    /** Whether a charge of an unpaid order is in one of these open states, or has money that should have paid it and does not go back. */
    private static function mayHaveMoney(\WC_Order $order, string $merchantId, array $open = Judgement::OPEN): bool
    {
        foreach (Attempts::ofMerchant($order, $merchantId) as $attempt) {
            $isPaying = in_array($attempt['state'], Judgement::PAYS, true) && !Orders::hasRefund($order, $attempt);
            if ($isPaying || in_array($attempt['state'], $open, true)) {
                return true;
            }
        }
        return false;
    }
}
