<?php

/**
 * The mail with the claim link of a refund, as plain text. A theme may replace it by woocommerce/emails/plain/refund-claim.php.
 *
 * @var \WC_Order $order
 * @var list<array<string, mixed>> $refunds
 * @var string $email_heading
 * @var string $additional_content
 */

defined('ABSPATH') || exit;

echo esc_html(wp_strip_all_tags($email_heading)) . "\n\n";
/* translators: %s: number of the order */
echo esc_html(sprintf(__('A refund for your order #%s is ready for you.', 'daric'), $order->get_order_number())) . "\n\n";
foreach ($refunds as $daric_refund) {
    echo esc_html("{$daric_refund['amount']} {$daric_refund['currency']}") . "\n";
    echo esc_html__('Say where the money goes', 'daric') . ': ' . esc_url_raw($daric_refund['claim_url']) . "\n\n";
}
echo esc_html__('The page asks for your own address on the TRON network. Take it from your wallet, not from the payment: an exchange that sent it may not take money back at that address.', 'daric') . "\n\n";
echo esc_html__('Keep this link to yourself: it takes one address, once. Nothing is paid before you have named it.', 'daric') . "\n\n";
if ($additional_content !== '') {
    echo esc_html(wp_strip_all_tags(wptexturize($additional_content))) . "\n\n";
}
// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- a filter of WooCommerce's mails
echo wp_kses_post(apply_filters('woocommerce_email_footer_text', get_option('woocommerce_email_footer_text')));
