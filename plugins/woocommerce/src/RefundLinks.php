<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

use Daric\DaricException;

defined('ABSPATH') || exit;

/** The refunds of an order in My account, with the link of each that still needs an address. */
final class RefundLinks
{
    private const TIMEOUT_SECONDS = 5.0;
    /** More calls would slow the page. */
    private const MAX_CALLS = 3;

    private Connection $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    /** Hook `woocommerce_view_order`: WooCommerce has checked that the order is this customer's. */
    public function show(int $orderId): void
    {
        $order = wc_get_order($orderId);
        $records = $order instanceof \WC_Order ? array_filter(RefundRecords::of($order), static function (array $record): bool {
            return $record['status'] !== 'CANCELED';
        }) : [];
        if ($records === []) {
            return;
        }
        echo '<section class="daric-refunds"><h2>' . esc_html__('Your refund', 'daric') . '</h2>';
        $calls = 0;
        foreach ($records as $record) {
            $isRead = $record['status'] === 'REQUESTED' && RefundRecords::isOfShop($order, $record, $this->connection->shopId());
            $refund = $isRead && $calls++ < self::MAX_CALLS ? $this->read($record['id']) : null;
            echo '<p><strong>' . esc_html(RefundRecords::words($record)) . '</strong> – ' . esc_html(self::words($record, $refund)) . '</p>';
            if ($refund !== null && $refund['address'] === null && $refund['claim_url'] !== null) {
                echo '<p><a class="woocommerce-button button" href="' . esc_url($refund['claim_url']) . '">' . esc_html__('Say where the money goes', 'daric') . '</a></p>';
            }
        }
        echo '</section>';
    }

    /** @param array<string, mixed>|null $refund as Daric answers it now */
    private static function words(array $record, ?array $refund): string
    {
        if ($record['status'] === 'COMPLETED') {
            /* translators: %s: id of a transaction */
            return sprintf(__('Paid. Transaction: %s.', 'daric'), $record['txHash']);
        }
        if ($refund !== null && $refund['address'] === null) {
            return __('We need an address of yours on the TRON network.', 'daric');
        }
        return __('The shop will pay it to the address that you named.', 'daric');
    }

    private function read(string $id): ?array
    {
        try {
            return $this->connection->obstacle() === null ? $this->connection->api(self::TIMEOUT_SECONDS, 0)->retrieveRefund($id) : null;
        } catch (DaricException $fault) {
            Log::info("The refund $id was not read for My account: {$fault->errorCode}");
            return null;
        }
    }
}
