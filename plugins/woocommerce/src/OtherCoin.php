<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/**
 * Money of the coin that an order is not in, apart from the order's task: a payment in the right coin does not end it.
 *
 * `{ charge's id: { coin, refunds } }`: `refunds` is how many refunds of that coin the charge had when the money came.
 */
final class OtherCoin
{
    public const META = '_daric_other_coin';

    /**
     * Takes an event of such money. The caller saves the order.
     *
     * @param array<string, mixed> $event a deposit.unmatched
     */
    public static function came(\WC_Order $order, array $event): void
    {
        ['depositAddressId' => $chargeId, 'currency' => $coin] = $event['data'];
        $all = self::of($order);
        $all[$chargeId] = ['coin' => $coin, 'refunds' => self::refunds($order, $chargeId, $coin)];
        $order->update_meta_data(self::META, (string) wp_json_encode($all));
    }

    /** @return list<string> the ids of the charges whose money of the other coin is not asked back */
    public static function charges(\WC_Order $order): array
    {
        $ids = [];
        foreach (self::of($order) as $chargeId => $money) {
            if (self::refunds($order, (string) $chargeId, $money['coin']) <= $money['refunds']) {
                $ids[] = (string) $chargeId;
            }
        }
        return $ids;
    }

    /** Whether a charge got money of this coin, which its order is not in. */
    public static function isOf(\WC_Order $order, string $chargeId, string $coin): bool
    {
        return (self::of($order)[$chargeId]['coin'] ?? '') === $coin;
    }

    private static function of(\WC_Order $order): array
    {
        $all = json_decode((string) $order->get_meta(self::META), true);
        return is_array($all) ? $all : [];
    }

    private static function refunds(\WC_Order $order, string $chargeId, string $coin): int
    {
        return count(array_filter(RefundRecords::of($order), static function (array $record) use ($chargeId, $coin): bool {
            return $record['chargeId'] === $chargeId && $record['currency'] === $coin && $record['status'] !== 'CANCELED';
        }));
    }
}
