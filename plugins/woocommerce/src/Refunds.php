<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

use Daric\DaricException;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** Refunds: what WooCommerce's button asks Daric for, and what Daric answers later. */
final class Refunds
{
    private const LOCK_SECONDS = 10;

    /** The refund that WooCommerce makes in this request. It has a number when the gateway is asked. */
    private static ?\WC_Order_Refund $making = null;
    /** @var array<int, list<array<string, mixed>>> Daric's answers by WooCommerce refund, until the customer is told */
    private static array $asked = [];

    private const CANCEL_SECONDS = 4.0;

    private Connection $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    /** Hook `woocommerce_create_refund`: remembers the refund, since the gateway gets its amount alone. */
    public static function remember(\WC_Order_Refund $refund, array $args): void
    {
        self::$making = empty($args['refund_payment']) ? null : $refund;
    }

    /**
     * The gateway's `process_refund`: asks Daric for a refund that is bound to the WooCommerce refund. Nothing is paid by it.
     *
     * @param string|null $amount in the order's currency
     * @return true|\WP_Error the reason in words
     */
    public function process(int $orderId, $amount, string $reason)
    {
        $refund = self::$making;
        if ($refund === null || $refund->get_parent_id() !== $orderId || $refund->get_id() === 0) {
            return new \WP_Error('daric', __('Use the button Refund of the order.', 'daric'));
        }
        if ($this->connection->obstacle() !== null) {
            return new \WP_Error('daric', __('This shop is not connected with Daric. Look at WooCommerce → Daric.', 'daric'));
        }
        try {
            $part = Total::of((string) wc_format_decimal((string) $amount), $refund->get_currency());
            return Lock::order($orderId, self::LOCK_SECONDS, function () use ($orderId, $refund, $part, $reason): bool {
                $order = Orders::fresh($orderId);
                if ($order === null) {
                    throw new Unavailable(__('There is no such order.', 'daric'));
                }
                $this->ask($order, $refund, $part, $reason);
                return true;
            });
        } catch (\InvalidArgumentException $_) {
            return new \WP_Error('daric', __('The amount must be above zero.', 'daric'));
        } catch (Busy $_) {
            return new \WP_Error('daric', __('Daric is working on this order. Try again in a few seconds.', 'daric'));
        } catch (Unavailable $reason) {
            return new \WP_Error('daric', $reason->getMessage());
        } catch (DaricException $fault) {
            Log::warning("The refund of order $orderId was not made: {$fault->errorCode} ({$fault->correlationId})");
            return new \WP_Error('daric', Refusals::ofRefund($fault));
        }
    }

    /** Hook `woocommerce_order_refunded`: WooCommerce is done with the refund, so that the customer may hear of it. */
    public function tell(int $orderId, int $wcRefund): void
    {
        $asked = self::$asked[$wcRefund] ?? [];
        unset(self::$asked[$wcRefund]);
        $order = $asked === [] ? false : wc_get_order($orderId);
        if ($order instanceof \WC_Order) {
            Mails\ClaimLinks::send($order, $asked);
        }
    }

    /**
     * Asks for money that is no part of the price, by a click in the order box.
     *
     * @param bool $isOtherCoin the money of the coin that the order is not in
     * @throws Busy | Unavailable | DaricException
     */
    public function returnMoney(int $orderId, string $chargeId, bool $isOtherCoin): void
    {
        $asked = Lock::order($orderId, self::LOCK_SECONDS, function () use ($orderId, $chargeId, $isOtherCoin): array {
            $order = Orders::fresh($orderId);
            $attempt = $order === null ? null : Attempts::find($order, $chargeId);
            // The other coin may have come to the charge of a rest, which is no attempt.
            $isKnown = $order !== null && ($isOtherCoin ? in_array($chargeId, OtherCoin::charges($order), true) : $attempt !== null);
            if (!$isKnown) {
                throw new Unavailable(__('This payment does not belong to this order.', 'daric'));
            }
            $request = new RefundRequest($this->connection, $order);
            $refunds = $isOtherCoin ? [$request->ofOtherCoin($chargeId)] : $request->ofMoney($attempt);
            $task = self::endTask($order, $isOtherCoin);
            $coins = [];
            foreach ($refunds as $refund) {
                $coins[] = RefundRecords::words(RefundRecords::put($order, $refund, 0, $task));
            }
            $order->add_order_note(RefundNotes::asked(implode(' + ', $coins)));
            $order->save();
            return $refunds;
        });
        Mails\ClaimLinks::send(wc_get_order($orderId), $asked);
    }

    /**
     * Ends the task of the money that the order box returns. The mark of a cancelled order stays: no later money may make it an order to
     * deliver. The other coin ends its own task alone. The caller saves the order.
     *
     * @return string the task that a canceled refund brings back; empty for none
     */
    public static function endTask(\WC_Order $order, bool $isOtherCoin): string
    {
        $task = (string) $order->get_meta(Attempts::TASK_META);
        if ($task === Judgement::TASK_CANCELED || ($task === Judgement::TASK_COIN) !== $isOtherCoin) {
            return '';
        }
        $order->update_meta_data(Attempts::TASK_META, '');
        return $task;
    }

    /**
     * Takes news of a refund. An event says only that there is something to read: what counts is the refund as Daric answers it now,
     * so that a repeated or a late event changes nothing. The caller holds the order's lock.
     *
     * @param array<string, mixed> $event
     * @throws DaricException try again later
     */
    public function onEvent(\WC_Order $order, array $event): void
    {
        try {
            $refund = $this->connection->api()->retrieveRefund((string) $event['data']['refundId']);
        } catch (DaricException $fault) {
            if (Lookup::isUnknown($fault)) {
                return;
            }
            throw $fault;
        }
        $isOwn = Attempts::isOwn($event['data'], $this->connection->shopId(), $order);
        if ($isOwn) {
            (new RefundNews($this->connection, $order))->take($refund);
        }
    }

    /** A WooCommerce refund was deleted by a person: Daric must not pay it any more. */
    public function onDeleted(int $orderId): void
    {
        if ($this->connection->obstacle() !== null) {
            return;
        }
        try {
            Lock::order($orderId, self::LOCK_SECONDS, function () use ($orderId): void {
                $order = Orders::fresh($orderId);
                if ($order !== null) {
                    $this->cancelDeleted($order);
                }
            });
        } catch (Busy $_) {
            // The refund is canceled when Daric tells that it may be paid.
            Log::info("The refunds of order $orderId are canceled later.");
        }
    }

    /** Hook `woocommerce_before_delete_order`: an order that is gone must leave no refund that can be paid. */
    public function onOrderDeleted(int $orderId): void
    {
        $order = $this->connection->obstacle() === null ? wc_get_order($orderId) : false;
        if ($order instanceof \WC_Order && RefundRecords::of($order) !== []) {
            $this->cancelDeleted($order, true);
        }
    }

    /** @param bool $isWhole whether the order goes, and each refund with it */
    private function cancelDeleted(\WC_Order $order, bool $isWhole = false): void
    {
        foreach (RefundRecords::of($order) as $record) {
            $isGone = $isWhole || ($record['wcRefund'] > 0 && !wc_get_order($record['wcRefund']) instanceof \WC_Order_Refund);
            if (!$isGone || !RefundRecords::isWaiting($record) || !RefundRecords::isOfShop($order, $record, $this->connection->shopId())) {
                continue;
            }
            try {
                // A person that deletes many orders waits.
                RefundRecords::put($order, $this->connection->api(self::CANCEL_SECONDS, 0)->cancelRefund($record['id']), $record['wcRefund']);
                $order->add_order_note(RefundNotes::canceledHere($record));
            } catch (DaricException $fault) {
                Log::warning("The refund {$record['id']} of order {$order->get_id()} was not canceled: {$fault->errorCode}");
                $order->add_order_note(RefundNotes::notCanceled($record));
            }
        }
        $order->save();
    }

    private function ask(\WC_Order $order, \WC_Order_Refund $refund, Total $part, string $reason): void
    {
        // WooCommerce has stored its refund before: nothing left means that it takes all.
        $isWhole = RefundRecords::isNothingLeft($order) && count($order->get_refunds()) === 1;
        $asked = (new RefundRequest($this->connection, $order))->ofPrice($refund->get_id(), $part, $isWhole, $reason);
        $coins = [];
        foreach ($asked as $row) {
            $coins[] = RefundRecords::words(RefundRecords::put($order, $row, $refund->get_id()));
        }
        $order->add_order_note(RefundNotes::asked(implode(' + ', $coins)));
        $order->save();
        $refund->update_meta_data(RefundRecords::BOUND_META, '1');
        $refund->save();
        self::$asked[$refund->get_id()] = $asked;
    }
}
