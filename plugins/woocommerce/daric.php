<?php

/**
 * Plugin Name: Daric for WooCommerce
 * Description: Accept USDT and TRX on TRON with your own Daric. The money goes to your own wallet.
 * Version: 0.1.0
 * Author: Daric
 * License: MIT
 * Text Domain: daric
 * Domain Path: /languages
 * Requires at least: 6.4
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 11.0
 */

declare(strict_types=1);

if (!defined('ABSPATH')) {
    exit;
}

define('DARIC_PLUGIN_FILE', __FILE__);

// The zip has the client in vendor/; a checkout has it beside the plugin.
spl_autoload_register(static function (string $class): void {
    $clients = is_dir(__DIR__ . '/vendor') ? __DIR__ . '/vendor/' : __DIR__ . '/../../clients/php/src/';
    foreach (['Daric\\WooCommerce\\' => __DIR__ . '/src/', 'Daric\\' => $clients] as $prefix => $folder) {
        if (strpos($class, $prefix) === 0) {
            $file = $folder . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
            if (is_file($file)) {
                require $file;
            }
            return;
        }
    }
});

add_action('before_woocommerce_init', static function (): void {
    if (!class_exists(\Automattic\WooCommerce\Utilities\FeaturesUtil::class)) {
        return; // an old WooCommerce
    }
    foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
        \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, DARIC_PLUGIN_FILE, true);
    }
});
add_action('plugins_loaded', static function (): void {
    Daric\WooCommerce\Plugin::start(defined('WC_VERSION') ? (string) WC_VERSION : '');
});
register_deactivation_hook(__FILE__, [Daric\WooCommerce\Plugin::class, 'deactivate']);
