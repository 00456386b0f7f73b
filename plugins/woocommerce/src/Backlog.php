<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/**
 * What happened before the first event that is read: after a restore, or while the shop was connected with another merchant.
 *
 * Daric's own lists name the orders, whatever their status and their payment method are now.
 */
final class Backlog
{
    private const TIMEOUT_SECONDS = 10.0;
    private const PAGE_ROWS = 100;
    private const MAX_ORDERS = 100;
    /** An order without a payment for 30 days gets none that counts, and a refund that was asked for before is no news. */
    private const NEWS_SECONDS = 2592000;

    private Connection $connection;
    private int $until;

    /** @param int $until a Unix time, after which nothing more is read */
    public function __construct(Connection $connection, int $until)
    {
        $this->connection = $connection;
        $this->until = $until;
    }

    /** @throws \Daric\DaricException if Daric does not list what it has */
    public function read(): void
    {
        $isWhole = $this->refunds() && $this->unpaid() && $this->deposits();
        if (!$isWhole) {
            Log::warning('There was no time to look at all orders of before. Open those whose payment or refund is missing.');
        }
    }

    /** Money that came, also late and for an order that is closed, cancelled or paid otherwise. */
    private function deposits(): bool
    {
        $from = gmdate('Y-m-d\TH:i:s\Z', time() - self::NEWS_SECONDS);
        $seen = [];
        foreach ($this->connection->api(self::TIMEOUT_SECONDS)->allDeposits(['from' => $from, 'limit' => self::PAGE_ROWS]) as $deposit) {
            if (time() >= $this->until) {
                return false;
            }
            $chargeId = $deposit['deposit_address_id'];
            $ref = Attempts::parseRef($this->connection->shopId(), $deposit['order_ref']);
            if ($ref !== null && !isset($seen[$chargeId])) {
                $seen[$chargeId] = true;
                self::quietly($ref['orderId'], function () use ($ref, $chargeId): void {
                    (new OrderWork($this->connection))->look($ref['orderId'], $chargeId);
                });
            }
        }
        return true;
    }

    private function refunds(): bool
    {
        $reading = new RefundReading($this->connection);
        foreach ($this->connection->api(self::TIMEOUT_SECONDS)->allRefunds(['limit' => self::PAGE_ROWS]) as $refund) {
            if (time() >= $this->until) {
                return false;
            }
            if (strtotime((string) $refund['requested_at']) < time() - self::NEWS_SECONDS) {
                return true; // the newest come first
            }
            $ref = Attempts::parseRef($this->connection->shopId(), $refund['order_ref']);
            if ($ref !== null) {
                self::quietly($ref['orderId'], static function () use ($reading, $ref, $refund): void {
                    $reading->take($ref['orderId'], $refund);
                });
            }
        }
        return true;
    }

    /** Orders that no money came for: their time may be over, and Daric may not know their charge any more. */
    private function unpaid(): bool
    {
        $orders = wc_get_orders([
            'payment_method' => Plugin::GATEWAY, 'status' => ['pending', 'on-hold', 'failed', 'cancelled'],
            'limit' => self::MAX_ORDERS, 'orderby' => 'date', 'order' => 'DESC',
        ]);
        foreach ($orders as $order) {
            if (time() >= $this->until) {
                return false;
            }
            (new OrderWork($this->connection))->lookAtOpen($order);
        }
        return true;
    }

    /** One order that fails must not keep the others from being read. */
    private static function quietly(int $orderId, callable $work): void
    {
        try {
            $work();
        } catch (\Throwable $fault) {
            Log::warning("Order $orderId could not be looked at. Open it: {$fault->getMessage()}");
        }
    }
}
