<?php

// Closing the payment pages of an order that needs no money any more.

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Closing;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\Reconciliation;

require_once __DIR__ . '/stubs/shop.php';

$closed = static function (ShopOrder $order): array {
    $order->status = 'cancelled';
    (new Closing(Connection::current()))->close(40);
    return [TestCharges::$archived, array_column(Attempts::of($order), 'state'), $order->get_meta(Attempts::TASK_META)];
};

check('cancelling an order closes its unpaid charge', static function () use ($closed): array {
    $order = TestCharges::shop([]);
    TestCharges::row('c1', '100', '0');
    return $closed($order);
}, [['c1'], [J::CLOSED], '']);

check('cancelling an order closes the rest that its customer was asked for, and says what is to be returned', static function () use ($closed): array {
    $order = TestCharges::shop(['state' => J::SHORT_ENDED, 'received' => '40']);
    TestCharges::row('c1', '100', '40', ['status' => 'ARCHIVED', 'payment_status' => 'expired']);
    TestCharges::row('r1', '60', '0', ['rest_of' => 'c1']);
    return $closed($order);
}, [['r1'], [J::SHORT_ENDED], J::TASK_CANCELED]);

check('cancelling an order with a part of its money closes the page, and is a task', static function () use ($closed): array {
    $order = TestCharges::shop(['state' => J::SHORT, 'received' => '40']);
    TestCharges::row('c1', '100', '40');
    return $closed($order);
}, [['c1'], [J::SHORT_ENDED], J::TASK_CANCELED]);

check('a charge whose money is on its way stays open', static function () use ($closed): array {
    $order = TestCharges::shop(['state' => J::SEEN]);
    TestCharges::row('c1', '100', '0', ['payment_status' => 'detected', 'amount_pending' => '100']);
    return $closed($order);
}, [[], [J::SEEN], '']);

check('a charge whose create got no answer is closed', static function () use ($closed): array {
    $order = TestCharges::shop(['chargeId' => '', 'state' => J::PLANNED]);
    TestCharges::row('lost', '100', '0');
    return array_merge($closed($order), [Attempts::of($order)[0]['chargeId']]);
}, [['lost'], [J::CLOSED], '', 'lost']);

check('the charge of another shop is left alone by a copied order', static function () use ($closed): array {
    $order = TestCharges::shop(['state' => J::OPEN_STATE], ['state' => J::SHORT_ENDED]);
    $metadata = ['metadata' => ['shop' => 'original00', 'key' => hash('sha256', 'wc_order_key')]];
    TestCharges::row('c1', '100', '0', $metadata);
    TestCharges::row('c2', '100', '40', $metadata + ['order_ref' => '40 (wc-a1b2c3d4e5-40-2)', 'status' => 'ARCHIVED', 'payment_status' => 'expired']);
    return $closed($order);
}, [[], [J::CLOSED, J::CLOSED], '']);

check('a fault of another plugin ends no checkout of another gateway: the charge is closed later', static function (): int {
    $order = TestCharges::shop([]);
    $order->onRead = static function (): void {
        throw new TypeError('A hook of another plugin.');
    };
    (new Closing(Connection::current()))->close(40);
    return count($GLOBALS['scheduled']);
}, 1);

check('no checkout waits for a Daric that did not answer a moment ago: the charge is closed later', static function (): array {
    $order = TestCharges::shop([]);
    TestSite::$daric = static function (): array {
        return [0, []];
    };
    $close = static function (): array {
        (new Closing(Connection::current()))->close(40);
        return [count(TestSite::$calls), count($GLOBALS['scheduled'])];
    };
    return [$close(), Reconciliation::isDaricAway(), $close(), $GLOBALS['scheduled'][0]];
}, [[1, 1], true, [1, 2], [Closing::LATER, [40, 1]]]);
