<?php

declare(strict_types=1);

use Daric\WooCommerce\Admin\ConnectPage;
use Daric\WooCommerce\Busy;
use Daric\WooCommerce\Connecting;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Site;

require_once __DIR__ . '/stubs/site.php';
require_once __DIR__ . '/stubs/admin.php';
require_once __DIR__ . '/stubs/schedule.php';

/** A connected shop, seen at this address. */
$shopAt = static function (string $home, callable $daric, array $facts = []): void {
    TestSite::begin(['home' => $home, Connection::CURSOR => 'evt_1', Connection::OPTION => $facts + [
        'baseUrl' => 'https://pay.example.com', 'apiKey' => 'daric_test_sk_a_b', 'shopId' => 'a1b2c3d4e5', 'merchantId' => 'm1',
        'site' => Site::hidden('https://shop.example'), 'refreshedAt' => time(),
    ]], $daric);
};
/** A Daric that takes each code. */
$daric = static function (string $path): array {
    $bodies = [
        '/v1/shop-connections' => ['apiKey' => 'daric_test_sk_n_n', 'webhookSecret' => 'whsec_1', 'endpointId' => 'we_1', 'merchantId' => 'm1'],
        '/v1/account' => ['merchantId' => 'm1', 'name' => 'Books', 'network' => 'nile'],
    ];
    return [200, ['data' => $bodies[$path] ?? [], 'meta' => ['next' => 'evt_9', 'limit' => 100]]];
};
$connect = static function (): array {
    return Connecting::run('https://pay.example.com', 'AAAA-BBBB-CCCC-DDDD');
};

check('a site that was moved or copied is not connected before the answer, also after it was disconnected', static function () use ($shopAt, $daric, $connect): array {
    $shopAt('https://copy.example', $daric);
    $found = [refusal($connect)];
    Connection::current()->disconnect();
    return array_merge($found, [refusal($connect), Connection::current()->isElsewhere(), TestSite::$calls]);
}, [InvalidArgumentException::class, InvalidArgumentException::class, true, []]);

check('a copy that says so gets a shop id of its own, and one at the old address keeps it', static function () use ($shopAt, $daric, $connect): array {
    $shopAt('https://copy.example', $daric);
    Connection::current()->confirmCopied();
    $copy = $connect()['connection'];
    $found = [$copy->shopId(), $copy->obstacle()];
    $shopAt('https://shop.example', $daric);
    return [$found, $connect()['connection']->shopId()];
}, [['nnnnnnnnnn', null], 'a1b2c3d4e5']);

check('while the question stands, the page has its two answers and no other form', static function () use ($shopAt, $daric): array {
    $forms = static function (): array {
        preg_match_all('/value="daric_(\w+)"/', printed([ConnectPage::class, 'show']), $found);
        return $found[1];
    };
    $shopAt('https://copy.example', $daric);
    Connection::current()->disconnect();
    $asked = $forms();
    Connection::current()->confirmCopied();
    return [$asked, $forms()];
}, [['moved', 'copied'], ['connect']]);

check('a shop whose currencies could not be read is connected all the same, and says why', static function () use ($shopAt, $daric, $connect): array {
    $shopAt('https://shop.example', static function (string $path) use ($daric): array {
        return $path === '/v1/currencies' ? [500, ['error' => ['code' => 'INTERNAL']]] : $daric($path);
    });
    delete_option(Connection::CURSOR);
    $fault = $connect()['fault'];
    return [
        $fault instanceof Daric\DaricException, Connection::current()->obstacle(), TestSite::$options[Connection::CURSOR],
        TestSite::$options['test_schedule'], TestSite::$options[Connection::FAULT] !== '',
    ];
}, [true, null, 'evt_9', true, true]);

check('while another process reads events, a code is not used up', static function () use ($shopAt, $daric, $connect): array {
    $shopAt('https://shop.example', $daric);
    TestSite::$isLocked = true;
    return [refusal($connect), TestSite::$calls];
}, [Busy::class, []]);

check('a shop that had a key before is told so', static function () use ($shopAt, $daric, $connect): array {
    $shopAt('https://shop.example', $daric);
    $again = $connect()['isAgain'];
    Connection::current()->disconnect();
    return [$again, $connect()['isAgain']];
}, [true, false]);

check('the secret before a rotation is taken for seven days', static function () use ($shopAt, $daric): array {
    $secrets = ['secrets' => ['new', 'old']];
    $count = static function (int $age) use ($shopAt, $daric, $secrets): int {
        $shopAt('https://shop.example', $daric, $secrets + ['secretAt' => time() - $age]);
        return count(Connection::current()->secrets());
    };
    return [$count(604700), $count(604801)];
}, [2, 1]);
