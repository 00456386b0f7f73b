<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** The settings of the gateway, as WooCommerce stores them. */
final class Preferences
{
    public const OPTION = 'woocommerce_daric_settings';

    /** The coin that a customer sends for a price in another currency. */
    public static function coin(): string
    {
        return self::text('coin') === 'TRX' ? 'TRX' : 'USDT';
    }

    /** Whether the payment page opens over the shop's page. */
    public static function isModal(): bool
    {
        return self::text('display') === 'modal';
    }

    /** Whether money that pays an order too late is accepted. */
    public static function acceptsLate(): bool
    {
        return self::text('accept_late') === 'yes';
    }

    /** Whether an order is cancelled as soon as its time is over and nothing came. */
    public static function cancelsOnExpiry(): bool
    {
        return self::text('cancel_on_expiry') === 'yes';
    }

    /** Whether Daric mails receipts to customers, beside WooCommerce's mails. */
    public static function hasDaricMails(): bool
    {
        return self::text('daric_mails') === 'yes';
    }

    public static function isEnabled(): bool
    {
        return self::text('enabled') === 'yes';
    }

    private static function text(string $name): string
    {
        $all = get_option(self::OPTION, []);
        return is_array($all) && is_string($all[$name] ?? null) ? $all[$name] : '';
    }
}
