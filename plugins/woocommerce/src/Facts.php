<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/**
 * The newest charge of an order as it was last read: `{ chargeId, state, address, amountReceived, amountPending, amountDue, currency,
 * txHashes, confirmations, requiredConfirmations, expiresAt, readAt }`. Amounts are decimals in `currency`, the coin, of the charge and its
 * rests together; times are Unix times.
 */
final class Facts
{
    /** @return array<string, mixed> empty if no charge was read yet */
    public static function of(\WC_Order $order): array
    {
        $facts = json_decode((string) $order->get_meta(Attempts::FACTS_META), true);
        return is_array($facts) ? $facts : [];
    }

    /**
     * Takes what Daric answered. The caller saves the order.
     *
     * @param array<string, mixed> $charge
     * @param list<array<string, mixed>> $deposits newest first
     */
    public static function put(\WC_Order $order, string $state, array $charge, array $deposits): void
    {
        $newest = $deposits[0] ?? null;
        $order->update_meta_data(Attempts::FACTS_META, (string) wp_json_encode([
            'chargeId' => $charge['id'],
            'state' => $state,
            'address' => $charge['address'],
            'amountReceived' => $charge['amount_received'],
            'amountPending' => $charge['amount_pending'],
            'amountDue' => $charge['amount_due'],
            'currency' => $charge['currency'],
            'txHashes' => array_values(array_unique(array_column($deposits, 'tx_hash'))),
            'confirmations' => $newest['confirmations'] ?? 0,
            'requiredConfirmations' => $newest['required_confirmations'] ?? 0,
            'expiresAt' => (int) strtotime((string) $charge['expires_at']),
            'readAt' => time(),
        ]));
    }
}
