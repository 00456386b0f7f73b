<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** Which hook calls which method: the only place of hooks. */
final class Plugin
{
    public const VERSION = '0.1.0';
    public const GATEWAY = 'daric';
    /** The oldest WooCommerce that has all that is called here. */
    public const OLDEST_WOOCOMMERCE = '8.2';

    /** Hook `plugins_loaded`. Beside an older WooCommerce, or none, the plugin does nothing but say so. */
    public static function start(string $woocommerce): void
    {
        if (version_compare($woocommerce, self::OLDEST_WOOCOMMERCE, '>=')) {
            (new self())->hook();
            return;
        }
        add_action('init', [Languages::class, 'load']);
        add_action('admin_notices', static function (): void {
            if (!current_user_can('activate_plugins')) {
                return;
            }
            /* translators: %s: a version, "8.2" */
            $text = sprintf(__('This plugin needs WooCommerce %s or newer. Until then no customer can pay by it.', 'daric'), self::OLDEST_WOOCOMMERCE);
            echo '<div class="notice notice-error"><p><strong>Daric:</strong> ' . esc_html($text) . '</p></div>';
        });
    }

    public function hook(): void
    {
        add_filter('load_textdomain_mofile', [Languages::class, 'file'], 10, 2);
        add_action('init', [Languages::class, 'load']);
        $this->hookPayments();
        $this->hookCustomerPages();
        $this->hookOrders();
        $this->hookRefunds();
        $this->hookReconciliation();
        $this->hookAdmin();
    }

    public static function deactivate(): void
    {
        if (function_exists('as_unschedule_all_actions')) {
            Reconciliation::unschedule();
        }
    }

    private function hookPayments(): void
    {
        add_filter('woocommerce_payment_gateways', static function (array $gateways): array {
            return array_merge($gateways, [Gateway::class]);
        });
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry): void {
            $registry->register(new BlocksGateway());
        });
        add_filter('woocommerce_currencies', [Coins::class, 'names']);
        add_filter('woocommerce_currency_symbols', [Coins::class, 'symbols']);
    }

    private function hookCustomerPages(): void
    {
        add_action('woocommerce_api_' . CustomerPages::ENDPOINT, [CustomerPages::class, 'answer']);
        add_action('woocommerce_receipt_' . self::GATEWAY, [CustomerPages::class, 'modal']);
        add_action('woocommerce_order_details_before_order_table', [CustomerPages::class, 'box']);
        // Before WooCommerce empties the cart by the order's status, at 20.
        add_action('template_redirect', [CustomerPages::class, 'refresh'], 5);
    }

    private function hookOrders(): void
    {
        add_filter('woocommerce_cancel_unpaid_order', [HoldStock::class, 'mayCancel'], 20, 2);
        add_filter('woocommerce_payment_complete_reduce_order_stock', [HoldStock::class, 'mayReduce'], 20, 2);
        $close = static function ($orderId): void {
            (new Closing(Connection::current()))->close((int) $orderId);
        };
        // Before the charges are closed: what is found there is judged by it.
        foreach (['processing', 'completed'] as $status) {
            add_action("woocommerce_order_status_$status", [Orders::class, 'settle']);
        }
        foreach (['cancelled', 'processing', 'completed', 'refunded'] as $status) {
            add_action("woocommerce_order_status_$status", $close);
        }
        add_action('woocommerce_order_status_pending', [Orders::class, 'reopen']);
        foreach (['woocommerce_trash_order', 'wp_trash_post', 'woocommerce_before_delete_order', 'before_delete_post'] as $hook) {
            add_action($hook, $close);
        }
        add_action(Closing::LATER, static function (int $orderId, int $again = 0): void {
            (new Closing(Connection::current()))->close($orderId, $again);
        }, 10, 2);
    }

    private function hookRefunds(): void
    {
        add_action('woocommerce_create_refund', [Refunds::class, 'remember'], 10, 2);
        add_action('woocommerce_order_refunded', static function (int $orderId, int $wcRefund): void {
            (new Refunds(Connection::current()))->tell($orderId, $wcRefund);
        }, 10, 2);
        add_action('woocommerce_refund_deleted', static function (int $_, int $orderId): void {
            (new Refunds(Connection::current()))->onDeleted($orderId);
        }, 10, 2);
        add_action('woocommerce_rest_delete_shop_order_refund_object', static function (\WC_Order_Refund $refund): void {
            (new Refunds(Connection::current()))->onDeleted($refund->get_parent_id());
        });
        foreach (['woocommerce_before_delete_order', 'before_delete_post'] as $hook) {
            add_action($hook, static function ($orderId): void {
                (new Refunds(Connection::current()))->onOrderDeleted((int) $orderId);
            });
        }
        add_filter('woocommerce_order_fully_refunded_status', [RefundHold::class, 'status'], 100, 2);
        foreach (['customer_refunded_order', 'customer_partially_refunded_order', 'customer_pos_refunded_order'] as $mail) {
            add_filter("woocommerce_email_enabled_$mail", [RefundHold::class, 'mailIsEnabled'], 100, 3);
        }
        add_filter('woocommerce_email_classes', [Mails\RefundClaim::class, 'register']);
        add_action('woocommerce_view_order', static function (int $orderId): void {
            (new RefundLinks(Connection::current()))->show($orderId);
        }, 5);
    }

    private function hookReconciliation(): void
    {
        add_action('rest_api_init', [WebhookRoute::class, 'register']);
        add_action(Reconciliation::ACTION, [Reconciliation::class, 'run']);
        add_action('admin_init', [Reconciliation::class, 'schedule']);
    }

    private function hookAdmin(): void
    {
        add_action('current_screen', [CustomerPages::class, 'refreshInAdmin']);
        add_action('admin_menu', [Admin\ConnectPage::class, 'register'], 60);
        add_action('admin_enqueue_scripts', [Admin\ConnectPage::class, 'style']);
        add_action('admin_notices', [Admin\ConnectPage::class, 'notice']);
        add_filter('plugin_action_links_' . plugin_basename(DARIC_PLUGIN_FILE), [Admin\ConnectPage::class, 'links']);
        foreach (Admin\ConnectActions::ALL as $action) {
            add_action("admin_post_daric_$action", static function () use ($action): void {
                Admin\ConnectActions::answer($action);
            });
        }
        add_action('add_meta_boxes', [Admin\OrderBox::class, 'register'], 10, 2);
        add_action('admin_footer', [Admin\OrderBox::class, 'form']);
        add_action('admin_post_daric_return', [Admin\ReturnAction::class, 'answer']);
        add_action('woocommerce_after_order_refund_item_name', [Admin\OrderBox::class, 'refundLine']);
    }
}
