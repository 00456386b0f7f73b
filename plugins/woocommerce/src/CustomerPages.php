<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** What customers open: the way to the payment page, the way back, and the state of the payment at their order. */
final class CustomerPages
{
    public const ENDPOINT = 'daric';
    /** To the payment page: of the open charge, of the rest, or of a new charge. */
    public const PAY = 'pay';
    /** Back after a payment. */
    public const DONE = 'done';
    /** Back without one. */
    public const BACK = 'back';

    /** The key in the query keeps these pages out of caches, and strangers off the order. */
    public static function url(\WC_Order $order, string $to): string
    {
        return add_query_arg(
            ['wc-api' => self::ENDPOINT, 'to' => $to, 'order' => $order->get_id(), 'key' => $order->get_order_key()],
            home_url('/')
        );
    }

    /** Answers one of these URLs. */
    public static function answer(): void
    {
        self::forbidCaches();
        $order = self::orderOf(absint(self::query('order')));
        if ($order === null) {
            wp_die(esc_html__('There is no such order.', 'daric'), '', ['response' => 404]);
        }
        if (self::query('to') === self::PAY) {
            self::goToPayment($order);
        }
        self::lookAt($order);
        $now = Orders::fresh($order->get_id()) ?? $order;
        $isUnpaid = $now->needs_payment() && self::query('to') === self::BACK;
        wp_safe_redirect($isUnpaid ? $now->get_checkout_payment_url() : $now->get_checkout_order_received_url());
        exit;
    }

    /** Looks at the order of the page before the page is made. */
    public static function refresh(): void
    {
        global $wp;
        $received = absint($wp->query_vars['order-received'] ?? 0);
        $viewed = absint($wp->query_vars['view-order'] ?? 0);
        $order = $received > 0 ? self::orderOf($received) : null;
        if ($viewed > 0 && current_user_can('view_order', $viewed)) {
            $order = wc_get_order($viewed);
        }
        if (absint($wp->query_vars['order-pay'] ?? 0) > 0) {
            self::forbidCaches();
        }
        if ($order instanceof \WC_Order && Attempts::of($order) !== []) {
            self::forbidCaches();
            self::lookAt($order);
        }
    }

    /** Looks at the order of WooCommerce's screen of an order, before the screen is made. */
    public static function refreshInAdmin(\WP_Screen $screen): void
    {
        if (!function_exists('wc_get_page_screen_id') || $screen->id !== wc_get_page_screen_id('shop-order')) {
            return;
        }
        $order = wc_get_order(absint(self::query('id') === '' ? self::query('post') : self::query('id')));
        if ($order instanceof \WC_Order && Attempts::of($order) !== [] && current_user_can('edit_shop_orders')) {
            self::lookAt($order);
            (new RefundReading(Connection::current()))->visit($order);
        }
    }

    /** The state of the payment, above the table of the order. */
    public static function box(\WC_Order $order): void
    {
        $order = wc_get_order($order->get_id());
        if (!$order instanceof \WC_Order || !Orders::isDaric($order) || Orders::isPaid($order)) {
            return;
        }
        [$text, $label] = self::sentence($order);
        if ($text === '') {
            return;
        }
        echo '<div class="woocommerce-info daric-state" role="status">' . esc_html($text);
        if ($label !== '') {
            printf(' <a class="button" href="%s">%s</a>', esc_url(self::url($order, self::PAY)), esc_html($label));
        }
        echo '</div>';
    }

    /** The page of WooCommerce for payments at the shop: it opens the payment page over itself. */
    public static function modal(int $orderId): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order) {
            return;
        }
        try {
            $page = (new Charges(Connection::current()))->pageOf($orderId);
        } catch (Unavailable $fault) {
            wc_print_notice($fault->getMessage(), 'error');
            return;
        }
        wp_enqueue_script('daric-modal', plugins_url('assets/modal.js', DARIC_PLUGIN_FILE), [], Plugin::VERSION, true);
        printf(
            '<p><a class="button alt" id="daric-pay" href="%s" data-script="%s" data-back="%s">%s</a></p>',
            esc_url($page),
            esc_url(Connection::current()->baseUrl() . '/embed.js'),
            esc_url(self::url($order, self::BACK)),
            esc_html__('Pay with USDT or TRX', 'daric')
        );
    }

    private static function lookAt(\WC_Order $order): void
    {
        Reconciliation::onVisit();
        (new OrderWork(Connection::current()))->lookAtOpen($order);
    }

    private static function goToPayment(\WC_Order $order): void
    {
        try {
            // The service's own address: wp_safe_redirect knows the addresses of the site alone.
            wp_redirect((new Charges(Connection::current()))->pageOf($order->get_id())); // phpcs:ignore WordPress.Security.SafeRedirect
            exit;
        } catch (Unavailable $fault) {
            wp_die(esc_html($fault->getMessage()), '', ['response' => 200, 'link_url' => esc_url($order->get_checkout_order_received_url()), 'link_text' => esc_html__('Your order', 'daric')]);
        }
    }

    /** @return array{0: string, 1: string} what to say, and the label of the link to pay; empty for none */
    private static function sentence(\WC_Order $order): array
    {
        $facts = Facts::of($order);
        if (Judgement::hasMoney($facts['state'] ?? '') && SpareMoney::isAllAsked($order)) {
            return ['', '']; // its refunds say it
        }
        $coin = $facts['currency'] ?? '';
        $amounts = [($facts['amountReceived'] ?? '0') . " $coin", ($facts['amountDue'] ?? '0') . " $coin"];
        switch ($facts['state'] ?? '') {
            case Judgement::SEEN:
                return [__('Your payment is on its way. It becomes final in about a minute.', 'daric'), ''];
            case Judgement::SHORT:
            case Judgement::SHORT_ENDED:
                /* translators: 1: what came, 2: what was due, with their coin */
                return [sprintf(__('We have received %1$s of %2$s.', 'daric'), ...$amounts), self::mayPayRest($order) ? __('Pay the rest', 'daric') : ''];
            case Judgement::LATE:
            case Judgement::PAID:
            case Judgement::OVER:
                return [__('Your payment has arrived. The shop looks at it and answers you.', 'daric'), ''];
            default:
                return $order->needs_payment() && Orders::isPayable($order) ? [__('Your payment has not arrived yet.', 'daric'), __('Pay now', 'daric')] : ['', ''];
        }
    }

    private static function mayPayRest(\WC_Order $order): bool
    {
        $attempt = Attempts::newest($order);
        return Orders::isPayable($order) && $attempt !== null && !Orders::hasRefund($order, $attempt);
    }

    private static function orderOf(int $orderId): ?\WC_Order
    {
        $order = wc_get_order($orderId);
        // An order of an importer may have no key: nothing opens it then.
        $isOpened = $order instanceof \WC_Order && $order->get_order_key() !== '' && hash_equals($order->get_order_key(), self::query('key'));
        return $isOpened ? $order : null;
    }

    private static function query(string $name): string
    {
        // The order's key is the proof, so that a link in a mail works: there is no nonce.
        $value = $_GET[$name] ?? ''; // phpcs:ignore WordPress.Security -- the next line sanitises
        return is_string($value) ? sanitize_text_field(wp_unslash($value)) : '';
    }

    private static function forbidCaches(): void
    {
        if (!defined('DONOTCACHEPAGE')) {
            define('DONOTCACHEPAGE', true); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals -- a name that caches know
        }
        nocache_headers();
        header('Cache-Control: no-store, no-cache, must-revalidate, max-age=0, private');
    }
}
