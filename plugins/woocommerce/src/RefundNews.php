<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

use Daric\DaricException;

defined('ABSPATH') || exit;

/** What a change of a Daric refund means for its order. The caller holds the order's lock. */
final class RefundNews
{
    private Connection $connection;
    private \WC_Order $order;

    public function __construct(Connection $connection, \WC_Order $order)
    {
        $this->connection = $connection;
        $this->order = $order;
    }

    /**
     * @param array<string, mixed> $refund a row of Daric
     * @throws DaricException try again later
     */
    public function take(array $refund): void
    {
        $known = RefundRecords::find($this->order, $refund['id']);
        $wcRefund = $known['wcRefund'] ?? $this->boundTo($refund);
        if ($wcRefund > 0 && $this->wcRefund($wcRefund) === null && in_array($refund['status'], ['REQUESTED', 'READY'], true)) {
            $refund = $this->cancelOrphan($refund);
        }
        if (($known['status'] ?? '') === $refund['status'] && $known['isDone']) {
            return;
        }
        $task = $known['task'] ?? ($this->isOfBox($refund['refund_ref']) ? $this->endTask($refund) : '');
        // Stored before, since WooCommerce asks what waits; marked after, so that work which ended half way is repeated.
        $record = RefundRecords::put($this->order, $refund, $wcRefund, $task, false);
        $this->order->save();
        $this->apply($record, $known);
        if ($known === null && $record['status'] === 'REQUESTED' && $this->isOfBox($record['ref'])) {
            Mails\ClaimLinks::send($this->order, [$refund]);
        }
        RefundRecords::markDone($this->order, $record['id']);
        $this->order->save();
    }

    /** @param array<string, mixed>|null $known the record as it was */
    private function apply(array $record, ?array $known): void
    {
        switch ($record['status']) {
            case 'READY':
                $this->order->add_order_note(RefundNotes::ready($record));
                break;
            case 'COMPLETED':
                $this->complete($record, ($known['status'] ?? '') === 'CANCELED');
                break;
            case 'CANCELED':
                $this->cancel($record);
                break;
            default:
                if ($known === null) {
                    $this->order->add_order_note($this->isOfBox($record['ref'])
                        ? RefundNotes::asked(RefundRecords::words($record))
                        : RefundNotes::askedElsewhere($record));
                }
        }
    }

    /** A button of the order box asked for it, and the answer was lost if the order does not know it. */
    private function isOfBox(?string $ref): bool
    {
        return RefundRecords::isOfBox($this->connection->shopId(), $this->order->get_id(), $ref);
    }

    private function endTask(array $refund): string
    {
        return Refunds::endTask($this->order, OtherCoin::isOf($this->order, $refund['deposit_address_id'], $refund['currency']));
    }

    /** The WooCommerce refund that the reference names: the answer of its request was lost. 0 for a refund of the dashboard. */
    private function boundTo(array $refund): int
    {
        $wcRefund = RefundRecords::parseRef($this->connection->shopId(), $this->order->get_id(), $refund['refund_ref']) ?? 0;
        $bound = $wcRefund === 0 ? null : $this->wcRefund($wcRefund);
        if ($bound !== null) {
            $bound->update_meta_data(RefundRecords::BOUND_META, '1');
            $bound->save();
        }
        return $wcRefund;
    }

    /** WooCommerce deleted its refund, because the answer of Daric did not come or a person wanted so. */
    private function cancelOrphan(array $refund): array
    {
        try {
            return $this->connection->api()->cancelRefund($refund['id']);
        } catch (DaricException $fault) {
            if ($fault->errorCode === 'REFUND_CLOSED') {
                return $refund;
            }
            throw $fault;
        }
    }

    private function complete(array $record, bool $wasCanceled): void
    {
        $isOfPrice = $record['wcRefund'] > 0;
        $isGone = $isOfPrice && ($wasCanceled || $this->wcRefund($record['wcRefund']) === null);
        $waiting = array_filter(RefundRecords::ofRefund($this->order, $record['wcRefund']), [RefundRecords::class, 'isWaiting']);
        if ($isOfPrice && !$isGone && $waiting === []) {
            $this->finish($record['wcRefund']);
        }
        // Notes come last, so that work that is repeated says them once.
        $this->order->add_order_note(RefundNotes::completed($record));
        if ($isGone) {
            $this->order->add_order_note(RefundNotes::paidAfterCancel());
        }
        if (SpareMoney::isAllBack($this->order)) {
            $this->order->add_order_note(RefundNotes::allBack());
        }
    }

    /** Does what WooCommerce left out when the refund was made: status and mail. */
    private function finish(int $wcRefund): void
    {
        $orderId = $this->order->get_id();
        $isPart = !RefundRecords::isNothingLeft($this->order) || RefundRecords::isAnyWaiting($this->order);
        // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- a hook of WooCommerce, as its wc_create_refund() applies it
        $isPart = (bool) apply_filters('woocommerce_order_is_partially_refunded', $isPart, $orderId, $wcRefund);
        if (!$isPart) {
            // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- a hook of WooCommerce
            $status = apply_filters('woocommerce_order_fully_refunded_status', 'refunded', $orderId, $wcRefund);
            if ($status) {
                $this->order->update_status($status);
            }
        }
        RefundHold::mail($orderId, $wcRefund, $isPart);
    }

    private function cancel(array $record): void
    {
        if ($record['task'] !== '' && (string) $this->order->get_meta(Attempts::TASK_META) === '') {
            $this->order->update_meta_data(Attempts::TASK_META, $record['task']);
            $this->order->save();
        }
        $refund = $record['wcRefund'] === 0 ? null : $this->wcRefund($record['wcRefund']);
        if ($refund === null) {
            $this->order->add_order_note(RefundNotes::canceled($record));
            return;
        }
        if (!$this->cancelOtherParts($record)) {
            $this->order->add_order_note(RefundNotes::canceledInPart($record));
            return;
        }
        $isRestocked = $this->isRestocked($refund);
        $refund->delete(true);
        // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- a hook of WooCommerce, as its own button fires it
        do_action('woocommerce_refund_deleted', $record['wcRefund'], $this->order->get_id());
        $this->order->add_order_note(RefundNotes::canceledWithRefund($record));
        if ($isRestocked) {
            $this->order->add_order_note(RefundNotes::restocked());
        }
    }

    /** Whether goods of this refund are back on stock, as far as WooCommerce notes it at the items of the order. */
    private function isRestocked(\WC_Order_Refund $refund): bool
    {
        foreach ($refund->get_items() as $item) {
            $sold = $this->order->get_item((int) $item->get_meta('_refunded_item_id'));
            if ($sold && (int) $sold->get_meta('_restock_refunded_items') > 0) {
                return true;
            }
        }
        return false;
    }

    /** @return bool whether no part of the WooCommerce refund is or will be paid */
    private function cancelOtherParts(array $record): bool
    {
        foreach (RefundRecords::ofRefund($this->order, $record['wcRefund']) as $part) {
            if ($part['status'] === 'COMPLETED') {
                return false;
            }
            if ($part['id'] !== $record['id'] && RefundRecords::isWaiting($part)) {
                $canceled = $this->cancelOrphan(['id' => $part['id']] + $part);
                if ($canceled['status'] !== 'CANCELED') {
                    return false;
                }
                RefundRecords::put($this->order, $canceled, $part['wcRefund']);
                $this->order->save();
            }
        }
        return true;
    }

    private function wcRefund(int $id): ?\WC_Order_Refund
    {
        $refund = wc_get_order($id);
        return $refund instanceof \WC_Order_Refund && $refund->get_parent_id() === $this->order->get_id() ? $refund : null;
    }
}
