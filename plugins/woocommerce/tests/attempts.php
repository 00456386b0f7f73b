<?php

declare(strict_types=1);

use Daric\WooCommerce\Attempts;

require_once __DIR__ . '/stubs/order.php';

check('a reference of this shop names the order, by its number and by its id, and the attempt', static function (): array {
    $ref = Attempts::orderRef('a1b2c3d4e5', new StoredOrder(), 3);
    return [$ref, Attempts::parseRef('a1b2c3d4e5', $ref)];
}, ['40 (wc-a1b2c3d4e5-40-3)', ['orderId' => 40, 'number' => 3]]);
check('a number that another plugin gave is in the reference, as long as it fits', static function (): array {
    $order = new class extends WC_Order {
        public function get_id(): int
        {
            return 7;
        }

        public function get_order_number(): string
        {
            return 'Nº 2026-(7) ' . str_repeat('x', 200);
        }
    };
    $ref = Attempts::orderRef('a1b2c3d4e5', $order, 1);
    return [mb_strlen($ref) <= 120, strpos($ref, 'Nº 2026-(7) x') === 0, Attempts::parseRef('a1b2c3d4e5', $ref)];
}, [true, true, ['orderId' => 7, 'number' => 1]]);

$others = [
    '1042 (wc-zzzzzzzzzz-1042-1)' => 'another shop',
    '1042 (wc-a1b2c3d4e5-1042)' => 'no attempt',
    '1042 (wc-a1b2c3d4e5-0-1)' => 'order zero',
    '1042 (wc-a1b2c3d4e5-1042-1) ' => 'a blank behind it',
    "1042 (wc-a1b2c3d4e5-1042-1)\n" => 'a line end behind it',
    '1042 (wc-a1b2c3d4e5-99999999999999999999-1)' => 'a number that no integer holds',
    'wc-a1b2c3d4e5-1042-1' => 'no brackets',
    'A-1042' => 'a reference of another program',
];
foreach ($others as $ref => $why) {
    check("a reference with $why is none of this shop", static function () use ($ref): ?array {
        return Attempts::parseRef('a1b2c3d4e5', $ref);
    });
}
check('no reference is of a shop without an id', static function (): ?array {
    return Attempts::parseRef('', '1042 (wc--1042-1)');
});
check('an event without a reference is none of this shop', static function (): ?array {
    return Attempts::parseRef('a1b2c3d4e5', null);
});
