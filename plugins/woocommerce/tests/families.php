<?php

// A charge and its rests: what came, what came too much, and what goes back.

declare(strict_types=1);

use Daric\WooCommerce\Admin\Returnable;
use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Facts;
use Daric\WooCommerce\Family;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\OrderWork;
use Daric\WooCommerce\Refunds;

require_once __DIR__ . '/stubs/shop.php';

/** A first charge of 100 that got 40, with rests `[due, received, state of the sums]`. */
$family = static function (array ...$rests): array {
    $first = ['status' => 'ARCHIVED', 'payment_status' => 'paid', 'accepted_at' => '2026-12-01T00:00:00.000Z'];
    $rows = [TestCharges::row('c1', '100', '40', $first)];
    foreach ($rests as $index => [$due, $received, $state]) {
        $fiat = isset($rests[$index][3]) ? ['fiat_amount' => $rests[$index][3], 'fiat_currency' => 'EUR'] : [];
        $rows[] = TestCharges::row('r' . ($index + 1), $due, $received, $fiat + ['rest_of' => 'c1', 'status' => 'ARCHIVED', 'payment_status' => 'paid', 'payment_state' => $state]);
    }
    if (isset($rests[0][3])) {
        $rows[0] = ['fiat_amount' => '50.00', 'fiat_currency' => 'EUR'] + $rows[0];
    }
    return $rows;
};
$sums = [
    'a rest that got what it asked for' => [[['60', '60', 'exact']], ['100.000000', '100.000000', 'exact', 0]],
    'a rest that got too much' => [[['60', '80', 'over']], ['120.000000', '100.000000', 'over', 20000000]],
    'a rest at another rate' => [[['62', '62', 'exact', '30.00']], ['102.000000', '102.000000', 'exact', 0]],
    'a rest that asked for a cent more, rounded' => [[['59.99', '59.99', 'exact', '30.01']], ['99.990000', '99.990000', 'exact', 0]],
    'a part of a rest, and the rest of that' => [[['60', '20', 'under'], ['40', '40', 'exact']], ['100.000000', '100.000000', 'exact', 0]],
    'two rests that were both paid' => [[['60', '60', 'exact'], ['60', '60', 'exact']], ['160.000000', '100.000000', 'over', 60000000]],
    'a rest that was accepted short' => [[['60', '50', 'under']], ['90.000000', '100.000000', 'under', 0]],
];
// The first charge got 3 more once its rest had paid; or it got all, and its rest a part.
check('money that comes to a charge after its rest paid is a surplus', static function (): array {
    $more = ['status' => 'ARCHIVED', 'payment_status' => 'paid', 'accepted_at' => '2026-12-01T00:00:00.000Z'];
    $found = [];
    foreach ([['43', 'under', '60', 'exact'], ['100', 'exact', '20', 'under']] as [$first, $firstState, $rest, $restState]) {
        $charges = [
            TestCharges::row('c1', '100', $first, ['payment_state' => $firstState] + $more),
            TestCharges::row('r1', '60', $rest, ['rest_of' => 'c1', 'payment_state' => $restState] + $more),
        ];
        $found[] = [Family::isOver($charges), array_sum(Family::surplus($charges)), Family::sum($charges)['amount_due']];
    }
    return $found;
}, [[true, 3000000, '100.000000'], [true, 20000000, '100.000000']]);
foreach ($sums as $what => [$rests, $expected]) {
    check("a charge of 100 that got 40 counts $what", static function () use ($family, $rests): array {
        $rows = $family(...$rests);
        $sum = Family::sum($rows);
        return [$sum['amount_received'], $sum['amount_due'], $sum['payment_state'], array_sum(Family::surplus($rows))];
    }, $expected);
}

check('late money of an order and of its rest goes back whole, by a refund for each charge, and ends the task', static function (): array {
    $order = TestCharges::shop(['state' => J::LATE, 'received' => '100.000000', 'rests' => ['r1']]);
    $order->status = 'on-hold';
    $order->update_meta_data(Attempts::TASK_META, J::TASK_LATE);
    TestCharges::row('c1', '100', '40', ['status' => 'ARCHIVED', 'payment_status' => 'expired']);
    TestCharges::row('r1', '60', '60', ['rest_of' => 'c1', 'status' => 'EXPIRED', 'payment_status' => 'expired', 'payment_state' => 'exact', 'paid_late' => true]);
    $before = array_keys(Returnable::of($order));
    (new Refunds(Connection::current()))->returnMoney(40, 'c1', false);
    return [$before, TestCharges::$asked, $order->get_meta(Attempts::TASK_META), Returnable::of($order)];
}, [['c1'], ['c1' => '40.000000', 'r1' => '60.000000'], '', []]);

check('what came later than a refund can be returned too', static function (): array {
    $order = TestCharges::shop(['state' => J::LATE, 'received' => '100.000000', 'rests' => ['r1']]);
    TestCharges::row('c1', '100', '40', ['status' => 'ARCHIVED', 'payment_status' => 'expired']);
    TestCharges::refund('wc-a1b2c3d4e5-40-m-c1-USDT-1', 'c1', '40');
    TestCharges::row('r1', '60', '60', ['rest_of' => 'c1', 'status' => 'EXPIRED', 'payment_status' => 'expired', 'payment_state' => 'exact', 'paid_late' => true]);
    (new Refunds(Connection::current()))->returnMoney(40, 'c1', false);
    return TestCharges::$asked;
}, ['r1' => '60.000000']);

check('a surplus on a rest is noted with its sum, and goes back from the rest', static function () use ($family): array {
    $order = TestCharges::shop(['state' => J::PAID, 'received' => '40.000000']);
    $order->status = 'processing';
    $order->update_meta_data(Attempts::PAID_META, 'c1');
    $family(['60', '80', 'over']);
    (new OrderWork(Connection::current()))->look(40, 'r1', [['id' => 'e1', 'event' => 'order.overpaid']]);
    $label = Returnable::of($order)['c1'] ?? '';
    $isNoted = strpos(end($order->notes), '120.000000 USDT in all, and 100.000000 USDT was due') > 0;
    (new Refunds(Connection::current()))->returnMoney(40, 'c1', false);
    return [$isNoted, $label, TestCharges::$asked, Returnable::of($order)];
}, [true, 'Refund the surplus of 20.000000 USDT', ['r1' => '20.000000'], []]);

check('an order that its rest paid shows what came to both, and the rest’s transaction first', static function () use ($family): array {
    $order = TestCharges::shop(['state' => J::PAID, 'received' => '40.000000']);
    $order->status = 'processing';
    $order->update_meta_data(Attempts::PAID_META, 'c1');
    $family(['60', '60', 'exact']);
    (new OrderWork(Connection::current()))->look(40, 'c1');
    $facts = Facts::of($order);
    return [$facts['amountReceived'], $facts['amountDue'], $facts['txHashes'], Attempts::of($order)[0]['rests']];
}, ['100.000000', '100.000000', ['tx-r1', 'tx-c1'], ['r1']]);
