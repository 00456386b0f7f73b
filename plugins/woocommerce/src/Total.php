<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** The total of an order, rounded half up to its currency's decimals. Exact: a decimal is a text here, and never a float. */
final class Total
{
    public const COINS = ['USDT', 'TRX'];
    private const COIN_DECIMALS = 6;
    /** ISO 4217; every other currency that Daric prices has two. */
    private const WITHOUT_DECIMALS = ['JPY', 'KRW'];

    /** The rounded amount, as a decimal: `19.99`. */
    public string $amount;
    public string $currency;
    /** Rounded less exact, as a decimal with a sign, `-0.004`; null if they are equal. */
    public ?string $difference;

    private function __construct(string $amount, string $currency, ?string $difference)
    {
        $this->amount = $amount;
        $this->currency = $currency;
        $this->difference = $difference;
    }

    /** @throws \InvalidArgumentException if the total is no decimal above zero */
    public static function of(string $total, string $currency): self
    {
        if (preg_match('/^([0-9]{1,30})(?:\.([0-9]{0,30}))?$/D', $total, $parts) !== 1) {
            throw new \InvalidArgumentException("The total \"$total\" is no decimal.");
        }
        $decimals = self::decimals($currency);
        $fraction = $parts[2] ?? '';
        $units = $parts[1] . str_pad(substr($fraction, 0, $decimals), $decimals, '0');
        $rest = (string) substr($fraction, $decimals);
        $isUp = $rest !== '' && $rest[0] >= '5';
        $units = $isUp ? self::plusOne($units) : $units;
        if (trim($units, '0') === '') {
            throw new \InvalidArgumentException("The total $total $currency is nothing to pay.");
        }
        return new self(self::decimal($units, $decimals), $currency, self::difference($rest, $decimals, $isUp));
    }

    public static function ofOrder(\WC_Order $order): self
    {
        // Another plugin's filter may return a number: wc_format_decimal makes a decimal of it.
        $total = $order->get_total();
        return self::of(is_string($total) ? $total : (string) wc_format_decimal($total), $order->get_currency());
    }

    public static function decimals(string $currency): int
    {
        if (in_array($currency, self::COINS, true)) {
            return self::COIN_DECIMALS;
        }
        return in_array($currency, self::WITHOUT_DECIMALS, true) ? 0 : 2;
    }

    /** Whether a price is this one. `12.5` is `12.50`. */
    public function equals(?string $amount, ?string $currency): bool
    {
        return $currency === $this->currency && $amount !== null
            && \Daric\Decimal::canonical($amount) === \Daric\Decimal::canonical($this->amount);
    }

    private static function plusOne(string $units): string
    {
        for ($at = strlen($units) - 1; $at >= 0; $at--) {
            if ($units[$at] !== '9') {
                $units[$at] = (string) ((int) $units[$at] + 1);
                return $units;
            }
            $units[$at] = '0';
        }
        return '1' . $units;
    }

    private static function decimal(string $units, int $decimals): string
    {
        $whole = $decimals === 0 ? $units : (string) substr($units, 0, -$decimals);
        $whole = ltrim($whole, '0');
        return ($whole === '' ? '0' : $whole) . ($decimals === 0 ? '' : '.' . substr($units, -$decimals));
    }

    /** @param string $rest the digits after those that are kept */
    private static function difference(string $rest, int $decimals, bool $isUp): ?string
    {
        $rest = rtrim($rest, '0');
        if ($rest === '') {
            return null;
        }
        $zeros = '0.' . str_repeat('0', $decimals);
        return $isUp ? '+' . self::complement($rest, $decimals) : '-' . $zeros . $rest;
    }

    /** One unit less the rest: 0.01 less 0.006 is 0.004. */
    private static function complement(string $rest, int $decimals): string
    {
        $digits = '';
        for ($at = 0; $at < strlen($rest); $at++) {
            // The last digit is not 0, so that it alone borrows.
            $digits .= (string) (($at === strlen($rest) - 1 ? 10 : 9) - (int) $rest[$at]);
        }
        return '0.' . str_repeat('0', $decimals) . $digits;
    }
}
