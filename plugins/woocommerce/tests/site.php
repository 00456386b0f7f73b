<?php

declare(strict_types=1);

use Daric\WooCommerce\Site;

check('the stored address of a site is read again as it was', static function (): string {
    return Site::shown(Site::hidden('https://shop.example/books'));
}, 'https://shop.example/books');

check('a tool that replaces the address in a dump does not find the stored one', static function (): array {
    $stored = serialize(['site' => Site::hidden('https://shop.example')]);
    $forms = ['https://shop.example', '//shop.example', 'shop.example', 'https:\/\/shop.example', rawurlencode('https://shop.example')];
    return [str_replace($forms, 'copy.example', $stored) === $stored, Site::isSame(Site::shown(unserialize($stored)['site']), 'https://copy.example')];
}, [true, false]);

check('what is no stored address is no site', static function (): array {
    return array_map([Site::class, 'shown'], ['', 'https://shop.example', 'abc']);
}, ['', '', '']);
