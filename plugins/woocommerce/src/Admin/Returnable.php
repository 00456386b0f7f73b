<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Facts;
use Daric\WooCommerce\Judgement;
use Daric\WooCommerce\Micros;
use Daric\WooCommerce\Orders;
use Daric\WooCommerce\OtherCoin;
use Daric\WooCommerce\RefundRecords;

defined('ABSPATH') || exit;

/** The money of an order that is no part of its price, and that one click returns. */
final class Returnable
{
    /** Behind the id of a charge: its money of the coin that the order is not in. */
    public const OTHER_COIN = '|other';

    private const FINAL_MONEY = [Judgement::PAID, Judgement::OVER, Judgement::LATE, Judgement::SHORT_ENDED];

    /** @return array<string, string> labels of buttons by what they return */
    public static function of(\WC_Order $order): array
    {
        $paidBy = Orders::isPaid($order) ? (string) $order->get_meta(Attempts::PAID_META) : '';
        $buttons = [];
        foreach (Attempts::of($order) as $attempt) {
            $id = (string) $attempt['chargeId'];
            if ($id === '' || !in_array($attempt['state'], self::FINAL_MONEY, true) || self::isAsked($order, $attempt)) {
                continue;
            }
            if ($id !== $paidBy) {
                /* translators: %d: number of an attempt to pay */
                $buttons[$id] = sprintf(__('Return the money of payment %d', 'daric'), $attempt['number']);
            } elseif ($attempt['state'] === Judgement::OVER) {
                $buttons[$id] = self::surplusLabel(Facts::of($order), $id);
            }
        }
        foreach (OtherCoin::charges($order) as $id) {
            $buttons[$id . self::OTHER_COIN] = __('Return the money of the other coin', 'daric');
        }
        return $buttons;
    }

    /** Whether all of it was asked for before. More money than then makes the task anew, and with it the button. */
    private static function isAsked(\WC_Order $order, array $attempt): bool
    {
        $isTask = in_array((string) $order->get_meta(Attempts::TASK_META), [Judgement::TASK_SURPLUS, Judgement::TASK_REFUND], true);
        foreach (RefundRecords::of($order) as $record) {
            $isOfThis = $record['chargeId'] === $attempt['chargeId'] && $record['currency'] === $attempt['coin'];
            if (!$isTask && $isOfThis && $record['wcRefund'] === 0 && $record['status'] !== 'CANCELED') {
                return true;
            }
        }
        return false;
    }

    private static function surplusLabel(array $facts, string $chargeId): string
    {
        $surplus = ($facts['chargeId'] ?? '') === $chargeId ? Micros::of($facts['amountReceived']) - Micros::of((string) $facts['amountDue']) : 0;
        return $surplus > 0
            /* translators: %s: an amount with its coin */
            ? sprintf(__('Refund the surplus of %s', 'daric'), Micros::decimal($surplus) . " {$facts['currency']}")
            : __('Refund the surplus', 'daric');
    }
}
