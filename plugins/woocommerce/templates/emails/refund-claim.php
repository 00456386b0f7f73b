<?php

/**
 * The mail with the claim link of a refund. A theme may replace it by woocommerce/emails/refund-claim.php.
 *
 * @var \WC_Order $order
 * @var list<array<string, mixed>> $refunds
 * @var string $email_heading
 * @var string $additional_content
 * @var \WC_Email $email
 */

defined('ABSPATH') || exit;

// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- a hook of WooCommerce's mails
do_action('woocommerce_email_header', $email_heading, $email);
?>
<p>
<?php
/* translators: %s: number of the order */
echo esc_html(sprintf(__('A refund for your order #%s is ready for you.', 'daric'), $order->get_order_number()));
?>
</p>
<?php foreach ($refunds as $daric_refund) : ?>
<p>
    <strong><?php echo esc_html("{$daric_refund['amount']} {$daric_refund['currency']}"); ?></strong><br>
    <a class="button" href="<?php echo esc_url($daric_refund['claim_url']); ?>"><?php esc_html_e('Say where the money goes', 'daric'); ?></a>
</p>
<?php endforeach; ?>
<p><?php esc_html_e('The page asks for your own address on the TRON network. Take it from your wallet, not from the payment: an exchange that sent it may not take money back at that address.', 'daric'); ?></p>
<p><?php esc_html_e('Keep this link to yourself: it takes one address, once. Nothing is paid before you have named it.', 'daric'); ?></p>
<?php
if ($additional_content !== '') {
    echo wp_kses_post(wpautop(wptexturize($additional_content)));
}
// phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- a hook of WooCommerce's mails
do_action('woocommerce_email_footer', $email);
