<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** Reads refunds that no event told of. */
final class RefundReading
{
    private const LOCK_SECONDS = 3;
    private const TIMEOUT_SECONDS = 5.0;
    /** More calls would slow the page. */
    private const MAX_CALLS = 3;

    private Connection $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    /** Reads the refunds of an order that wait. It never fails: a page that shows the order stays a page. */
    public function visit(\WC_Order $order): void
    {
        if ($this->connection->obstacle() !== null) {
            return;
        }
        $waiting = array_filter(RefundRecords::of($order), function (array $record) use ($order): bool {
            return RefundRecords::isWaiting($record) && RefundRecords::isOfShop($order, $record, $this->connection->shopId());
        });
        foreach (array_slice($waiting, 0, self::MAX_CALLS) as $record) {
            if (Reconciliation::isDaricAway()) {
                return;
            }
            try {
                $this->take($order->get_id(), ['id' => $record['id'], 'status' => '']);
            } catch (\Throwable $fault) {
                Reconciliation::noteFault($fault);
                Log::info("The refund {$record['id']} of order {$order->get_id()} was not read: {$fault->getMessage()}");
            }
        }
    }

    /**
     * Takes a refund as Daric answers it now, if it has news and its charge was made for this very order.
     *
     * @param array{id: string, status: string} $seen a row of Daric, which may be old; without a status the refund is read in any case
     * @throws Busy | \Daric\DaricException try again later
     */
    public function take(int $orderId, array $seen): void
    {
        Lock::order($orderId, self::LOCK_SECONDS, function () use ($orderId, $seen): void {
            $order = Orders::fresh($orderId);
            $known = $order === null ? null : RefundRecords::find($order, $seen['id']);
            $isKnown = $known !== null && $known['status'] === $seen['status'] && $known['isDone'];
            if ($order === null || $isKnown) {
                return;
            }
            $api = $this->connection->api(self::TIMEOUT_SECONDS, 0);
            // An event may have brought a newer status before the lock was taken.
            $refund = $api->retrieveRefund($seen['id']);
            $charge = $api->retrieveDepositAddress($refund['deposit_address_id']);
            if (Attempts::isOwn($charge, $this->connection->shopId(), $order)) {
                (new RefundNews($this->connection, $order))->take($refund);
            }
        });
    }
}
