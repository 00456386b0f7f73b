<?php

// What a customer reads at the order.

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\CustomerPages;
use Daric\WooCommerce\Facts;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\RefundRecords;

require_once __DIR__ . '/stubs/shop.php';

/** The texts of the box: what it says, and the label of its link. */
$read = static function (string $status, string $state, string $task = '', array $refund = []): string {
    $order = TestCharges::shop(['state' => $state, 'received' => '40']);
    $order->status = $status;
    Facts::put($order, $state, TestCharges::row('c1', '100', '40'), []);
    $order->update_meta_data(Attempts::TASK_META, $task);
    $order->update_meta_data(RefundRecords::META, json_encode($refund === [] ? [] : [$refund + ['chargeId' => 'c1', 'currency' => 'USDT', 'wcRefund' => 0]]));
    ob_start();
    CustomerPages::box($order);
    return trim(strip_tags((string) ob_get_clean()));
};
$short = 'We have received 40 USDT of 100 USDT.';
$rules = [
    ['a short order has the link for the rest', ['on-hold', J::SHORT], "$short Pay the rest"],
    ['an order that was cancelled has none', ['on-hold', J::SHORT, J::TASK_CANCELED], $short],
    ['nor has one with the status of a cancelled order', ['cancelled', J::SHORT_ENDED], $short],
    ['nor one of which a part goes back', ['on-hold', J::SHORT_ENDED, '', ['amount' => '10', 'status' => 'REQUESTED']], $short],
    ['an order whose money all goes back says nothing more', ['on-hold', J::LATE, '', ['amount' => '40', 'status' => 'REQUESTED']], ''],
    ['a refund that was canceled changes nothing', ['on-hold', J::LATE, '', ['amount' => '40', 'status' => 'CANCELED']], 'Your payment has arrived. The shop looks at it and answers you.'],
    ['an order that waits for payment has the link to pay', ['pending', J::EXPIRED], 'Your payment has not arrived yet. Pay now'],
];
foreach ($rules as [$title, $facts, $expected]) {
    check("$title, for its customer", static function () use ($read, $facts): string {
        return $read(...$facts);
    }, $expected);
}
