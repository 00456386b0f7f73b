<?php

// The way to the payment page.

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Charges;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Judgement as J;
use Daric\WooCommerce\Orders;
use Daric\WooCommerce\Unavailable;

require_once __DIR__ . '/stubs/shop.php';

/** The address of the payment page, or the words of the refusal. */
$page = static function (): string {
    try {
        return (new Charges(Connection::current()))->pageOf(40);
    } catch (Unavailable $fault) {
        return $fault->getMessage();
    }
};

check('an order without a charge gets one', static function () use ($page): array {
    $order = TestCharges::shop();
    return [$page(), array_column(Attempts::of($order), 'state')];
}, ['https://pay.example.com/c/made', [J::OPEN_STATE]]);

check('an order that is ended while Daric makes its charge gets no page, and the charge is closed', static function () use ($page): array {
    $order = TestCharges::shop();
    $order->onRead = static function (ShopOrder $order): void {
        $order->status = isset(TestCharges::$rows['made']) ? 'cancelled' : 'pending';
    };
    return [$page(), TestCharges::$archived, array_column(Attempts::of($order), 'state')];
}, ['This order needs no payment now.', ['made'], [J::CLOSED]]);

check('a copied order does not send its customer to the page of the order that it was copied from', static function () use ($page): array {
    $order = TestCharges::shop([]);
    TestCharges::row('c1', '100', '0', ['metadata' => ['shop' => 'original00', 'key' => hash('sha256', 'wc_order_key')]]);
    return [$page(), TestCharges::$archived, array_column(Attempts::of($order), 'state')];
}, ['https://pay.example.com/c/made', [], [J::CLOSED, J::OPEN_STATE]]);

check('the rest of a cancelled order is not asked for, whatever its status is', static function () use ($page): array {
    $order = TestCharges::shop(['state' => J::SHORT_ENDED]);
    $order->update_meta_data(Attempts::TASK_META, J::TASK_CANCELED);
    return array_map(static function (string $status) use ($order, $page): string {
        $order->status = $status;
        return $page();
    }, ['on-hold', 'failed']);
}, array_fill(0, 2, 'This order needs no payment now.'));

check('a fault of another plugin is said in words, and logged', static function () use ($page): array {
    $order = TestCharges::shop();
    $order->onRead = static function (): void {
        throw new TypeError('A hook of another plugin.');
    };
    return [$page(), strpos(end(TestSite::$warnings), 'A hook of another plugin.') > 0];
}, ['The payment page cannot be made at the moment. Please tell the shop.', true]);

check('an order that a person called paid by mistake, and set back to pending, can be paid', static function () use ($page): array {
    $order = TestCharges::shop();
    $order->datePaid = new stdClass();
    return [Orders::isPaid($order), $page()];
}, [false, 'https://pay.example.com/c/made']);

check('a part that a person took as the price, and does not any more, waits for its rest again', static function (): bool {
    $order = TestCharges::shop(['state' => J::SHORT]);
    $order->datePaid = new stdClass();
    $order->update_meta_data(Attempts::PAID_META, 'c1');
    return Orders::isPaid($order);
}, false);

check('an order that Daric’s money paid stays paid, whatever its status is', static function (): array {
    $order = TestCharges::shop(['state' => J::PAID]);
    $order->datePaid = new stdClass();
    $order->update_meta_data(Attempts::PAID_META, 'c1');
    return array_map(static function (string $status) use ($order): bool {
        $order->status = $status;
        return Orders::isPaid($order);
    }, ['pending', 'on-hold', 'processing', 'cancelled']);
}, array_fill(0, 4, true));
