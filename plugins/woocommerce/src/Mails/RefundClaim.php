<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Mails;

defined('ABSPATH') || exit;

/**
 * WooCommerce's mail with the claim link of a refund: the customer names the address that the money goes to. The link goes to the
 * order's own customer alone, since its holder says where the money goes.
 */
final class RefundClaim extends \WC_Email
{
    public const ID = 'daric_refund_claim';

    /** @var list<array<string, mixed>> refunds of Daric with their claim links */
    private array $refunds = [];

    public function __construct()
    {
        $this->id = self::ID;
        $this->customer_email = true;
        // WooCommerce before 10 has no groups of mails, and PHP warns of a property that its class does not have.
        if (property_exists(\WC_Email::class, 'email_group')) {
            $this->email_group = 'payments';
        }
        $this->title = __('Daric: address for a refund', 'daric');
        $this->description = __('Asks the customer for the address that a refund in USDT or TRX goes to. Without this mail the customer finds the link in My account.', 'daric');
        $this->template_base = dirname(DARIC_PLUGIN_FILE) . '/templates/';
        $this->template_html = 'emails/refund-claim.php';
        $this->template_plain = 'emails/plain/refund-claim.php';
        $this->placeholders = ['{order_date}' => '', '{order_number}' => ''];
        parent::__construct();
    }

    /** Filter `woocommerce_email_classes`. */
    public static function register(array $mails): array
    {
        $mails[self::ID] = new self();
        return $mails;
    }

    /** @param list<array<string, mixed>> $refunds */
    public function trigger(\WC_Order $order, array $refunds): bool
    {
        $this->setup_locale();
        try {
            $this->object = $order;
            $this->refunds = $refunds;
            $this->recipient = $order->get_billing_email();
            $this->placeholders['{order_date}'] = wc_format_datetime($order->get_date_created());
            $this->placeholders['{order_number}'] = $order->get_order_number();
            if (!$this->is_enabled() || !$this->get_recipient()) {
                return false;
            }
            return (bool) $this->send($this->get_recipient(), $this->get_subject(), $this->get_content(), $this->get_headers(), $this->get_attachments());
        } finally {
            $this->refunds = [];
            $this->restore_locale();
        }
    }

    public function get_default_subject(): string
    {
        /* translators: {site_title} and {order_number} stay as they are */
        return __('Your refund for order #{order_number} at {site_title}: where should it go?', 'daric');
    }

    public function get_default_heading(): string
    {
        return __('Your refund', 'daric');
    }

    public function get_content_html(): string
    {
        return $this->content($this->template_html, false);
    }

    public function get_content_plain(): string
    {
        return $this->content($this->template_plain, true);
    }

    private function content(string $template, bool $isPlain): string
    {
        return wc_get_template_html($template, [
            'order' => $this->object,
            'refunds' => $this->refunds,
            'email_heading' => $this->get_heading(),
            'additional_content' => $this->get_additional_content(),
            'sent_to_admin' => false,
            'plain_text' => $isPlain,
            'email' => $this,
        ], '', $this->template_base);
    }
}
