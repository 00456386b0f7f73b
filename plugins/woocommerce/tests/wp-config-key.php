<?php

// The key in wp-config.php: a constant, so that these tests come last.

declare(strict_types=1);

use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Site;

require_once __DIR__ . '/stubs/site.php';
require_once __DIR__ . '/stubs/schedule.php';

check('a copy never uses the key of wp-config.php that it has of its shop, also once it is connected', static function (): array {
    define('DARIC_API_KEY', 'daric_live_sk_a_b');
    TestSite::begin(['home' => 'https://copy.example', Connection::OPTION => [
        'baseUrl' => 'https://pay.example.com', 'apiKey' => 'daric_live_sk_s_s', 'shopId' => 'a1b2c3d4e5', 'merchantId' => 'm1',
        'site' => Site::hidden('https://shop.example'),
    ]], static function (): array {
        return [0, []];
    });
    $found = [Connection::current()->isKeyInConfig()];
    Connection::current()->confirmCopied();
    Connection::store('https://pay.example.com', ['apiKey' => 'daric_test_sk_n_n', 'webhookSecret' => 's', 'endpointId' => 'e', 'merchantId' => 'm1']);
    $found[] = Connection::current()->environment();
    Connection::current()->disconnect();
    Connection::store('https://pay.example.com', ['apiKey' => 'daric_test_sk_n_n', 'webhookSecret' => 's', 'endpointId' => 'e', 'merchantId' => 'm1']);
    return array_merge($found, [Connection::current()->environment(), Connection::current()->isKeyInConfig()]);
}, [true, 'test', 'test', false]);
