<?php

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\Orders;

/** What pays an order, and its task, after a person or another method gave it the status of a paid one. */
$settled = static function (array $states, string $task, string $method = 'daric', array $meta = []): array {
    $order = $GLOBALS['orders'][7] = new WC_Order($method);
    $attempts = [];
    foreach ($states as $index => $state) {
        $attempts[] = ['chargeId' => 'c' . ($index + 1), 'state' => $state, 'coin' => 'USDT'];
    }
    foreach ([Attempts::META => json_encode($attempts), Attempts::TASK_META => $task] + $meta as $key => $value) {
        $order->update_meta_data($key, $value);
    }
    Orders::settle(7);
    return [$order->get_meta(Attempts::PAID_META), $order->get_meta(Attempts::TASK_META)];
};
$rules = [
    ['money that is not final is the price of an order that a person calls paid', [[J::SEEN], ''], ['c1', '']],
    ['so is a part within its time', [[J::SHORT], ''], ['c1', '']],
    ['late money is the price, and its task is done', [[J::CLOSED, J::LATE], J::TASK_LATE], ['c2', '']],
    ['money of an older attempt is to be returned then', [[J::LATE, J::SHORT], ''], ['c2', 'refund']],
    ['what paid the order stays its payment', [[J::PAID, J::LATE], J::TASK_REFUND, 'daric', [Attempts::PAID_META => 'c1']], ['c1', 'refund']],
    ['a surplus stays a task', [[J::OVER], J::TASK_SURPLUS, 'daric', [Attempts::PAID_META => 'c1']], ['c1', 'refund_surplus']],
    ['a part is to be returned where another method paid the order', [[J::SHORT], '', 'cod'], ['', 'refund']],
    ['an order without money has no task', [[J::OPEN_STATE], ''], ['', '']],
];
foreach ($rules as [$title, $facts, $expected]) {
    check($title, static function () use ($settled, $facts): array {
        return $settled(...$facts);
    }, $expected);
}

check('a cancelled order that a person sets to pending is an order as any other; other tasks stay', static function (): array {
    return array_map(static function (string $task): string {
        $order = $GLOBALS['orders'][7] = new WC_Order();
        $order->update_meta_data(Attempts::TASK_META, $task);
        Orders::reopen(7);
        return $order->get_meta(Attempts::TASK_META);
    }, [J::TASK_CANCELED, J::TASK_COIN]);
}, ['', J::TASK_COIN]);
