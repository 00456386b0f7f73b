<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Judgement;
use Daric\WooCommerce\Micros;
use Daric\WooCommerce\Orders;
use Daric\WooCommerce\OtherCoin;
use Daric\WooCommerce\SpareMoney;

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
            if ($id === '' || !self::isFinal($order, $attempt)) {
                continue;
            }
            if ($id !== $paidBy && SpareMoney::left($order, $attempt) > 0) {
                /* translators: %d: number of an attempt to pay */
                $buttons[$id] = sprintf(__('Return the money of payment %d', 'daric'), $attempt['number']);
            }
            $surplus = $id === $paidBy && $attempt['state'] === Judgement::OVER ? SpareMoney::surplus($order, $attempt) : 0;
            if ($surplus > 0) {
                /* translators: %s: an amount with its coin */
                $buttons[$id] = sprintf(__('Refund the surplus of %s', 'daric'), Micros::decimal($surplus) . " {$attempt['coin']}");
            }
        }
        foreach (OtherCoin::charges($order) as $id) {
            $buttons[$id . self::OTHER_COIN] = __('Return the money of the other coin', 'daric');
        }
        return $buttons;
    }

    /** Whether the button of the other coin ends a page that the customer may pay at: Daric closes an unpaid charge with its refund. */
    public static function closesPage(\WC_Order $order): bool
    {
        foreach (OtherCoin::charges($order) as $id) {
            $attempt = Attempts::find($order, $id);
            if ($attempt !== null && in_array($attempt['state'], [Judgement::OPEN_STATE, Judgement::SHORT], true)) {
                return true;
            }
        }
        return false;
    }

    /** Whether its money can go back. A part of the price waits for the rest, but not of an order that was cancelled. */
    private static function isFinal(\WC_Order $order, array $attempt): bool
    {
        $isCancelled = $order->has_status('cancelled') || (string) $order->get_meta(Attempts::TASK_META) === Judgement::TASK_CANCELED;
        return in_array($attempt['state'], self::FINAL_MONEY, true) || ($isCancelled && $attempt['state'] === Judgement::SHORT);
    }
}
