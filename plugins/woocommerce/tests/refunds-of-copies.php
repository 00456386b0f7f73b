<?php

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\RefundLinks;
use Daric\WooCommerce\RefundReading;
use Daric\WooCommerce\RefundRecords;
use Daric\WooCommerce\Refunds;
use Daric\WooCommerce\Site;

require_once __DIR__ . '/stubs/site.php';
require_once __DIR__ . '/stubs/order.php';
require_once __DIR__ . '/stubs/fresh.php';
require_once __DIR__ . '/stubs/admin.php';

/** An order with a refund that the shop with this id asked for, of money for that shop's order. */
$orderOf = static function (string $shopId, string $ref = ''): StoredOrder {
    $row = [
        'id' => 'rf_1', 'refund_ref' => $ref === '' ? "wc-$shopId-40-r41" : $ref, 'deposit_address_id' => 'da_1', 'paid_amount' => null, 'amount' => '5.00',
        'currency' => 'USDT', 'fiat_amount' => null, 'status' => 'REQUESTED', 'tx_hash' => null,
    ];
    TestSite::begin([Connection::OPTION => [
        'baseUrl' => 'https://pay.example.com', 'apiKey' => 'daric_test_sk_a_b', 'shopId' => 'a1b2c3d4e5', 'merchantId' => 'm1',
        'site' => Site::hidden('https://shop.example'),
    ]], static function (string $path) use ($row, $shopId): array {
        $charge = ['id' => 'da_1', 'metadata' => ['shop' => $shopId, 'key' => hash('sha256', 'wc_order_key')]];
        $refund = ['address' => null, 'claim_url' => 'https://pay.example.com/r/x', 'status' => 'CANCELED'] + $row;
        return [200, ['data' => $path === '/v1/deposit-addresses/da_1' ? $charge : $refund]];
    });
    $order = new StoredOrder();
    Attempts::put($order, ['number' => 1, 'chargeId' => 'da_1', 'orderRef' => "40 (wc-$shopId-40-1)", 'merchantId' => 'm1', 'state' => 'paid', 'coin' => 'USDT']);
    RefundRecords::put($order, $row, 41);
    $GLOBALS['orders'] = [40 => $order];
    $GLOBALS['actions'] = [];
    return $order;
};
$links = static function (): string {
    return printed(static function (): void {
        (new RefundLinks(Connection::current()))->show(40);
    });
};

check('My account has the link of a refund of this shop, also of one that Daric’s dashboard made, and none of a copied order', static function () use ($orderOf, $links): array {
    $found = [];
    foreach ([['a1b2c3d4e5', ''], ['a1b2c3d4e5', 'R-1'], ['zzzzzzzzzz', ''], ['zzzzzzzzzz', 'R-1']] as [$shopId, $ref]) {
        $orderOf($shopId, $ref);
        $found[] = [strpos($links(), '/r/x') > 0, count(TestSite::$calls)];
    }
    return $found;
}, [[true, 1], [true, 1], [false, 0], [false, 0]]);

check('My account has the link of a refund that the dashboard made of the money of a rest', static function () use ($orderOf, $links): bool {
    $order = $orderOf('a1b2c3d4e5', 'R-1');
    Attempts::put($order, ['chargeId' => 'da_0', 'rests' => ['da_1']] + Attempts::of($order)[0]);
    return strpos($links(), '/r/x') > 0;
}, true);

check('a refund that is deleted in WooCommerce is canceled in Daric, and not in a copy', static function () use ($orderOf): array {
    $found = [];
    foreach (['a1b2c3d4e5', 'zzzzzzzzzz'] as $shopId) {
        $orderOf($shopId);
        (new Refunds(Connection::current()))->onDeleted(40);
        $found[] = TestSite::$calls;
    }
    return $found;
}, [['/v1/refunds/rf_1/cancel'], []]);

check('an order that is deleted leaves no refund that can be paid, whatever it is a refund of', static function () use ($orderOf): array {
    $order = $orderOf('a1b2c3d4e5', 'wc-a1b2c3d4e5-40-m-da_1-USDT-1');
    $GLOBALS['orders'][41] = new WC_Order_Refund();
    (new Refunds(Connection::current()))->onOrderDeleted(40);
    return [TestSite::$calls, RefundRecords::of($order)[0]['status']];
}, [['/v1/refunds/rf_1/cancel'], 'CANCELED']);

check('the order’s screen reads a refund that waits, so that no lost event keeps it waiting', static function () use ($orderOf): array {
    $order = $orderOf('a1b2c3d4e5');
    (new RefundReading(Connection::current()))->visit($order);
    $first = TestSite::$calls;
    (new RefundReading(Connection::current()))->visit($order);
    $copied = $orderOf('zzzzzzzzzz');
    (new RefundReading(Connection::current()))->visit($copied);
    return [$first, RefundRecords::of($order)[0]['status'], TestSite::$calls];
}, [['/v1/refunds/rf_1', '/v1/deposit-addresses/da_1'], 'CANCELED', []]);
