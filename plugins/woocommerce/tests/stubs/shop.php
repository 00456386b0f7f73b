<?php

// A shop with one order, 40, and a Daric with charges: what the test says and what is asked of it.

declare(strict_types=1);

use Daric\WooCommerce\Attempts;
use Daric\WooCommerce\Connection;
use Daric\WooCommerce\Judgement;
use Daric\WooCommerce\Site;

foreach (['site', 'order', 'fresh', 'admin', 'schedule'] as $stubs) {
    require_once __DIR__ . "/$stubs.php";
}

/** The order as every process reads it. */
final class ShopOrder extends WC_Order
{
    public string $status = 'pending';
    public ?object $datePaid = null;
    /** @var callable|null what another process does when this one reads the order */
    public $onRead = null;

    public function get_id(): int
    {
        return 40;
    }

    public function get_status(): string
    {
        return $this->status;
    }

    public function is_paid(): bool
    {
        return in_array($this->status, ['processing', 'completed'], true);
    }

    public function get_date_paid(): ?object
    {
        return $this->datePaid;
    }

    public function get_total(): string
    {
        return '100';
    }

    public function get_currency(): string
    {
        return 'USDT';
    }

    public function get_order_key(): string
    {
        return 'wc_order_key';
    }

    public function get_billing_email(): string
    {
        return '';
    }

    public function read_meta_data(): void
    {
        if ($this->onRead !== null) {
            ($this->onRead)($this);
        }
    }

    public function save(): void
    {
    }

    public function update_status(string $status, string $note = ''): void
    {
        $this->status = $status;
        $this->notes[] = $note;
    }
}

/** Daric's charges, and what was asked of them. */
final class TestCharges
{
    /** @var array<string, array<string, mixed>> rows by id */
    public static array $rows = [];
    /** @var list<array<string, mixed>> */
    public static array $refunds = [];
    /** @var list<string> the ids */
    public static array $archived = [];
    /** @var array<string, string> the money that was asked back, by charge */
    public static array $asked = [];

    /** A charge of the order, `payment_state` and `status` as Daric has them. */
    public static function row(string $id, string $due, string $received, array $more = []): array
    {
        return self::$rows[$id] = $more + [
            'id' => $id, 'order_ref' => '40 (wc-a1b2c3d4e5-40-1)', 'rest_of' => null, 'address' => 'T', 'currency' => 'USDT',
            'amount_due' => $due, 'expected_amount' => $due, 'fiat_amount' => null, 'fiat_currency' => null, 'amount_received' => $received, 'amount_pending' => '0',
            'status' => 'ACTIVE', 'payment_status' => 'awaiting', 'payment_state' => $received === '0' ? 'none' : 'under',
            'paid_late' => false, 'accepted_at' => null, 'expires_at' => '2030-01-01T00:00:00.000Z', 'checkout_url' => "https://pay.example.com/c/$id",
            'metadata' => ['shop' => 'a1b2c3d4e5', 'order' => '40', 'key' => hash('sha256', 'wc_order_key')],
        ];
    }

    /** An order with these attempts, `{ state, … }`; a connected site. */
    public static function shop(array ...$attempts): ShopOrder
    {
        [self::$rows, self::$refunds, self::$archived, self::$asked] = [[], [], [], []];
        $GLOBALS['scheduled'] = [];
        TestSite::begin([Connection::OPTION => [
            'baseUrl' => 'https://pay.example.com', 'apiKey' => 'daric_test_sk_a_b', 'shopId' => 'a1b2c3d4e5', 'merchantId' => 'm1',
            'site' => Site::hidden('https://shop.example'), 'refreshedAt' => time(),
        ]], [self::class, 'answer']);
        $order = new ShopOrder();
        $list = [];
        foreach ($attempts as $index => $attempt) {
            $list[] = $attempt + [
                'number' => $index + 1, 'orderRef' => '40 (wc-a1b2c3d4e5-40-' . ($index + 1) . ')', 'chargeId' => 'c' . ($index + 1), 'merchantId' => 'm1',
                'checkoutUrl' => 'https://pay.example.com/c/c' . ($index + 1), 'amount' => '100', 'currency' => 'USDT', 'coin' => 'USDT', 'expiresAt' => 0,
                'state' => Judgement::OPEN_STATE,
            ];
        }
        $order->update_meta_data(Attempts::META, json_encode($list));
        return $GLOBALS['orders'][40] = $order;
    }

    /** @return array{0: int, 1: array} */
    public static function answer(string $path, array $query, string $body = ''): array
    {
        $list = static function (array $rows): array {
            return [200, ['data' => array_values($rows), 'meta' => ['limit' => 100, 'has_more' => false, 'next' => null]]];
        };
        if ($path === '/v1/deposits') {
            return $list([['tx_hash' => "tx-{$query['depositAddressId']}", 'unmatched' => false, 'status' => 'CONFIRMED', 'confirmations' => 20, 'required_confirmations' => 19]]);
        }
        if ($path === '/v1/refunds') {
            return $list(array_filter(self::$refunds, static function (array $refund) use ($query): bool {
                return $refund['deposit_address_id'] === $query['depositAddressId'];
            }));
        }
        if ($path === '/v1/deposit-addresses' && $body === '') {
            return $list(array_filter(self::$rows, static function (array $row) use ($query): bool {
                return $row['order_ref'] === $query['orderRef'];
            }));
        }
        if ($path === '/v1/deposit-addresses') {
            $made = self::row('made', '100', '0', ['order_ref' => json_decode($body, true)['orderRef']]);
            return [201, ['data' => array_diff_key($made, ['payment_status' => 1])]];
        }
        [, , , $id, $act] = explode('/', "$path/");
        if (!isset(self::$rows[$id])) {
            return [404, ['error' => ['code' => 'NOT_FOUND']]];
        }
        if ($act === 'archive') {
            self::$archived[] = $id;
            self::$rows[$id] = ['status' => 'ARCHIVED', 'payment_status' => 'expired'] + self::$rows[$id];
        }
        if ($act === 'refunds') {
            $asked = json_decode($body, true);
            self::$asked[$id] = $asked['amount'];
            return [201, ['data' => self::refund($asked['refundRef'], $id, $asked['amount'])]];
        }
        return [200, ['data' => self::$rows[$id]]];
    }

    public static function refund(string $ref, string $chargeId, string $amount): array
    {
        return self::$refunds[] = [
            'id' => 'rf_' . count(self::$refunds), 'refund_ref' => $ref, 'deposit_address_id' => $chargeId, 'amount' => $amount, 'paid_amount' => null,
            'currency' => 'USDT', 'fiat_amount' => null, 'status' => 'REQUESTED', 'tx_hash' => null, 'claim_url' => 'https://pay.example.com/r/x', 'address' => null,
        ];
    }
}

function as_schedule_single_action(int $at, string $hook, array $arguments): void
{
    $GLOBALS['scheduled'][] = [$hook, $arguments];
}

function add_query_arg(array $query, string $url): string
{
    return "$url?" . http_build_query($query);
}

function home_url(string $path): string
{
    return "https://shop.example$path";
}
