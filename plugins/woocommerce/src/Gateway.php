<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** The payment method in WooCommerce's settings and at the checkout. */
final class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = Plugin::GATEWAY;
        $this->method_title = __('Daric: USDT and TRX', 'daric');
        $this->method_description = __('Customers pay in USDT or TRX on TRON, on the payment page of your own Daric.', 'daric');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->enabled = (string) $this->get_option('enabled');
        $this->title = (string) $this->get_option('title');
        $this->description = (string) $this->get_option('description');
    }

    public function init_form_fields(): void
    {
        $this->form_fields = GatewayFields::all();
    }

    public function is_available(): bool
    {
        return parent::is_available() && self::reasonToHide(self::currencyOfPage()) === null;
    }

    public function needs_setup(): bool
    {
        return Connection::current()->obstacle() !== null;
    }

    /** Why customers do not see the payment method, in words for the shop; null if they do. */
    public static function reasonToHide(string $currency): ?string
    {
        $connection = Connection::current();
        switch ($connection->obstacle()) {
            case Connection::NOT_CONNECTED:
                return __('The shop is not connected with Daric.', 'daric');
            case Connection::BAD_KEY:
                return __('The API key is missing or malformed.', 'daric');
            case Connection::MOVED_OR_COPIED:
                return __('The address of this site is another one than when it was connected: was it moved or copied?', 'daric');
        }
        if (!$connection->prices($currency)) {
            /* translators: 1: code of a currency, 2: codes of currencies */
            return sprintf(__('Daric has no price in %1$s now. It has prices in %2$s.', 'daric'), $currency, implode(', ', array_merge($connection->currencies(), Total::COINS)));
        }
        return $connection->isTest() && !current_user_can('manage_woocommerce')
            ? __('The key is of a test environment: only people that manage the shop see the payment method.', 'daric')
            : null;
    }

    public function admin_options(): void
    {
        $reason = self::reasonToHide(get_woocommerce_currency());
        if ($reason !== null) {
            echo '<div class="notice notice-warning inline"><p>' . esc_html(__('Customers do not see this payment method.', 'daric') . ' ' . $reason) . '</p></div>';
        }
        parent::admin_options();
    }

    /** @param int $order_id */
    public function process_payment($order_id): array
    {
        try {
            $page = (new Charges(Connection::current()))->pageOf((int) $order_id);
        } catch (Unavailable $fault) {
            wc_add_notice($fault->getMessage(), 'error');
            return ['result' => 'failure', 'redirect' => ''];
        }
        $order = wc_get_order($order_id);
        return ['result' => 'success', 'redirect' => Preferences::isModal() ? $order->get_checkout_payment_url(true) : $page];
    }

    /**
     * @param int $order_id
     * @param string|null $amount in the order's currency
     * @param string $reason
     * @return bool|\WP_Error
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        return (new Refunds(Connection::current()))->process((int) $order_id, $amount, (string) $reason);
    }

    /** The currency of the order that the page pays, else that of the shop. */
    private static function currencyOfPage(): string
    {
        $order = wc_get_order(absint(get_query_var('order-pay')));
        return $order instanceof \WC_Order ? $order->get_currency() : get_woocommerce_currency();
    }
}
