<?php

declare(strict_types=1);

use Daric\WooCommerce\Busy;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Events;
use Daric\WooCommerce\Reconciliation;
use Daric\WooCommerce\Site;

require_once __DIR__ . '/stubs/shop.php';

$connection = [
    'baseUrl' => 'https://pay.example.com', 'apiKey' => 'daric_test_sk_a_b', 'shopId' => 'a1b2c3d4e5', 'merchantId' => 'm1',
    'site' => Site::hidden('https://shop.example'), 'refreshedAt' => time(),
];
$stored = static function (array $more = []) use ($connection): array {
    return $more + [Connection::OPTION => $connection, Connection::CURSOR => 'evt_1'];
};
$page = static function (array $events, ?string $next): array {
    return [200, ['data' => $events, 'meta' => ['next' => $next, 'has_more' => false]]];
};
$silent = static function (): array {
    return [0, []];
};
// Of this shop. Handling it fails each time, since the Daric of these tests answers no charge.
$broken = ['id' => 'evt_2', 'event' => 'order.paid', 'environment' => 'test', 'data' => ['orderRef' => '1 (wc-a1b2c3d4e5-1-1)', 'depositAddressId' => 'da_1']];

check('pages wait for a Daric that does not answer once a minute, and not once each', static function () use ($stored, $silent): array {
    TestSite::begin($stored(), $silent);
    $before = Reconciliation::isDaricAway();
    for ($visit = 0; $visit < 5; $visit++) {
        Reconciliation::onVisit();
    }
    return [$before, Reconciliation::isDaricAway(), TestSite::$calls];
}, [false, true, ['/v1/events after evt_1']]);

check('pages ask a Daric that answers again', static function () use ($stored, $silent, $page): array {
    TestSite::begin($stored(), $silent);
    Reconciliation::run();
    $before = Reconciliation::isDaricAway();
    TestSite::$daric = static function () use ($page): array {
        return $page([], 'evt_2');
    };
    Reconciliation::run();
    return [$before, Reconciliation::isDaricAway()];
}, [true, false]);

check('events are read while Daric cannot tell its currencies', static function () use ($stored, $connection, $page): array {
    $old = [Connection::OPTION => ['refreshedAt' => 1] + $connection];
    TestSite::begin($stored($old), static function (string $path) use ($page): array {
        return $path === '/v1/events' ? $page([], 'evt_9') : [500, ['error' => ['code' => 'INTERNAL']]];
    });
    Reconciliation::run();
    return [TestSite::$options[Connection::CURSOR], TestSite::$options[Connection::FAULT] !== ''];
}, ['evt_9', true]);

check('a position that Daric does not know is given up for the newest one', static function () use ($stored, $page): array {
    TestSite::begin($stored(), static function (string $path, array $query) use ($page): array {
        if ($path !== '/v1/events') {
            return [200, ['data' => [], 'meta' => ['limit' => 100]]];
        }
        return ($query['after'] ?? '') === 'newest' ? $page([], 'evt_7') : [400, ['error' => [
            'code' => 'VALIDATION_ERROR', 'details' => [['path' => 'after', 'message' => 'must be the id of one of your events, or newest']],
        ]]];
    });
    Reconciliation::onVisit();
    $visited = TestSite::$options[Connection::CURSOR];
    Reconciliation::run();
    return [$visited, TestSite::$options[Connection::CURSOR], TestSite::$options[Connection::FAULT]];
}, ['evt_1', 'evt_7', '']);

check('an event that fails ten times is passed over, with a line in the log', static function () use ($stored, $page, $broken): array {
    $GLOBALS['orders'] = [1 => new StoredOrder()];
    TestSite::begin($stored(), static function () use ($page, $broken): array {
        return $page([$broken], 'evt_2');
    });
    $order = $GLOBALS['orders'][1] = new ShopOrder();
    $order->onRead = static function (): void {
        throw new Error('A hook of another plugin.');
    };
    $seen = [];
    for ($run = 0; $run < 10; $run++) {
        $seen[] = TestSite::$options[Connection::CURSOR];
        Reconciliation::run();
    }
    return [array_unique($seen), TestSite::$options[Connection::CURSOR], strpos(end(TestSite::$warnings), 'is passed over') > 0];
}, [['evt_1'], 'evt_2', true]);

check('a refresh changes nothing where a person disconnected meanwhile', static function () use ($stored, $connection): array {
    TestSite::begin($stored(), static function (string $path): array {
        Connection::current()->disconnect();
        return [200, ['data' => $path === '/v1/account' ? ['merchantId' => 'm1', 'name' => 'Books', 'network' => 'nile'] : []]];
    });
    Connection::current()->refresh();
    return TestSite::$options[Connection::OPTION];
}, ['shopId' => 'a1b2c3d4e5', 'merchantId' => 'm1', 'site' => Site::hidden('https://shop.example')]);

check('a refresh keeps a secret that a person gave meanwhile', static function () use ($stored, $connection): array {
    $secret = 'whsec_' . str_repeat('a', 64);
    TestSite::begin($stored(), static function (string $path) use ($secret): array {
        Connection::current()->addSecret($secret);
        return [200, ['data' => $path === '/v1/account' ? ['merchantId' => 'm1', 'name' => 'Books', 'network' => 'nile'] : []]];
    });
    Connection::current()->refresh();
    return [Connection::current()->secrets() === [$secret], Connection::current()->merchantName()];
}, [true, 'Books']);

check('disconnecting keeps the place among the events of the merchant', static function () use ($stored, $silent): array {
    TestSite::begin($stored(), $silent);
    Connection::current()->disconnect();
    return [TestSite::$options[Connection::CURSOR], Connection::current()->isConnected(), Connection::current()->merchantId()];
}, ['evt_1', false, 'm1']);

check('an event without an id, a charge or a reference is passed over', static function () use ($stored, $page, $broken): array {
    $parts = [['id' => 7] + $broken, ['data' => ['orderRef' => '1 (wc-a1b2c3d4e5-1-1)']] + $broken, ['data' => ['orderRef' => [1]]] + $broken, ['data' => 1] + $broken];
    TestSite::begin($stored(), static function () use ($page, $parts): array {
        return $page($parts, 'evt_2');
    });
    Reconciliation::run();
    return [TestSite::$options[Connection::CURSOR], TestSite::$warnings];
}, ['evt_2', []]);

check('a page that shows an order does not wait for the events of others for long', static function () use ($stored, $silent, $broken): array {
    TestSite::begin($stored(), $silent);
    $fault = refusal(static function () use ($broken): void {
        (new Events(Connection::current()))->handle([$broken], microtime(true) - 1);
    });
    return [$fault, TestSite::$calls];
}, [Busy::class, []]);

check('an event that fails on a visit without time for those behind it passes over none of them', static function () use ($broken): string {
    TestCharges::shop()->onRead = static function (): void {
        usleep(10000);
        throw new Error('A hook of another plugin.');
    };
    $fails = ['data' => ['orderRef' => '40 (wc-a1b2c3d4e5-40-1)'] + $broken['data']] + $broken;
    return refusal(static function () use ($fails, $broken): void {
        $behind = ['data' => ['depositAddressId' => 'da_2'] + $broken['data'], 'id' => 'evt_3'] + $broken;
        (new Events(Connection::current()))->handle([$fails, $behind], microtime(true) + 0.005);
    });
}, Busy::class);

check('where events are lost, the orders that Daric’s lists name are looked at, each once', static function () use ($stored, $page): array {
    $order = new StoredOrder();
    $GLOBALS['orders'] = [40 => $order];
    TestSite::begin($stored(), static function (string $path, array $query) use ($page): array {
        $row = ['id' => 'd', 'order_ref' => '40 (wc-a1b2c3d4e5-40-1)', 'deposit_address_id' => 'da_1'];
        $lists = [
            '/v1/deposits' => [$row, $row, ['order_ref' => 'A-1', 'deposit_address_id' => 'da_2'] + $row],
            '/v1/refunds' => [['id' => 'rf_1', 'status' => 'READY', 'deposit_address_id' => 'da_3', 'requested_at' => gmdate('c')] + $row],
        ];
        if ($path === '/v1/refunds/rf_1') {
            return [200, ['data' => $lists['/v1/refunds'][0]]];
        }
        if (isset($lists[$path])) {
            return [200, ['data' => $lists[$path], 'meta' => ['limit' => 100]]];
        }
        return $path === '/v1/events' ? $page([], 'evt_7') : [404, ['error' => ['code' => 'NOT_FOUND']]];
    });
    Reconciliation::begin(Connection::current());
    return [array_values(preg_grep('~/da_~', TestSite::$calls)), TestSite::$options[Connection::CURSOR]];
}, [['/v1/deposit-addresses/da_3', '/v1/deposit-addresses/da_1'], 'evt_7']);
