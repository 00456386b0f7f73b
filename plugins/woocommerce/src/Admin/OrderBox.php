<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Admin;

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Facts;
use Daric\WooCommerce\Judgement;
use Daric\WooCommerce\Orders;
use Daric\WooCommerce\RefundRecords;

defined('ABSPATH') || exit;

/** The box *Daric* of an order: how the payment stands, what to do, its refunds, and the way to Daric's dashboard. */
final class OrderBox
{
    /** The form of the buttons: the order's screen is a form itself, and forms do not nest. */
    private const FORM = 'daric-return';

    private static int $formOf = 0;

    /**
     * Hook `add_meta_boxes`, for orders as posts and as rows of their own tables.
     *
     * @param string $screen
     * @param \WP_Post|\WC_Order|mixed $item
     */
    public static function register($screen, $item = null): void
    {
        $order = self::orderOf($item);
        if ($order !== null && (Orders::isDaric($order) || Attempts::of($order) !== [])) {
            add_meta_box('daric-order', __('Daric', 'daric'), [self::class, 'show'], wc_get_page_screen_id('shop-order'), 'side', 'high');
        }
    }

    /** @param \WP_Post|\WC_Order $item */
    public static function show($item): void
    {
        $order = self::orderOf($item);
        if ($order === null) {
            return;
        }
        // The screen's own copy may be older than what Daric told just now.
        $order = Orders::fresh($order->get_id()) ?? $order;
        $connection = Connection::current();
        echo '<div class="daric-box">';
        Results::show();
        if ($connection->obstacle() !== null) {
            echo '<p class="daric-todo">' . esc_html__('This shop is not connected with Daric, so nothing here is up to date.', 'daric') . ' <a href="'
                . esc_url(ConnectPage::url()) . '">' . esc_html__('Look at it', 'daric') . '</a></p>';
        }
        array_map([self::class, 'task'], Todo::of($order));
        self::facts(Facts::of($order));
        self::buttons($order);
        self::refunds($order, $connection);
        $charge = Attempts::newest($order)['chargeId'] ?? '';
        if ($charge !== '') {
            self::link($connection->dashboardUrl('/payments/' . rawurlencode($charge)), __('Open in Daric’s dashboard', 'daric'));
        }
        echo '</div>';
    }

    /** Hook `admin_footer`: the form that the buttons belong to. */
    public static function form(): void
    {
        if (self::$formOf === 0) {
            return;
        }
        echo '<form id="' . esc_attr(self::FORM) . '" method="post" action="' . esc_url(admin_url('admin-post.php'))
            . '"><input type="hidden" name="action" value="daric_return"><input type="hidden" name="order" value="' . esc_attr((string) self::$formOf) . '">';
        wp_nonce_field('daric_return_' . self::$formOf, 'daric_nonce');
        echo '</form>';
    }

    /** Action `woocommerce_after_order_refund_item_name`: the state at WooCommerce's own line of a refund. */
    public static function refundLine(\WC_Order_Refund $refund): void
    {
        $order = wc_get_order($refund->get_parent_id());
        foreach ($order instanceof \WC_Order ? RefundRecords::ofRefund($order, $refund->get_id()) : [] as $record) {
            echo '<p class="description">Daric: ' . esc_html(RefundRecords::words($record)) . ' – ' . esc_html(Words::ofRefund($record['status'])) . '</p>';
        }
    }

    private static function task(string $task): void
    {
        echo '<p class="daric-todo"><strong>' . esc_html__('To do:', 'daric') . '</strong> ' . esc_html(Words::ofTask($task)) . '</p>';
    }

    private static function facts(array $facts): void
    {
        if ($facts === []) {
            echo '<p>' . esc_html__('The customer has not opened a payment page yet.', 'daric') . '</p>';
            return;
        }
        $coin = $facts['currency'];
        $rows = [
            __('State', 'daric') => Words::ofState($facts['state']),
            __('Received', 'daric') => sprintf(
                /* translators: 1: what came, 2: what is due, with its coin */
                __('%1$s of %2$s', 'daric'),
                $facts['amountReceived'],
                "{$facts['amountDue']} $coin"
            ),
        ];
        if ($facts['requiredConfirmations'] > 0 && $facts['state'] === Judgement::SEEN) {
            /* translators: 1: a number, 2: the number that is needed */
            $rows[__('Confirmations', 'daric')] = sprintf(__('%1$d of %2$d', 'daric'), $facts['confirmations'], $facts['requiredConfirmations']);
        }
        echo '<dl>';
        foreach ($rows as $name => $value) {
            echo '<dt>' . esc_html($name) . '</dt><dd>' . esc_html($value) . '</dd>';
        }
        echo '<dt>' . esc_html__('Address', 'daric') . '</dt><dd><code>' . esc_html($facts['address']) . '</code></dd>';
        foreach ($facts['txHashes'] as $hash) {
            echo '<dt>' . esc_html__('Transaction', 'daric') . '</dt><dd><code>' . esc_html($hash) . '</code></dd>';
        }
        echo '</dl>';
    }

    private static function buttons(\WC_Order $order): void
    {
        $buttons = Returnable::of($order);
        if ($buttons === [] || !current_user_can('edit_shop_orders') || Connection::current()->obstacle() !== null) {
            return;
        }
        self::$formOf = $order->get_id();
        foreach ($buttons as $value => $label) {
            printf(
                '<p><button type="submit" form="%s" name="charge" value="%s" class="button">%s</button></p>',
                esc_attr(self::FORM),
                esc_attr((string) $value),
                esc_html($label)
            );
        }
        echo '<p class="description">' . esc_html__('The customer gets a link to name an address. Nothing is paid until it is confirmed and paid in Daric.', 'daric') . '</p>';
        if (Returnable::closesPage($order)) {
            echo '<p class="description">' . esc_html__('Returning the other coin closes the payment page of this order. The customer opens a new one at the order.', 'daric') . '</p>';
        }
    }

    private static function refunds(\WC_Order $order, Connection $connection): void
    {
        $records = RefundRecords::of($order);
        if ($records === []) {
            return;
        }
        echo '<h4>' . esc_html__('Refunds', 'daric') . '</h4>';
        foreach ($records as $record) {
            echo '<p>' . esc_html(RefundRecords::words($record)) . ' – ' . esc_html(Words::ofRefund($record['status']));
            if ($record['txHash'] !== '') {
                echo '<br><code>' . esc_html($record['txHash']) . '</code>';
            }
            echo '</p>';
            self::link($connection->dashboardUrl('/refunds/' . rawurlencode($record['id'])), __('This refund in Daric’s dashboard', 'daric'));
        }
    }

    private static function link(string $url, string $label): void
    {
        echo '<p><a href="' . esc_url($url) . '" target="_blank" rel="noopener">' . esc_html($label) . '</a></p>';
    }

    private static function orderOf($item): ?\WC_Order
    {
        $order = $item instanceof \WP_Post ? wc_get_order($item->ID) : $item;
        return $order instanceof \WC_Order ? $order : null;
    }
}
