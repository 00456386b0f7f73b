<?php

// The mail with the claim links, while WooCommerce has not loaded its mails: the class that they extend is there once the mailer is.

declare(strict_types=1);

use Daric\WooCommerce\Mails\ClaimLinks;

check('the links are mailed by a request that has sent no mail yet, and a note says if the mail is switched off', static function (): array {
    $order = new WC_Order();
    ClaimLinks::send($order, [['claim_url' => 'https://pay.example.com/r/x', 'address' => null]]);
    return array_map(static function (string $note): bool {
        return strpos($note, 'could not be sent') > 0 && strpos($note, '/r/') === false;
    }, $order->notes);
}, [true]);

check('a refund that has its address needs no link', static function (): array {
    $order = new WC_Order();
    ClaimLinks::send($order, [['claim_url' => null, 'address' => null], ['claim_url' => 'https://pay.example.com/r/x', 'address' => 'T']]);
    return $order->notes;
}, []);
