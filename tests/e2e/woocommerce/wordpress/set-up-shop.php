<?php
// Makes a shop of a fresh WooCommerce: EUR, two taxes, shipping, coupons, products, and a page for each kind of checkout.
// Returns the ids and addresses that the journeys use.
foreach ([
    'woocommerce_currency' => 'EUR',
    'woocommerce_default_country' => 'DE',
    'woocommerce_store_address' => 'Lindenstr. 1',
    'woocommerce_store_city' => 'Berlin',
    'woocommerce_store_postcode' => '10969',
    'woocommerce_calc_taxes' => 'yes',
    'woocommerce_prices_include_tax' => 'no',
    'woocommerce_enable_coupons' => 'yes',
    'woocommerce_enable_guest_checkout' => 'yes',
    'woocommerce_enable_signup_and_login_from_checkout' => 'yes',
    'woocommerce_hold_stock_minutes' => '60',
    'woocommerce_allow_tracking' => 'no',
    'woocommerce_coming_soon' => 'no',
    'woocommerce_task_list_hidden' => 'yes',
    'woocommerce_show_marketplace_suggestions' => 'no',
    'woocommerce_onboarding_profile' => ['skipped' => true],
    'woocommerce_custom_orders_table_enabled' => 'yes',
    'woocommerce_custom_orders_table_data_sync_enabled' => 'no',
    'woocommerce_bacs_settings' => ['enabled' => 'yes', 'title' => 'Bank transfer'],
] as $name => $value) {
    update_option($name, $value);
}
// The shop is set up, so WooCommerce need not lead its administrator to do so.
delete_transient('_wc_activation_redirect');
wc_get_container()->get(\Automattic\WooCommerce\Internal\DataStores\Orders\DataSynchronizer::class)->create_database_tables();

foreach (['' => '19.0000', 'reduced-rate' => '7.0000'] as $class => $rate) {
    WC_Tax::_insert_tax_rate([
        'tax_rate_country' => 'DE', 'tax_rate_state' => '', 'tax_rate' => $rate, 'tax_rate_name' => 'VAT',
        'tax_rate_priority' => 1, 'tax_rate_compound' => 0, 'tax_rate_shipping' => 1, 'tax_rate_order' => 0, 'tax_rate_class' => $class,
    ]);
}
$zone = new WC_Shipping_Zone();
$zone->set_zone_name('Germany');
$zone->save();
$zone->add_location('DE', 'country');
$method = $zone->add_shipping_method('flat_rate');
update_option("woocommerce_flat_rate_{$method}_settings", ['title' => 'Parcel', 'tax_status' => 'taxable', 'cost' => '4.90']);

// A count of the same second, from before the zone, would say that the shop ships nothing.
foreach (['wc_shipping_method_count', 'wc_shipping_method_count_legacy'] as $count) {
    delete_transient($count);
}

$products = [];
foreach ([
    'mug' => ['Blue mug', '12.34', '', null],
    'book' => ['The Salt Road', '20.00', 'reduced-rate', null],
    'penny' => ['Sticker', '0.35', '', null],
    'last' => ['Teapot', '49.99', '', 500],
    'file' => ['A song', '3.50', '', null],
] as $key => [$name, $price, $taxClass, $stock]) {
    $product = new WC_Product_Simple();
    $product->set_name($name);
    $product->set_slug($key);
    $product->set_regular_price($price);
    $product->set_tax_class($taxClass);
    $product->set_manage_stock($stock !== null);
    $product->set_virtual($key === 'file');
    $product->set_downloadable($key === 'file');
    if ($stock !== null) {
        $product->set_stock_quantity($stock);
    }
    $products[$key] = $product->save();
}
$coupon = new WC_Coupon();
$coupon->set_code('tenth');
$coupon->set_discount_type('percent');
$coupon->set_amount('10');
$coupon->save();

WC_Install::create_pages();
$page = static function (string $title, string $slug, string $content): int {
    return wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title, 'post_name' => $slug, 'post_content' => $content]);
};
$block = '<!-- wp:woocommerce/checkout --><div class="wp-block-woocommerce-checkout alignwide wc-block-checkout is-loading"></div><!-- /wp:woocommerce/checkout -->';
$classic = $page('Checkout', 'checkout-classic', '<!-- wp:shortcode -->[woocommerce_checkout]<!-- /wp:shortcode -->');
$own = wc_get_page_id('checkout');
$blocks = has_block('woocommerce/checkout', $own) ? $own : $page('Checkout', 'checkout-blocks', $block);
return [
    'products' => $products,
    'pages' => ['checkout' => $own, 'classic' => $classic, 'blocks' => $blocks, 'cart' => wc_get_page_id('cart'), 'account' => wc_get_page_id('myaccount')],
];
