<?php

// Charges that Daric does not know, or that cannot be asked for.

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\HoldStock;
use Daric\WooCommerce\OrderWork;
use Daric\WooCommerce\Site;

require_once __DIR__ . '/stubs/site.php';
require_once __DIR__ . '/stubs/order.php';
require_once __DIR__ . '/stubs/fresh.php';

/** An unpaid order whose charge ended so many seconds ago, at a Daric that answers so. */
$unpaid = static function (callable $daric, int $ago = 60, string $state = 'open'): StoredOrder {
    TestSite::begin([Connection::OPTION => [
        'baseUrl' => 'https://pay.example.com', 'apiKey' => 'daric_test_sk_a_b', 'shopId' => 'a1b2c3d4e5', 'merchantId' => 'm1',
        'site' => Site::hidden('https://shop.example'),
    ]], $daric);
    $order = new StoredOrder();
    $order->status = 'pending';
    Attempts::put($order, [
        'number' => 1, 'chargeId' => 'da_1', 'orderRef' => '40 (wc-a1b2c3d4e5-40-1)', 'merchantId' => 'm1', 'state' => $state, 'coin' => 'USDT',
        'expiresAt' => time() - $ago,
    ]);
    $GLOBALS['orders'] = [40 => $order];
    return $order;
};
$unknown = static function (): array {
    return [404, ['error' => ['code' => 'NOT_FOUND']]];
};
$mayCancel = static function (StoredOrder $order): bool {
    return HoldStock::mayCancel(true, $order);
};

check('an order whose charge Daric does not know gives its stock back', static function () use ($unpaid, $unknown, $mayCancel): array {
    $order = $unpaid($unknown);
    return [$mayCancel($order), Attempts::of($order)[0]['state']];
}, [true, 'closed']);

check('the charge of another shop is none of a copied order', static function () use ($unpaid): array {
    $order = $unpaid(static function (): array {
        return [200, ['data' => [
            'id' => 'da_1', 'order_ref' => '40 (wc-zzzzzzzzzz-40-1)', 'metadata' => ['shop' => 'zzzzzzzzzz'], 'rest_of' => null, 'payment_status' => 'awaiting',
            'paid_late' => false, 'payment_state' => 'none', 'status' => 'ACTIVE', 'amount_received' => '0',
        ]]];
    });
    (new OrderWork(Connection::current()))->look(40, 'da_1');
    return [Attempts::of($order)[0]['state'], $order->status];
}, ['closed', 'pending']);

check('a 404 of a proxy, and money that was seen, are not forgotten', static function () use ($unpaid, $unknown): array {
    $proxy = $unpaid(static function (): array {
        return [404, ['success' => null]];
    });
    $fault = refusal(static function (): void {
        (new OrderWork(Connection::current()))->look(40, 'da_1');
    });
    $paid = $unpaid($unknown, 60, 'paid');
    (new OrderWork(Connection::current()))->look(40, 'da_1');
    return [$fault, Attempts::of($proxy)[0]['state'], Attempts::of($paid)[0]['state']];
}, ['UNEXPECTED_ANSWER', 'open', 'paid']);

check('a shop that is disconnected for good gives stock back a day after the end of a charge, unless money was seen', static function () use ($unpaid, $unknown, $mayCancel): array {
    return array_map(static function (array $case) use ($unpaid, $unknown, $mayCancel): bool {
        $order = $unpaid($unknown, ...$case);
        Connection::current()->disconnect();
        return $mayCancel($order);
    }, [[86300], [86500], [86500, 'seen'], [86500, 'short'], [86500, 'paid']]);
}, [false, true, false, false, false]);
