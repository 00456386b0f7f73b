<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** The texts of order notes: what happened, and what to do. */
final class Notes
{
    /** These go to the customer by WooCommerce's mail too, with the link to pay the rest. */
    private const FOR_CUSTOMER = ['short', 'short_ended'];

    /**
     * @param string $name the name that Judgement gives
     * @param array<string, mixed> $charge
     * @param list<string> $hashes the ids of the transactions
     */
    public static function text(string $name, array $charge, array $hashes): string
    {
        $received = "{$charge['amount_received']} {$charge['currency']}";
        $due = "{$charge['amount_due']} {$charge['currency']}";
        $transactions = $hashes === [] ? '' : ' ' . sprintf(
            /* translators: %s: ids of transactions */
            __('Transaction: %s.', 'daric'),
            implode(', ', $hashes)
        );
        $isPart = $name === 'paid' && $charge['payment_state'] === 'under';
        return self::sentence($isPart ? 'paid_short' : $name, $received, $due) . $transactions;
    }

    private static function sentence(string $name, string $received, string $due): string
    {
        switch ($name) {
            case 'seen':
                return __('Daric sees the payment. It becomes final in about a minute; do not deliver before.', 'daric');
            case 'seen_only':
                return __('Daric sees a payment for this order. It changes nothing of the order until it is final.', 'daric');
            case 'paid':
                /* translators: %s: an amount with its coin */
                return sprintf(__('Paid: %s is final.', 'daric'), $received);
            case 'paid_short':
                /* translators: 1: what came, 2: what was due, with their coin */
                return sprintf(__('Paid: %1$s of %2$s came, and it was accepted in Daric as the whole price.', 'daric'), $received, $due);
            case 'over':
                /* translators: 1: what came, 2: what was due, with their coin */
                return sprintf(__('Paid too much: %1$s came, and %2$s was due. Refund the surplus by the button in the Daric box.', 'daric'), $received, $due);
            case 'over_later':
                /* translators: 1: what came, 2: what was due, with their coin */
                return sprintf(__('More money came after the payment: %1$s in all, and %2$s was due. Refund the surplus by the button in the Daric box.', 'daric'), $received, $due);
            case 'short':
                /* translators: 1: what came, 2: what was due, with their coin */
                return sprintf(__('Too little came: %1$s of %2$s. The customer has the link for the rest.', 'daric'), $received, $due);
            case 'short_ended':
                /* translators: 1: what came, 2: what was due, with their coin */
                return sprintf(__('The time is over, and %1$s of %2$s came. The customer has the link for the rest. Or accept the order in Daric, or refund the money.', 'daric'), $received, $due);
            case 'late':
                /* translators: %s: an amount with its coin */
                return sprintf(__('Paid too late: %s came after the time of the order. To deliver, set the status of the order yourself; or refund the money.', 'daric'), $received);
            case 'late_accepted':
                /* translators: %s: an amount with its coin */
                return sprintf(__('Paid too late, and accepted by your setting: %s.', 'daric'), $received);
            case 'price_changed':
                /* translators: %s: an amount with its coin */
                return sprintf(__('%s came for a total that this order no longer has. Compare both; then deliver, ask for the rest, or refund the money.', 'daric'), $received);
            case 'returned':
                return Admin\Words::ofTask(Judgement::TASK_RETURNED);
            case 'money_gone':
                return __('The network took the payment back before it was final. The order waits for payment again.', 'daric');
            case 'expired':
                return __('The time is over, and nothing came. The customer can pay again.', 'daric');
            case 'expired_for_good':
                return __('The time is over, and nothing came.', 'daric');
            default:
                return self::aboutOtherOrders($name, $received);
        }
    }

    private static function aboutOtherOrders(string $name, string $received): string
    {
        switch ($name) {
            case 'money_canceled':
                /* translators: %s: an amount with its coin */
                return sprintf(__('%s came for an order that was cancelled; its stock may be sold. Deliver by setting the status yourself, or refund the money.', 'daric'), $received);
            case 'money_paid_already':
                /* translators: %s: an amount with its coin */
                return sprintf(__('%s came for this order, which was marked as paid before. If it was paid twice, refund this money.', 'daric'), $received);
            case 'money_refunded':
                /* translators: %s: an amount with its coin */
                return sprintf(__('%s came for this order, which is refunded. Refund this money too.', 'daric'), $received);
            case 'money_other_method':
                /* translators: %s: an amount with its coin */
                return sprintf(__('%s came by Daric for this order, which has another payment method now. Refund the money, or mark the order as paid.', 'daric'), $received);
            default:
                /* translators: %s: an amount with its coin */
                return sprintf(__('%s came for this order, and its status did not allow a change. Refund the money, or set the status yourself.', 'daric'), $received);
        }
    }

    /** @param array<string, mixed> $event a deposit.unmatched */
    public static function otherCoin(array $event): string
    {
        $data = $event['data'];
        return sprintf(
            /* translators: 1: amount with its coin, 2: the coin of the order, 3: id of a transaction */
            __('The customer sent %1$s, and this order is paid in %2$s: it pays nothing. Return it by the button in the Daric box. Transaction: %3$s.', 'daric'),
            "{$data['amount']} {$data['currency']}",
            $data['currency'] === 'TRX' ? 'USDT' : 'TRX',
            $data['txHash']
        );
    }

    /** The line about rounding; empty if the order's total was whole. */
    public static function rounding(\WC_Order $order): string
    {
        $total = Total::ofOrder($order);
        return $total->difference === null ? '' : ' ' . sprintf(
            /* translators: 1: rounded total with its currency, 2: the difference with its sign */
            __('The total was rounded to %1$s, a difference of %2$s.', 'daric'),
            "$total->amount $total->currency",
            $total->difference
        );
    }

    public static function isForCustomer(string $name): bool
    {
        return in_array($name, self::FOR_CUSTOMER, true);
    }

    public static function forCustomer(string $name, array $charge, string $url): string
    {
        return sprintf(
            $name === 'short'
                /* translators: 1: what came, 2: what was due, 3: a link */
                ? __('We have received %1$s of %2$s. Please pay the rest here: %3$s', 'daric')
                /* translators: 1: what came, 2: what was due, 3: a link */
                : __('We have received %1$s of %2$s, and the time of the payment page is over. You can still pay the rest here: %3$s', 'daric'),
            "{$charge['amount_received']} {$charge['currency']}",
            "{$charge['amount_due']} {$charge['currency']}",
            $url
        );
    }
}
