<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

/**
 * The charges of an order: one for each attempt.
 *
 * An attempt is `{ number, orderRef, chargeId, checkoutUrl, amount, currency, coin, environment, madeAt, isOpen }`. `amount` is the
 * rounded total in `currency`, the order's own; `coin` is what the customer sends.
 */
final class Attempts
{
    /** A list of attempts, oldest first, as JSON. */
    public const META = '_daric_attempts';
    /** The id of the newest charge, to search for. */
    public const CHARGE_META = '_daric_charge';
    /** The charge as last read: `state, address, amountReceived, amountDue, currency, txHash, confirmations, requiredConfirmations, restUrl, readAt`, as JSON. */
    public const FACTS_META = '_daric_facts';
    /** What a person must do: `accept_or_refund`, `refund`, `refund_surplus`, `rest`, `other_coin`; empty if nothing. */
    public const TASK_META = '_daric_task';
    /** The ids of the events that were handled, newest last. */
    public const EVENTS_META = '_daric_events';

    /** @return list<array<string, mixed>> oldest first */
    public static function of(\WC_Order $order): array
    {
        $list = json_decode((string) $order->get_meta(self::META), true);
        return is_array($list) ? $list : [];
    }

    /** @return array<string, mixed>|null the newest attempt */
    public static function newest(\WC_Order $order): ?array
    {
        $all = self::of($order);
        return $all === [] ? null : end($all);
    }

    /** Whether the charge is one of this order's attempts, or the rest of one. */
    public static function has(\WC_Order $order, string $chargeId): bool
    {
        return in_array($chargeId, array_column(self::of($order), 'chargeId'), true);
    }

    public static function orderRef(string $shopId, int $orderId, int $number): string
    {
        return "wc-$shopId-$orderId-$number";
    }
}
