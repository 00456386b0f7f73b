<?php

// The parts of the client that the vectors do not reach, against a transport in this process.

declare(strict_types=1);

use Daric\Contract;
use Daric\Daric;
use Daric\DaricException;
use Daric\Fulfilment;
use Daric\Settings;
use Daric\Testing\SignedEvent;
use Daric\Transport;
use Daric\TransportException;
use Daric\Webhook;

const TEST_KEY = 'daric_test_sk_0123456789abcdef_secret';

/** The part of the service that stores orders. */
final class StoringTransport implements Transport
{
    /** @var list<array<string, mixed>> */
    public array $orders = [];
    /** @var list<string> */
    public array $requests = [];
    /** @var callable(string): ?array */
    public $fault;

    public function __construct()
    {
        $this->fault = static function (): ?array {
            return null;
        };
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array
    {
        $this->requests[] = "$method $url";
        $data = [];
        if ($method === 'POST') {
            $sent = json_decode((string) $body, true);
            $data = [
                'id' => 'order-' . (count($this->orders) + 1),
                'currency' => 'USDT',
                'expected_amount' => $sent['amount'] ?? null,
                'fiat_currency' => null,
                'fiat_amount' => null,
                'order_ref' => $sent['orderRef'] ?? null,
                'payment_state' => 'none',
                'payment_status' => 'awaiting',
            ];
            $this->orders[] = $data;
        } else {
            parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
            foreach (array_reverse($this->orders) as $row) {
                if ($row['order_ref'] === ($query['orderRef'] ?? null)) {
                    $data[] = $row;
                }
            }
        }
        return ($this->fault)($method) ?? self::success($data, ['page' => 1, 'limit' => 100, 'total' => 1]);
    }

    public static function success(array $data, array $meta = []): array
    {
        $body = ['success' => true, 'message' => '', 'data' => $data, 'meta' => $meta];
        return ['status' => 200, 'headers' => [], 'body' => json_encode($body)];
    }

    public function creates(): int
    {
        return count(preg_grep('/^POST /', $this->requests));
    }
}

/** @return array{Daric, StoringTransport} */
function aClient(array $options = []): array
{
    $transport = new StoringTransport();
    return [new Daric('https://pay.example.com', TEST_KEY, ['transport' => $transport] + $options), $transport];
}

check('the first call makes the order, later ones find it, and another price is refused', static function (): array {
    [$daric, $transport] = aClient();
    $made = $daric->createOrderOnce(['orderRef' => 'A-1', 'amount' => '25.5']);
    $found = $daric->createOrderOnce(['orderRef' => 'A-1', 'amount' => '25.50']);
    $conflict = refusal(static function () use ($daric): void {
        $daric->createOrderOnce(['orderRef' => 'A-1', 'amount' => '26']);
    });
    return [$made['isNew'], $found['isNew'], $found['order']['id'], $conflict, $transport->creates()];
}, [true, false, 'order-1', 'ORDER_REF_CONFLICT', 1]);

check('an order whose answer was lost is found', static function (): array {
    [$daric, $transport] = aClient();
    $transport->fault = static function (string $method): ?array {
        if ($method === 'POST') {
            throw new TransportException('connection lost', false, false);
        }
        return null;
    };
    return [$daric->createOrderOnce(['orderRef' => 'A-1', 'amount' => '1'])['isNew'], $transport->creates()];
}, [false, 1]);

check('an order behind a 503 with Retry-After is asked for again', static function (): array {
    [$daric, $transport] = aClient();
    $transport->fault = static function (string $method) use ($transport): ?array {
        if ($method === 'GET' || $transport->creates() > 1) {
            return null;
        }
        $transport->orders = [];
        return ['status' => 503, 'headers' => ['retry-after' => '0'], 'body' => '<html>'];
    };
    return [$daric->createOrderOnce(['orderRef' => 'A-1', 'amount' => '1'])['isNew'], $transport->creates()];
}, [true, 2]);

check('a float for money is refused before anything is sent', static function (): array {
    [$daric, $transport] = aClient();
    $refusals = [];
    foreach (['createDepositAddress', 'createOrderOnce'] as $method) {
        $refusals[] = refusal(static function () use ($daric, $method): void {
            $daric->$method(['orderRef' => 'A', 'amount' => 12.5]);
        });
    }
    return [$refusals, $transport->requests];
}, [['InvalidArgumentException', 'InvalidArgumentException'], []]);

check('a refund without a reference, an id that names another resource, and a correlation id with letters are refused', static function (): array {
    [$daric, $transport] = aClient();
    $calls = [
        static function () use ($daric): void {
            $daric->askForRefund('a-1', ['amount' => '1']);
        },
        static function () use ($daric): void {
            $daric->retrieveDeposit('..');
        },
        static function () use ($daric): void {
            $daric->listDeposits([], ['correlationId' => 'snow ☃']);
        },
        static function () use ($daric): void {
            $daric->listDeposits([], ['timeoutSeconds' => NAN]);
        },
    ];
    return [array_map('refusal', $calls), $transport->requests];
}, [array_fill(0, 4, 'InvalidArgumentException'), []]);

check('options that cannot work are refused', static function (): array {
    $wrong = [
        ['pay.example.com', null, []],
        ['https://pay.example.com/v1', null, []],
        ['https://pay.example.com?x=1', null, []],
        ['https://pay.example.com', TEST_KEY . ' ', []],
        ['https://pay.example.com', TEST_KEY . "\n", []],
        ['https://pay.example.com', 'whsec_' . str_repeat('01', 32), []],
        ['https://pay.example.com', null, ['maxRetries' => 11]],
        ['https://pay.example.com', null, ['timeoutSeconds' => 0]],
        ['https://pay.example.com', null, ['timeout' => 1]],
    ];
    return array_map(static function (array $options): ?string {
        return refusal(static function () use ($options): void {
            new Daric(...$options);
        });
    }, $wrong);
}, array_fill(0, 9, 'InvalidArgumentException'));

check('a client shows no key and is not serialized', static function (): array {
    [$daric] = aClient();
    ob_start();
    var_dump($daric);
    print_r($daric);
    var_export($daric);
    echo json_encode($daric);
    return [strpos((string) ob_get_clean(), 'secret'), refusal(static function () use ($daric): void {
        serialize($daric);
    })];
}, [false, 'LogicException']);

check('null clears a field, a time is sent with its offset, and no field is an object', static function (): array {
    $bodies = [];
    $transport = new class ($bodies) implements Transport {
        public array $bodies;

        public function __construct(array $bodies)
        {
            $this->bodies = $bodies;
        }

        public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array
        {
            $this->bodies[] = $body;
            return StoringTransport::success([]);
        }
    };
    $daric = new Daric('https://pay.example.com', TEST_KEY, ['transport' => $transport]);
    $daric->updatePaymentLink('l', ['description' => null, 'expiresAt' => new DateTimeImmutable('2026-11-21T12:00:00+02:00')]);
    $daric->acceptDepositAddress('a');
    return $transport->bodies;
}, ['{"description":null,"expiresAt":"2026-11-21T12:00:00.000+02:00"}', '{}']);

check('a download is a file, and a page of a proxy is none', static function (): array {
    [$daric, $transport] = aClient(['maxRetries' => 0]);
    $headers = ['content-type' => 'text/csv', 'content-disposition' => 'attachment; filename="payments.csv"'];
    $answers = [
        ['status' => 200, 'headers' => $headers, 'body' => "id\r\n"],
        ['status' => 200, 'headers' => [], 'body' => '<html>'],
        StoringTransport::success([]),
        ['status' => 403, 'headers' => [], 'body' => '{"success":false,"message":"No.","error":{"code":"INSUFFICIENT_SCOPE"}}'],
    ];
    $transport->fault = static function () use (&$answers): ?array {
        return array_shift($answers);
    };
    $found = [$daric->exportPayments(['format' => 'csv'])];
    while ($answers !== []) {
        $found[] = refusal(static function () use ($daric): void {
            $daric->exportPayments();
        });
    }
    return $found;
}, [['content' => "id\r\n", 'type' => 'text/csv', 'name' => 'payments.csv'], 'UNEXPECTED_ANSWER', 'UNEXPECTED_ANSWER', 'INSUFFICIENT_SCOPE']);

check('every row comes once, read on after the last one', static function (): array {
    $transport = new class implements Transport {
        public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array
        {
            parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
            $rows = [];
            for ($n = isset($query['after']) ? $query['after'] + 1 : 0; $n < 5 && count($rows) < 2; $n++) {
                $rows[] = ['id' => (string) $n];
            }
            return StoringTransport::success($rows, ['page' => 1, 'limit' => 2, 'total' => 5]);
        }
    };
    $daric = new Daric('https://pay.example.com', TEST_KEY, ['transport' => $transport]);
    return array_column(iterator_to_array($daric->allDeposits(['limit' => 2]), false), 'id');
}, ['0', '1', '2', '3', '4']);

check('followed events come once over a fault, and a lasting refusal ends', static function (): array {
    $transport = new class implements Transport {
        /** @var list<string> */
        public array $asked = [];

        public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): array
        {
            $this->asked[] = (string) parse_url($url, PHP_URL_QUERY);
            $meta = ['limit' => 100, 'next' => '2', 'has_more' => true];
            return [
                ['status' => 503, 'headers' => ['retry-after' => '0'], 'body' => '<html>'],
                StoringTransport::success([['id' => '1'], ['id' => '2']], $meta),
                ['status' => 401, 'headers' => [], 'body' => '{"success":false,"message":"No.","error":{"code":"UNAUTHORIZED"}}'],
            ][count($this->asked) - 1];
        }
    };
    $daric = new Daric('https://pay.example.com', TEST_KEY, ['transport' => $transport, 'maxRetries' => 0]);
    $found = [];
    $options = ['types' => ['order.paid'], 'onFault' => static function (DaricException $fault) use (&$found): void {
        $found[] = $fault->errorCode;
    }];
    try {
        foreach ($daric->followEvents('0', $options) as $event) {
            $found[] = $event['id'];
        }
    } catch (DaricException $refusal) {
        $found[] = $refusal->errorCode;
    }
    return [$found, $transport->asked];
}, [
    ['UNEXPECTED_ANSWER', '1', '2', 'UNAUTHORIZED'],
    ['limit=100&after=0&types=order.paid', 'limit=100&after=0&types=order.paid', 'limit=100&after=2&types=order.paid'],
]);

check('every event of the contract can be made and verified, under the secret before a rotation too', static function (): array {
    [$new, $old] = ['whsec_' . str_repeat('01', 32), 'whsec_' . str_repeat('23', 32)];
    $found = [];
    foreach (Contract::EVENTS as $name) {
        $sent = new SignedEvent($name, $new, [], $old);
        $server = ['HTTP_WEBHOOK_ID' => $sent->headers['webhook-id'], 'HTTP_WEBHOOK_TIMESTAMP' => $sent->headers['webhook-timestamp'], 'HTTP_WEBHOOK_SIGNATURE' => $sent->headers['webhook-signature']];
        $found[] = Webhook::verify($sent->body, $sent->headers, $old)['event'];
        Webhook::verify($sent->body, $server, [$new]);
    }
    return $found;
}, Contract::EVENTS);

check('a parsed body and a repeated header are refused', static function (): array {
    $secret = 'whsec_' . str_repeat('01', 32);
    $sent = new SignedEvent('webhook.test', $secret);
    return [
        refusal(static function () use ($sent, $secret): void {
            Webhook::verify(json_decode($sent->body, true), $sent->headers, $secret);
        }),
        refusal(static function () use ($sent, $secret): void {
            Webhook::verify($sent->body, ['webhook-id' => ['one', 'two']] + $sent->headers, $secret);
        }),
        refusal(static function () use ($sent): void {
            Fulfilment::reasonNotToDeliver(json_decode($sent->body, true), ['orderRef' => 'A', 'amount' => 12.5, 'currency' => 'USDT']);
        }),
    ];
}, ['BODY_PARSED', 'MISSING_HEADER', 'InvalidArgumentException']);

check('the recipe delivers once, and refuses a forged event', static function (): array {
    $secret = 'whsec_' . str_repeat('01', 32);
    putenv("WEBHOOK_SECRET=$secret");
    require __DIR__ . '/../recipes/webhook.php';
    $paid = new SignedEvent('deposit.confirmed', $secret, ['depositAddressId' => '01a1c0de-0000-7000-8000-000000001042']);
    return [
        receive($paid->body, $paid->headers),
        receive($paid->body, $paid->headers),
        receive(str_replace('25.5', '99.5', $paid->body), $paid->headers),
        receive((new SignedEvent('refund.completed', $secret))->body, []),
    ];
}, [[204, 'paid A-1042'], [204, 'not delivered A-1042: it is delivered already'], [400, 'BAD_SIGNATURE'], [400, 'MISSING_HEADER']]);
