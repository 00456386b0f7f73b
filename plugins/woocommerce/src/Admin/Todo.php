<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Judgement;
use Daric\WooCommerce\OtherCoin;
use Daric\WooCommerce\SpareMoney;

defined('ABSPATH') || exit;

/** What a person must do for an order. */
final class Todo
{
    /** @return list<string> tasks of Judgement */
    public static function of(\WC_Order $order): array
    {
        $task = (string) $order->get_meta(Attempts::TASK_META);
        if (SpareMoney::isAllAsked($order)) {
            // The mark of a cancelled order stays stored, and its money needs nothing more.
            $task = SpareMoney::isAllBack($order) ? Judgement::TASK_CANCEL : '';
        }
        $coin = OtherCoin::charges($order) === [] ? '' : Judgement::TASK_COIN;
        return array_values(array_unique(array_filter([$task, $coin])));
    }
}
