<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** The fields of the gateway's settings. */
final class GatewayFields
{
    /** @return array<string, array<string, mixed>> */
    public static function all(): array
    {
        return [
            'enabled' => self::box(__('Enable/Disable', 'daric'), __('Offer USDT and TRX at the checkout', 'daric'), 'yes'),
            'title' => self::text(__('Title', 'daric'), __('USDT or TRX (TRON)', 'daric'), __('The name at the checkout.', 'daric')),
            'description' => self::text(
                __('Description', 'daric'),
                __('You pay on the next page, from your wallet or from an exchange.', 'daric'),
                __('The sentence under the name.', 'daric')
            ),
            'coin' => self::choice(
                __('Coin', 'daric'),
                ['USDT' => 'USDT', 'TRX' => 'TRX'],
                __('What customers send for a price in another currency.', 'daric')
            ),
            'display' => self::choice(
                __('Payment page', 'daric'),
                ['redirect' => __('The customer goes to it', 'daric'), 'modal' => __('It opens over your shop', 'daric')],
                __('Before it can open over your shop, list the address of your shop in the settings of Daric.', 'daric')
            ),
            'accept_late' => self::box(
                __('Late payments', 'daric'),
                __('Accept money that pays an order after its time', 'daric'),
                'no',
                __('Without it the order goes on hold, and you decide.', 'daric')
            ),
            'cancel_on_expiry' => self::box(
                __('Unpaid orders', 'daric'),
                __('Cancel an order once its time is over and nothing came', 'daric'),
                'no',
                __('Without it the customer can pay again, until WooCommerce cancels unpaid orders.', 'daric')
            ),
            'daric_mails' => self::box(
                __('Mails of Daric', 'daric'),
                __('Daric mails the receipt to customers too', 'daric'),
                'no',
                __('Your shop then gives the customer’s e-mail address to Daric.', 'daric')
            ),
        ];
    }

    private static function box(string $title, string $label, string $default, string $description = ''): array
    {
        return ['title' => $title, 'type' => 'checkbox', 'label' => $label, 'default' => $default, 'description' => $description];
    }

    private static function text(string $title, string $default, string $description): array
    {
        return ['title' => $title, 'type' => 'text', 'default' => $default, 'description' => $description, 'desc_tip' => true];
    }

    private static function choice(string $title, array $options, string $description): array
    {
        return ['title' => $title, 'type' => 'select', 'options' => $options, 'default' => key($options), 'description' => $description];
    }
}
