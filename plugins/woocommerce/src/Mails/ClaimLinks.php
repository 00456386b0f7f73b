<?php

declare(strict_types=1);

namespace Daric\WooCommerce\Mails;

use Daric\WooCommerce\RefundNotes;

defined('ABSPATH') || exit;

/** Sends the claim links of refunds to the customer. */
final class ClaimLinks
{
    /**
     * Where the mail cannot go, a note says so.
     *
     * @param list<array<string, mixed>> $refunds rows of Daric
     */
    public static function send(\WC_Order $order, array $refunds): void
    {
        $open = array_values(array_filter($refunds, static function (array $refund): bool {
            return $refund['claim_url'] !== null && $refund['address'] === null;
        }));
        if ($open === []) {
            return;
        }
        // WooCommerce loads the class that its mails extend together with its mailer, and not before.
        $mails = WC()->mailer()->get_emails();
        $mail = $mails[RefundClaim::ID] ?? null;
        $isSent = $mail instanceof RefundClaim && $mail->trigger($order, $open);
        $order->add_order_note($isSent ? RefundNotes::claimMailed() : RefundNotes::claimNotMailed());
    }
}
