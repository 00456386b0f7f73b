<?php

declare(strict_types=1);

use Daric\WooCommerce\Admin\Returnable;
use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\OtherCoin;
use Daric\WooCommerce\RefundRecords;

$came = static function (WC_Order $order, string $chargeId = 'c1'): void {
    OtherCoin::came($order, ['data' => ['depositAddressId' => $chargeId, 'currency' => 'TRX']]);
};
$refunded = static function (WC_Order $order, string ...$statuses): array {
    $order->update_meta_data(RefundRecords::META, json_encode(array_map(static function (string $status): array {
        return ['chargeId' => 'c1', 'currency' => 'TRX', 'wcRefund' => 0, 'status' => $status];
    }, $statuses)));
    return OtherCoin::charges($order);
};

check('money of the other coin is to be returned until it is asked back, and again when more comes', static function () use ($came, $refunded): array {
    $order = new WC_Order();
    $came($order);
    $found = [$refunded($order), $refunded($order, 'REQUESTED'), $refunded($order, 'CANCELED'), $refunded($order, 'CANCELED', 'COMPLETED')];
    $came($order);
    return array_merge($found, [OtherCoin::charges($order), $refunded($order, 'CANCELED', 'COMPLETED', 'READY')]);
}, [['c1'], [], ['c1'], [], ['c1'], []]);

check('its button stays after a payment that has a task of its own, and is of its own charge', static function () use ($came): array {
    $order = new WC_Order();
    $order->update_meta_data(Attempts::META, json_encode([
        ['number' => 1, 'chargeId' => 'c1', 'state' => J::CLOSED, 'coin' => 'USDT'],
        ['number' => 2, 'chargeId' => 'c2', 'state' => J::SEEN, 'coin' => 'USDT'],
    ]));
    $order->update_meta_data(Attempts::TASK_META, J::TASK_SURPLUS);
    $came($order);
    return array_keys(Returnable::of($order));
}, ['c1' . Returnable::OTHER_COIN]);

check('the other coin, asked back, leaves the button of late money', static function () use ($came, $refunded): array {
    $order = new WC_Order();
    $order->update_meta_data(Attempts::META, json_encode([['number' => 1, 'chargeId' => 'c1', 'state' => J::LATE, 'coin' => 'USDT', 'received' => '9']]));
    $came($order);
    $refunded($order, 'REQUESTED');
    return array_keys(Returnable::of($order));
}, ['c1']);
