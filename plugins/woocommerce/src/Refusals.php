<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

use Daric\DaricException;

defined('ABSPATH') || exit;

/** What Daric refuses, in words for the shop's people. */
final class Refusals
{
    public static function ofRefund(DaricException $fault): string
    {
        switch ($fault->errorCode) {
            case 'PAYMENT_IN_PROGRESS':
                return __('A payment of this order is not final yet. Try again in a few minutes.', 'daric');
            case 'REFUND_EXCEEDS_RECEIVED':
            case 'NOTHING_RECEIVED':
                return self::tooMuch();
            case 'NOT_FIAT_PRICED':
                return __('The currency of the order is not the one that it was paid in. Make this refund in Daric’s dashboard.', 'daric');
        }
        if ($fault->isOutcomeUnknown) {
            return __('Daric did not answer, so the refund may exist there. Look into Daric’s dashboard, under Refunds, before you try again.', 'daric');
        }
        return self::ofCall($fault);
    }

    public static function tooMuch(): string
    {
        return __('This is more than Daric has left of this order’s money. Look at the refunds in Daric’s dashboard; refunds of the surplus and refunds by hand count too.', 'daric');
    }

    public static function ofCall(DaricException $fault): string
    {
        switch ($fault->errorCode) {
            case 'INSUFFICIENT_SCOPE':
                return __('The key of this shop may not do this. Connect the shop again, or give the key in wp-config.php the rights that Daric’s documentation names.', 'daric');
            case 'WRONG_ENVIRONMENT':
                return __('The key and this Daric are of different environments, test and live. Connect the shop again.', 'daric');
            case 'MERCHANT_SUSPENDED':
                return __('Your merchant account in Daric is suspended. Ask the operator of Daric.', 'daric');
            case 'RATE_LIMITED':
                return __('Daric gets too many calls at the moment. Try again in a minute.', 'daric');
            case 'TIMEOUT':
            case 'CONNECTION':
                return sprintf(
                    /* translators: %s: a reason in English */
                    __('Daric cannot be reached from this server: %s Check its address, and whether a firewall of your host stops outgoing requests.', 'daric'),
                    $fault->getMessage()
                );
            case 'UNEXPECTED_ANSWER':
                return sprintf(
                    /* translators: %s: a reason in English */
                    __('Something else than Daric answered: %s If Cloudflare stands before Daric, its bot mode must let this server through.', 'daric'),
                    $fault->getMessage()
                );
        }
        if ($fault->status === 401) {
            return __('Daric does not know the key of this shop any more: it was revoked. Connect the shop again.', 'daric');
        }
        /* translators: %s: a reason in English */
        return sprintf(__('Daric refused: %s', 'daric'), $fault->getMessage());
    }
}
