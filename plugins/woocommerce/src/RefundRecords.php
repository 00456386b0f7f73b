<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/**
 * The Daric refunds of an order, as one list in its metadata.
 *
 * A record is `{ id, ref, wcRefund, chargeId, amount, currency, fiat, status, txHash, task, isDone }`: `id` is Daric's; `wcRefund` is the
 * number of the WooCommerce refund, and 0 for money that never was part of the price; `amount` is a decimal in `currency`, the coin;
 * `fiat` is the part of the price, `5.00 EUR`, or empty; `isDone` is whether the order has what this status means for it.
 * No record has the claim link: its holder says where the money goes.
 */
final class RefundRecords
{
    public const META = '_daric_refunds';
    /** On a WooCommerce refund: Daric pays it. */
    public const BOUND_META = '_daric_refund';

    /** Nothing is paid yet. */
    public const WAITING = ['REQUESTED', 'READY', 'SENT'];

    /** @return list<array<string, mixed>> oldest first */
    public static function of(\WC_Order $order): array
    {
        $list = json_decode((string) $order->get_meta(self::META), true);
        return is_array($list) ? $list : [];
    }

    /** @return array<string, mixed>|null */
    public static function find(\WC_Order $order, string $id): ?array
    {
        return array_column(self::of($order), null, 'id')[$id] ?? null;
    }

    /** @return list<array<string, mixed>> those of one WooCommerce refund */
    public static function ofRefund(\WC_Order $order, int $wcRefund): array
    {
        return array_values(array_filter(self::of($order), static function (array $record) use ($wcRefund): bool {
            return $record['wcRefund'] === $wcRefund;
        }));
    }

    /**
     * Those of an attempt's coin, of its charge or of a rest, that are not canceled. A rest that no attempt names may be of each one.
     *
     * @return list<array<string, mixed>>
     */
    public static function ofAttempt(\WC_Order $order, array $attempt): array
    {
        $others = [];
        foreach (Attempts::of($order) as $other) {
            $others = array_merge($others, $other['chargeId'] === $attempt['chargeId'] ? [] : Attempts::charges($other));
        }
        return array_values(array_filter(self::of($order), static function (array $record) use ($attempt, $others): bool {
            $isOfThis = $record['currency'] === $attempt['coin'] && !in_array($record['chargeId'], $others, true);
            return $isOfThis && $record['status'] !== 'CANCELED';
        }));
    }

    /** Whether a WooCommerce refund of this order waits for its payment by Daric. */
    public static function isAnyWaiting(\WC_Order $order): bool
    {
        foreach (self::of($order) as $record) {
            if ($record['wcRefund'] > 0 && self::isWaiting($record)) {
                return true;
            }
        }
        return false;
    }

    /** Whether WooCommerce has refunds of the whole total. */
    public static function isNothingLeft(\WC_Order $order): bool
    {
        $left = (string) $order->get_remaining_refund_amount();
        return strpos($left, '-') === 0 || preg_match('/[1-9]/', $left) !== 1;
    }

    public static function isWaiting(array $record): bool
    {
        return in_array($record['status'], self::WAITING, true);
    }

    /**
     * Whether the refund is of money for this very order. A copied order has the records of the one that it comes from, whose refunds go on
     * there. The refund of a rest that no attempt knows has its own reference alone.
     */
    public static function isOfShop(\WC_Order $order, array $record, string $shopId): bool
    {
        foreach (Attempts::of($order) as $attempt) {
            if (in_array($record['chargeId'], Attempts::charges($attempt), true)) {
                $ref = Attempts::parseRef($shopId, $attempt['orderRef']);
                return $ref !== null && $ref['orderId'] === $order->get_id();
            }
        }
        return $shopId !== '' && strpos($record['ref'], "wc-$shopId-{$order->get_id()}-") === 0;
    }

    /**
     * Takes what Daric answered about a refund, in the place of what was known. The caller saves the order.
     *
     * @param array<string, mixed> $refund a row of Daric
     * @return array<string, mixed> the record
     */
    public static function put(\WC_Order $order, array $refund, int $wcRefund, string $task = '', bool $isDone = true): array
    {
        $records = array_column(self::of($order), null, 'id');
        $record = [
            'id' => $refund['id'],
            'ref' => (string) $refund['refund_ref'],
            'wcRefund' => $wcRefund,
            'chargeId' => $refund['deposit_address_id'],
            'amount' => $refund['paid_amount'] ?? $refund['amount'],
            'currency' => $refund['currency'],
            'fiat' => $refund['fiat_amount'] === null ? '' : "{$refund['fiat_amount']} {$order->get_currency()}",
            'status' => $refund['status'],
            'txHash' => (string) $refund['tx_hash'],
            'task' => $task,
            'isDone' => $isDone,
        ];
        $records[$record['id']] = $record;
        self::store($order, $records);
        return $record;
    }

    /** Notes that the order has what the refund's status means for it. The caller saves the order. */
    public static function markDone(\WC_Order $order, string $id): void
    {
        $records = array_column(self::of($order), null, 'id');
        $records[$id]['isDone'] = true;
        self::store($order, $records);
    }

    private static function store(\WC_Order $order, array $records): void
    {
        $order->update_meta_data(self::META, (string) wp_json_encode(array_values($records)));
    }

    /** What goes back, for people: `5.41 USDT (5.00 EUR)`. */
    public static function words(array $record): string
    {
        return "{$record['amount']} {$record['currency']}" . ($record['fiat'] === '' ? '' : " ({$record['fiat']})");
    }

    /** The reference of a WooCommerce refund. `$part` counts the charges that paid the order. */
    public static function refOfRefund(string $shopId, int $orderId, int $wcRefund, int $part): string
    {
        return "wc-$shopId-$orderId-r$wcRefund" . ($part === 1 ? '' : "-$part");
    }

    /** @return int|null the number of the WooCommerce refund; null for another reference */
    public static function parseRef(string $shopId, int $orderId, ?string $ref): ?int
    {
        $pattern = '/^' . preg_quote("wc-$shopId-$orderId-r", '/') . '([1-9][0-9]{0,17})(?:-[2-9])?$/D';
        return preg_match($pattern, (string) $ref, $parts) === 1 ? (int) $parts[1] : null;
    }

    /** The reference of money that the order box returns: `wc-<shop>-<order>-m-<charge>-<coin>-<number>`. */
    public static function refOfBox(string $shopId, int $orderId, string $chargeId, string $coin, int $number): string
    {
        return "wc-$shopId-$orderId-m-" . substr($chargeId, -12) . "-$coin-$number";
    }

    public static function isOfBox(string $shopId, int $orderId, ?string $ref): bool
    {
        return strpos((string) $ref, "wc-$shopId-$orderId-m-") === 0;
    }
}
