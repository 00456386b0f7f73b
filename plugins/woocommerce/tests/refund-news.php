<?php

declare(strict_types=1);

use Daric\WooCommerce\Connection;
use Daric\WooCommerce\RefundNews;

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
