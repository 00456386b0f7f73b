<?php

declare(strict_types=1);

use Daric\WooCommerce\RefundSplit;
use Daric\WooCommerce\Total;

check('a refund above each charge takes all of the first, and the rest of the next', static function (): array {
    return RefundSplit::over(['a' => 60000000, 'b' => 40000000], 80000000);
}, ['a' => 60000000, 'b' => 20000000]);

check('a charge with nothing left gives nothing, and none gives more than it has', static function (): array {
    return [RefundSplit::over(['a' => 0, 'b' => 5], 5), RefundSplit::over(['a' => -3, 'b' => 5], 5), RefundSplit::over(['a' => 60, 'b' => 40], 101)];
}, [['b' => 5], ['b' => 5], []]);

check('a part of a price is the same part of its coins, rounded down', static function (): array {
    $charge = ['currency' => 'USDT', 'amount_due' => '108.333333', 'fiat_currency' => 'EUR', 'fiat_amount' => '100.00'];
    return [RefundSplit::coinsOf(Total::of('80', 'EUR'), $charge), RefundSplit::coinsOf(Total::of('0.01', 'EUR'), $charge), RefundSplit::coinsOf(Total::of('80', 'USDT'), $charge), RefundSplit::coinsOf(Total::of('80', 'USD'), $charge)];
}, [86666666, 10833, 80000000, null]);

check('a product that no whole number holds is none', static function (): ?int {
    return RefundSplit::coinsOf(Total::of('90000000000.00', 'EUR'), ['currency' => 'USDT', 'amount_due' => '90000000000', 'fiat_currency' => 'EUR', 'fiat_amount' => '90000000000.00']);
});
