<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/**
 * Holds back what WooCommerce does as soon as a refund is made: the order's status, and the mail to the customer. Daric pays a refund
 * later, so both follow then.
 */
final class RefundHold
{
    /** The refund whose mail may go now; 0 for none. */
    private static int $mailing = 0;

    /**
     * Filter `woocommerce_order_fully_refunded_status`: no status while a refund by Daric waits.
     *
     * @param string $status
     */
    public static function status($status, int $orderId)
    {
        $order = wc_get_order($orderId);
        return $order instanceof \WC_Order && RefundRecords::isAnyWaiting($order) ? '' : $status;
    }

    /**
     * Filter `woocommerce_email_enabled_…` of WooCommerce's mails about refunds. A mail that a person sends again names no refund, and
     * waits while any refund of the order does.
     *
     * @param bool $isEnabled
     * @param mixed $order
     * @param \WC_Email $email
     */
    public static function mailIsEnabled($isEnabled, $order, $email = null)
    {
        $refund = is_object($email) ? ($email->refund ?? null) : null;
        if ($refund instanceof \WC_Order_Refund) {
            $isHeld = (string) $refund->get_meta(RefundRecords::BOUND_META) !== '' && $refund->get_id() !== self::$mailing;
            return $isHeld ? false : $isEnabled;
        }
        return $order instanceof \WC_Order && RefundRecords::isAnyWaiting($order) ? false : $isEnabled;
    }

    /** Lets WooCommerce's mail about this refund go. */
    public static function mail(int $orderId, int $wcRefund, bool $isPart): void
    {
        self::$mailing = $wcRefund;
        try {
            // The mails exist once the mailer does.
            WC()->mailer();
            // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals -- hooks of WooCommerce's mails
            do_action($isPart ? 'woocommerce_order_partially_refunded_notification' : 'woocommerce_order_fully_refunded_notification', $orderId, $wcRefund);
        } finally {
            self::$mailing = 0;
        }
    }
}
