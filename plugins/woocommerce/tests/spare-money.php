<?php

// What of an order's money can go back, and what closes with it.

declare(strict_types=1);

use Daric\WooCommerce\Admin\Returnable;
use Daric\WooCommerce\Admin\Todo;
use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\Orders;
use Daric\WooCommerce\OtherCoin;
use Daric\WooCommerce\RefundRecords;

require_once __DIR__ . '/stubs/shop.php';

$refunded = static function (WC_Order $order, array $record): void {
    $records = json_encode([$record + ['chargeId' => 'c1', 'currency' => 'USDT', 'wcRefund' => 0, 'status' => 'COMPLETED']]);
    $order->update_meta_data(RefundRecords::META, $records);
};

check('a part of an order can go back once the order is cancelled, and waits for the rest before', static function (): array {
    $order = TestCharges::shop(['state' => J::SHORT, 'received' => '40']);
    return array_map(static function (array $facts) use ($order): array {
        [$order->status, $task] = $facts;
        $order->update_meta_data(Attempts::TASK_META, $task);
        return array_keys(Returnable::of($order));
    }, [['on-hold', ''], ['cancelled', ''], ['on-hold', J::TASK_CANCELED]]);
}, [[], ['c1'], ['c1']]);

check('a refund of the price takes nothing of the surplus, and a refund of the surplus takes its button', static function () use ($refunded): array {
    $order = TestCharges::shop(['state' => J::OVER, 'received' => '120', 'surplus' => '20']);
    $order->status = 'processing';
    $order->update_meta_data(Attempts::PAID_META, 'c1');
    return array_map(static function (int $wcRefund) use ($order, $refunded): array {
        $refunded($order, ['amount' => '20', 'wcRefund' => $wcRefund]);
        return array_values(Returnable::of($order));
    }, [41, 0]);
}, [['Refund the surplus of 20.000000 USDT'], []]);

check('a refund of a rest is of the attempt of that rest, and of no other', static function () use ($refunded): array {
    $order = TestCharges::shop(['state' => J::LATE, 'rests' => ['r1']], ['state' => J::PAID]);
    $refunded($order, ['chargeId' => 'r1', 'amount' => '60']);
    return array_map(static function (array $attempt) use ($order): bool {
        return Orders::hasRefund($order, $attempt);
    }, Attempts::of($order));
}, [true, false]);

check('a paid order whose money goes back keeps its task', static function () use ($refunded): array {
    $order = TestCharges::shop(['state' => J::PAID, 'received' => '100']);
    $order->status = 'processing';
    $order->update_meta_data(Attempts::TASK_META, J::TASK_REFUND);
    $refunded($order, ['amount' => '100']);
    return Todo::of($order);
}, [J::TASK_REFUND]);

check('the button of the other coin closes a page that can still be paid, and no other', static function (): array {
    return array_map(static function (string $state): bool {
        $order = TestCharges::shop(['state' => $state]);
        OtherCoin::came($order, ['data' => ['depositAddressId' => 'c1', 'currency' => 'TRX']]);
        return Returnable::closesPage($order);
    }, [J::OPEN_STATE, J::SHORT, J::EXPIRED, J::PAID]);
}, [true, true, false, false]);
