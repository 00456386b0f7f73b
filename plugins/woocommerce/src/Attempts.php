<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/**
 * The charges of an order: one for each attempt to pay it.
 *
 * An attempt is `{ number, orderRef, chargeId, merchantId, checkoutUrl, amount, currency, coin, expiresAt, state, received, surplus,
 * rests }`. `amount` is the rounded total in `currency`, the order's own; `coin` is what the customer sends; `expiresAt` is a Unix time;
 * `state` is one of Judgement's. `chargeId` is empty while the answer of the create is not known. The last three are absent until the
 * charge is judged: its final money with that of its rests, what came too much of it, both in `coin`, and the ids of the rests.
 */
final class Attempts
{
    /** A list of attempts, oldest first, as JSON. */
    public const META = '_daric_attempts';
    /** The id of the newest charge, to search for. */
    public const CHARGE_META = '_daric_charge';
    /** The id of the charge that paid the order. */
    public const PAID_META = '_daric_paid_by';
    /** The newest charge as last read, as JSON: see Facts. */
    public const FACTS_META = '_daric_facts';
    /** What a person must do: one of Judgement's tasks; empty if nothing. */
    public const TASK_META = '_daric_task';
    /** The ids of the newest events that were handled, as JSON. */
    public const EVENTS_META = '_daric_events';

    private const MAX_EVENTS = 100;
    private const MAX_NAME = 40;

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

    /** @return array<string, mixed>|null the attempt of this charge */
    public static function find(\WC_Order $order, string $chargeId): ?array
    {
        foreach (self::of($order) as $attempt) {
            if ($chargeId !== '' && $attempt['chargeId'] === $chargeId) {
                return $attempt;
            }
        }
        return null;
    }

    /** @return list<array<string, mixed>> those of the connected merchant: the key cannot see others */
    public static function ofMerchant(\WC_Order $order, string $merchantId): array
    {
        return array_values(array_filter(self::of($order), static function (array $attempt) use ($merchantId): bool {
            return $attempt['merchantId'] === $merchantId;
        }));
    }

    /** Takes the charge that Daric answered into its attempt. */
    public static function filled(array $attempt, array $charge): array
    {
        return array_merge($attempt, [
            'chargeId' => $charge['id'],
            'checkoutUrl' => (string) $charge['checkout_url'],
            'expiresAt' => (int) strtotime((string) $charge['expires_at']),
            // The answer of a create has no payment_status: a new charge has no money.
            'state' => isset($charge['payment_status']) ? Judgement::stateOf($charge) : Judgement::OPEN_STATE,
        ]);
    }

    /** @return list<string> the ids of the charge and of its rests */
    public static function charges(array $attempt): array
    {
        return array_merge([$attempt['chargeId']], $attempt['rests'] ?? []);
    }

    /** Puts an attempt in the place of the one with its number, or behind all. The caller saves the order. */
    public static function put(\WC_Order $order, array $attempt): void
    {
        $byNumber = array_column(self::of($order), null, 'number');
        $byNumber[$attempt['number']] = $attempt;
        ksort($byNumber);
        $order->update_meta_data(self::META, (string) wp_json_encode(array_values($byNumber)));
        $order->update_meta_data(self::CHARGE_META, (string) end($byNumber)['chargeId']);
    }

    /** The number by which the customer knows the order, since Daric's page shows the reference; the brackets are for this plugin. */
    public static function orderRef(string $shopId, \WC_Order $order, int $number): string
    {
        $name = mb_substr((string) $order->get_order_number(), 0, self::MAX_NAME);
        return "$name (wc-$shopId-{$order->get_id()}-$number)";
    }

    /** @return array{orderId: int, number: int}|null null for a reference of another shop */
    public static function parseRef(string $shopId, ?string $orderRef): ?array
    {
        $pattern = '/ \(wc-' . preg_quote($shopId, '/') . '-([1-9][0-9]{0,17})-([1-9][0-9]{0,5})\)$/D';
        if ($shopId === '' || preg_match($pattern, (string) $orderRef, $parts) !== 1) {
            return null;
        }
        return ['orderId' => (int) $parts[1], 'number' => (int) $parts[2]];
    }

    /** @return array{shop: string, order: string, key: string} */
    public static function metadata(string $shopId, \WC_Order $order): array
    {
        return ['shop' => $shopId, 'order' => (string) $order->get_id(), 'key' => self::keyHash($order)];
    }

    /** Whether a charge was made for this very order, and not for one that had its number before. */
    public static function isOwn(array $charge, string $shopId, \WC_Order $order): bool
    {
        $metadata = $charge['metadata'] ?? null;
        return is_array($metadata) && ($metadata['shop'] ?? '') === $shopId
            && hash_equals(self::keyHash($order), (string) ($metadata['key'] ?? ''));
    }

    public static function isHandled(\WC_Order $order, string $eventId): bool
    {
        return in_array($eventId, self::events($order), true);
    }

    /** @param list<string> $eventIds The caller saves the order. */
    public static function markHandled(\WC_Order $order, array $eventIds): void
    {
        $all = array_slice(array_merge(self::events($order), $eventIds), -self::MAX_EVENTS);
        $order->update_meta_data(self::EVENTS_META, (string) wp_json_encode($all));
    }

    /** @return list<string> */
    private static function events(\WC_Order $order): array
    {
        $list = json_decode((string) $order->get_meta(self::EVENTS_META), true);
        return is_array($list) ? $list : [];
    }

    private static function keyHash(\WC_Order $order): string
    {
        return hash('sha256', $order->get_order_key());
    }
}
