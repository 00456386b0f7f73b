<?php

declare(strict_types=1);

use Daric\WooCommerce\Attempts;

check('a reference of this shop names the order and the attempt', static function (): ?array {
    return Attempts::parseRef('a1b2c3d4e5', Attempts::orderRef('a1b2c3d4e5', 1042, 3));
}, ['orderId' => 1042, 'number' => 3]);

$others = [
    'wc-zzzzzzzzzz-1042-1' => 'another shop',
    'wc-a1b2c3d4e5-1042' => 'no attempt',
    'wc-a1b2c3d4e5-0-1' => 'order zero',
    'wc-a1b2c3d4e5-1042-1 ' => 'a blank behind it',
    "wc-a1b2c3d4e5-1042-1\n" => 'a line end behind it',
    'wc-a1b2c3d4e5-99999999999999999999-1' => 'a number that no integer holds',
    'A-1042' => 'a reference of another program',
];
foreach ($others as $ref => $why) {
    check("a reference with $why is none of this shop", static function () use ($ref): ?array {
        return Attempts::parseRef('a1b2c3d4e5', $ref);
    });
}
check('no reference is of a shop without an id', static function (): ?array {
    return Attempts::parseRef('', 'wc--1042-1');
});
check('an event without a reference is none of this shop', static function (): ?array {
    return Attempts::parseRef('a1b2c3d4e5', null);
});
