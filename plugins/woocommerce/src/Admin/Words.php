<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\WooCommerce\Judgement;

defined('ABSPATH') || exit;

/** States and tasks in words for the shop's people. */
final class Words
{
    public static function ofState(string $state): string
    {
        switch ($state) {
            case Judgement::PLANNED:
                return __('The payment page is being made', 'daric');
            case Judgement::OPEN_STATE:
                return __('Waiting for payment', 'daric');
            case Judgement::SEEN:
                return __('Seen, not final yet: do not deliver', 'daric');
            case Judgement::SHORT:
                return __('Too little came; waiting for the rest', 'daric');
            case Judgement::SHORT_ENDED:
                return __('Too little came, and the time is over', 'daric');
            case Judgement::PAID:
                return __('Paid', 'daric');
            case Judgement::OVER:
                return __('Paid, and too much came', 'daric');
            case Judgement::LATE:
                return __('Paid too late', 'daric');
            case Judgement::EXPIRED:
                return __('The time is over, and nothing came', 'daric');
            default:
                return __('Closed', 'daric');
        }
    }

    /** What a person must do; empty for nothing. */
    public static function ofTask(string $task): string
    {
        switch ($task) {
            case Judgement::TASK_REFUND:
                return __('Money came that this order does not need. Return it.', 'daric');
            case Judgement::TASK_SURPLUS:
                return __('Too much came. Refund the surplus, or keep it if the customer wants so.', 'daric');
            case Judgement::TASK_CANCELED:
                return __('Money came for a cancelled order. If the goods are there, set the status yourself and deliver; else return the money.', 'daric');
            case Judgement::TASK_LATE:
                return __('The money came too late. To deliver, set the status of the order yourself; else return the money.', 'daric');
            case Judgement::TASK_SHORT:
                return __('A part of the money is missing. Wait for the rest, accept the order in Daric’s dashboard, or return the money.', 'daric');
            case Judgement::TASK_PRICE:
                return __('The order was changed after its payment page was made. Compare its total with the money that came.', 'daric');
            case Judgement::TASK_RETURNED:
                return __('A refund of this order’s money was asked for. Compare what is left with the total; then set the status yourself, or return the rest of the money.', 'daric');
            case Judgement::TASK_CANCEL:
                return __('All money of this order is paid back. Cancel the order.', 'daric');
            case Judgement::TASK_COIN:
                return __('The customer sent the other coin, which pays nothing. Return it.', 'daric');
            default:
                return '';
        }
    }

    public static function ofRefund(string $status): string
    {
        switch ($status) {
            case 'REQUESTED':
                return __('asked for: it waits for the customer’s address, or for your confirmation in Daric', 'daric');
            case 'READY':
                return __('ready: pay it in Daric', 'daric');
            case 'SENT':
                return __('paid, and not final yet', 'daric');
            case 'COMPLETED':
                return __('paid', 'daric');
            default:
                return __('canceled', 'daric');
        }
    }
}
