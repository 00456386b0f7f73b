<?php

declare(strict_types=1);

use Daric\WooCommerce\Plugin;

require_once __DIR__ . '/stubs/hooks.php';

check('beside an old WooCommerce, or none, the plugin says so and does nothing else', static function (): array {
    return array_map(static function (string $version): array {
        $GLOBALS['hooks'] = [];
        Plugin::start($version);
        return [in_array('admin_notices', $GLOBALS['hooks'], true), in_array('woocommerce_payment_gateways', $GLOBALS['hooks'], true)];
    }, ['', '7.9.0', '8.1.3', '8.2.0', '11.0.1']);
}, [[true, false], [true, false], [true, false], [true, true], [true, true]]);

check('the oldest WooCommerce is the one that the plugin’s header names', static function (): bool {
    return strpos((string) file_get_contents(DARIC_PLUGIN_FILE), 'WC requires at least: ' . Plugin::OLDEST_WOOCOMMERCE . "\n") > 0;
}, true);
