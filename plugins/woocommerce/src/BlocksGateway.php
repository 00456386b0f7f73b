<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method in the checkout block. */
final class BlocksGateway extends AbstractPaymentMethodType
{
    protected $name = Plugin::GATEWAY;

    private Gateway $gateway;

    public function initialize(): void
    {
        $this->gateway = new Gateway();
    }

    public function is_active(): bool
    {
        return $this->gateway->is_available();
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script('daric-blocks', plugins_url('assets/blocks.js', DARIC_PLUGIN_FILE), $needs, Plugin::VERSION, true);
        return ['daric-blocks'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        return [
            'title' => $this->gateway->get_title(),
            'description' => $this->gateway->get_description(),
            'supports' => array_values(array_filter($this->gateway->supports, [$this->gateway, 'supports'])),
        ];
    }
}
