<?php

declare(strict_types=1);

use Daric\WooCommerce\Admin\Todo;
use Daric\WooCommerce\Admin\Words;
use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\RefundNews;
use Daric\WooCommerce\RefundRecords;

require_once __DIR__ . '/stubs/site.php';
require_once __DIR__ . '/stubs/order.php';

$row = static function (string $status): array {
    return [
        'id' => 'rf_1', 'refund_ref' => 'wc-a1b2c3d4e5-40-r41', 'deposit_address_id' => 'da_1', 'paid_amount' => null, 'amount' => '5.00',
        'currency' => 'USDT', 'fiat_amount' => null, 'status' => $status, 'tx_hash' => 'ab',
    ];
};
/** An order with one refund that waits. */
$asked = static function () use ($row): StoredOrder {
    TestSite::begin([Connection::OPTION => ['shopId' => 'a1b2c3d4e5']], static function (): array {
        return [0, []];
    });
    $order = new StoredOrder();
    $GLOBALS['orders'] = [40 => $order, 41 => new WC_Order_Refund()];
    $GLOBALS['actions'] = [];
    (new RefundNews(Connection::current(), $order))->take($row('READY'));
    $order->notes = [];
    return $order;
};

check('a refund whose end failed half way is ended by the next try, and is told once', static function () use ($asked, $row): array {
    $order = $asked();
    $order->fault = new Error('A status hook of another plugin.');
    $failure = refusal(static function () use ($order, $row): void {
        (new RefundNews(Connection::current(), $order))->take($row('COMPLETED'));
    });
    $before = [$order->status, $order->notes];
    $order = $order->again();
    for ($try = 0; $try < 2; $try++) {
        (new RefundNews(Connection::current(), $order))->take($row('COMPLETED'));
    }
    return [$failure, $before, $order->status, count($order->notes), $GLOBALS['actions']];
}, ['Error', ['processing', []], 'refunded', 1, ['woocommerce_order_fully_refunded_notification']]);

check('a refund that is canceled is deleted, and goods that it put back on stock are named', static function () use ($asked, $row): array {
    $order = $asked();
    (new RefundNews(Connection::current(), $order))->take($row('CANCELED'));
    return [$GLOBALS['orders'][41]->isDeleted, strpos(end($order->notes), 'stock') > 0, $order->status];
}, [true, true, 'processing']);

/** An order on hold whose late money a button of the box asked back: the answer was lost. */
$boxed = static function (string $task) use ($asked, $row): array {
    $order = $asked();
    $order->status = 'on-hold';
    $order->update_meta_data(Attempts::META, json_encode([['number' => 1, 'chargeId' => 'da_1', 'state' => J::LATE, 'coin' => 'USDT', 'received' => '10.00']]));
    $order->update_meta_data(Attempts::TASK_META, $task);
    $order->update_meta_data(RefundRecords::META, '');
    return [$order, ['id' => 'rf_2', 'refund_ref' => 'wc-a1b2c3d4e5-40-m-da_1-USDT-1', 'claim_url' => 'https://pay.example.com/r/x', 'address' => null]];
};

check('a refund of the box whose answer was lost gets its mail, and ends the task', static function () use ($boxed, $row): array {
    [$order, $box] = $boxed(J::TASK_LATE);
    for ($try = 0; $try < 2; $try++) {
        (new RefundNews(Connection::current(), $order))->take($box + $row('REQUESTED'));
    }
    $isAsked = strpos($order->notes[0], 'is asked for in Daric. Nothing is paid') > 0;
    return [$isAsked, strpos($order->notes[1], 'The mail') === 0, count($order->notes), $order->get_meta(Attempts::TASK_META)];
}, [true, true, 2, '']);

check('it brings the task back where it is canceled, and leaves the mark of a cancelled order', static function () use ($boxed, $row): array {
    return array_map(static function (string $task) use ($boxed, $row): array {
        [$order, $box] = $boxed($task);
        (new RefundNews(Connection::current(), $order))->take($box + $row('REQUESTED'));
        $between = $order->get_meta(Attempts::TASK_META);
        (new RefundNews(Connection::current(), $order))->take($box + $row('CANCELED'));
        return [$between, $order->get_meta(Attempts::TASK_META)];
    }, [J::TASK_LATE, J::TASK_CANCELED]);
}, [['', J::TASK_LATE], [J::TASK_CANCELED, J::TASK_CANCELED]]);

check('an unpaid order whose money is all paid back says so once; while it waits there is nothing to do', static function () use ($boxed, $row): array {
    [$order, $box] = $boxed(J::TASK_CANCELED);
    $todo = [Todo::of($order)];
    (new RefundNews(Connection::current(), $order))->take($box + $row('REQUESTED'));
    $todo[] = Todo::of($order);
    foreach ([['id' => 'rf_3', 'refund_ref' => 'D-1'], $box] as $refund) {
        (new RefundNews(Connection::current(), $order))->take($refund + $row('COMPLETED'));
        $todo[] = Todo::of($order);
    }
    $said = array_keys($order->notes, Words::ofTask(J::TASK_CANCEL), true);
    return [$todo, count($said), end($said) === count($order->notes) - 1];
}, [[[J::TASK_CANCELED], [J::TASK_CANCELED], [], [J::TASK_CANCEL]], 1, true]);
