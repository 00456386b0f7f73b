<?php

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Languages;
use Daric\WooCommerce\Micros;
use Daric\WooCommerce\Orders;
use Daric\WooCommerce\RefundRecords;

check('the reference of a refund names its order and WooCommerce refund, and only its own shop reads it', static function (): array {
    $refs = [RefundRecords::refOfRefund('shop1', 40, 41, 1), RefundRecords::refOfRefund('shop1', 40, 41, 2)];
    $read = static function (?string $ref): ?int {
        return RefundRecords::parseRef('shop1', 40, $ref);
    };
    return [$refs, array_map($read, $refs), $read('wc-shop2-40-r41'), $read('wc-shop1-4-r41'), $read('wc-shop1-40-m-1'), $read('R-1'), $read(null)];
}, [['wc-shop1-40-r41', 'wc-shop1-40-r41-2'], [41, 41], null, null, null, null, null]);

check('a refund is waiting until it is paid or canceled', static function (): array {
    return array_map(static function (string $status): bool {
        return RefundRecords::isWaiting(['status' => $status]);
    }, ['REQUESTED', 'READY', 'SENT', 'COMPLETED', 'CANCELED']);
}, [true, true, true, false, false]);

check('a refund is told by its coins, and by its part of the price if it has one', static function (): array {
    $record = ['amount' => '5.41', 'currency' => 'USDT', 'fiat' => '5.00 EUR'];
    return [RefundRecords::words($record), RefundRecords::words(['fiat' => ''] + $record)];
}, ['5.41 USDT (5.00 EUR)', '5.41 USDT']);

check('coins are counted in whole millionths, without a float', static function (): array {
    return [
        Micros::of('0.1') + Micros::of('0.2'),
        Micros::decimal(Micros::of('9000000000.000001')),
        Micros::decimal(Micros::of('35.740707') - Micros::of('23.827138')),
        Micros::decimal(1),
        Micros::decimal(0),
    ];
}, [300000, '9000000000.000001', '11.913569', '0.000001', '0.000000']);

check('what is no amount of a coin is refused', static function (): array {
    return array_map(static function (string $text): ?string {
        return refusal(static function () use ($text): void {
            Micros::of($text);
        });
    }, ['', '-1', '1.0000001', '1e3', '1,5', ' 1']);
}, array_fill(0, 6, 'InvalidArgumentException'));

check('a locale without a translation gets the nearest one, and Chinese of another script none', static function (): array {
    return array_map([Languages::class, 'nearest'], ['es_MX', 'pt_PT_ao90', 'fa_AF', 'zh_TW', 'de_DE', 'vi']);
}, ['es_ES', 'pt_BR', 'fa_IR', 'zh_TW', 'de_DE', 'vi']);

check('another plugin’s translations, and those that are there, are loaded as they are', static function (): array {
    $there = dirname(__DIR__) . '/languages/daric-es_ES.mo';
    return [
        Languages::file('/x/woocommerce-es_MX.mo', 'woocommerce'),
        Languages::file('/x/daric-es_MX.mo', 'daric'),
        Languages::file('/x/daric-vi.mo', 'daric'),
        basename(Languages::file($there, 'daric')),
    ];
}, ['/x/woocommerce-es_MX.mo', '/x/daric-es_ES.mo', '/x/daric-vi.mo', 'daric-es_ES.mo']);

check('a refund of a charge or of its rest counts; one of another attempt, of the other coin or a canceled one does not', static function (): array {
    return array_map(static function (array $record): bool {
        $order = new WC_Order();
        $attempts = [['chargeId' => 'first', 'coin' => 'USDT'], ['chargeId' => 'second', 'coin' => 'USDT']];
        $order->update_meta_data(Attempts::META, json_encode($attempts));
        $order->update_meta_data(RefundRecords::META, json_encode([$record + ['chargeId' => 'second', 'currency' => 'USDT', 'status' => 'COMPLETED']]));
        return Orders::hasRefund($order, $attempts[1]);
    }, [[], ['chargeId' => 'rest'], ['status' => 'REQUESTED'], ['chargeId' => 'first'], ['currency' => 'TRX'], ['status' => 'CANCELED']]);
}, [true, true, true, false, false, false]);
