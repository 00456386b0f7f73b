<?php

declare(strict_types=1);

namespace Daric;

/** A client of one deployment. */
final class Daric
{
    use Operations;

    private const MAX_ROWS = 100;
    private const FIRST_WAIT_MS = 1000;
    private const MAX_WAIT_MS = 30000;
    private const CREATE = 'POST /v1/deposit-addresses';
    private const LIST = 'GET /v1/deposit-addresses';

    private Settings $settings;
    private Api $api;

    /**
     * @param string $baseUrl the URL of the deployment, `https://pay.example.com`, without `/v1`
     * @param string|null $apiKey a secret key of a merchant; optional if only operations by a token are called
     * @param array{timeoutSeconds?: float, maxRetries?: int, userAgent?: string, transport?: Transport, warn?: callable(string): void} $options
     *   `timeoutSeconds` of each try (15), `maxRetries` of safe calls (2, at most 10), `transport` instead of curl, `warn` for fields
     *   that the service ignored (`error_log`)
     * @throws \InvalidArgumentException for an option that cannot work
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter]
        ?string $apiKey = null,
        array $options = []
    ) {
        $this->settings = new Settings($baseUrl, $apiKey, $options);
        $this->api = new Api($this->settings);
    }

    /** `test` or `live`, as the key says; null without a key. */
    public function environment(): ?string
    {
        return $this->settings->environment;
    }

    /**
     * The order of this `orderRef`: found, or made if there is none.
     *
     * One call after another finds the same order. Two processes in parallel may make two: the service has no idempotency key. Keep
     * the order's id under a unique key of your own. After an error with `$isOutcomeUnknown` wait 15 s, or `$retryAfter` if that is
     * longer, and call again: it finds a late order. An existing order is returned in its state, also when it is paid or archived.
     *
     * @param array{orderRef: string, amount: string, currency?: string, pricingCurrency?: string, label?: string, successUrl?: string,
     *   cancelUrl?: string, customerEmail?: string, metadata?: array<string, string>, settlementAccountId?: string} $order
     * @param array{timeoutSeconds?: float, correlationId?: string} $options
     * @return array{isNew: bool, order: array<string, mixed>}
     * @throws DaricException ORDER_REF_CONFLICT if that order has another amount or currency
     */
    public function createOrderOnce(array $order, array $options = []): array
    {
        if (!is_string($order['orderRef'] ?? null) || $order['orderRef'] === '') {
            throw new \InvalidArgumentException('createOrderOnce needs the orderRef that the order is looked up by.');
        }
        if (!is_string($order['amount'] ?? null)) {
            throw new \InvalidArgumentException('createOrderOnce needs the amount as a string like "12.50"; a float cannot hold most amounts exactly.');
        }
        for ($tries = 1; ; $tries++) {
            $found = $this->findOrder($order, $options);
            if ($found !== null) {
                return ['isNew' => false, 'order' => $found];
            }
            try {
                return ['isNew' => true, 'order' => $this->createDepositAddress($order, $options)];
            } catch (DaricException $failure) {
                if (!$failure->isOutcomeUnknown) {
                    throw $failure;
                }
                // The order may exist nevertheless. If it is not visible yet, the caller asks again later.
                try {
                    $found = $this->findOrder($order, $options);
                } catch (DaricException $_) {
                    $found = null;
                }
                if ($found !== null) {
                    return ['isNew' => false, 'order' => $found];
                }
                // A 503 with Retry-After refused the order for now. After any other failure it may still be on its way.
                $isAsked = $failure->status === 503 && $failure->retryAfter !== null && $tries <= $this->settings->maxRetries;
                $waitMs = $isAsked ? RetryPolicy::waitMs($failure, $tries, true, mt_rand() / mt_getrandmax()) : null;
                if ($waitMs === null) {
                    throw $failure;
                }
                usleep((int) ($waitMs * 1000));
            }
        }
    }

    /**
     * Every event after a position, oldest first, and then each new one. Keep the `id` of the last event that you handled and start
     * again with it as `$after`: no event is left out or repeated. An unreachable or overloaded service is waited out.
     *
     * @param string|null $after the id of an event, or `newest` for later events only; null begins with the first event
     * @param array{types?: list<string>, pollSeconds?: float, onFault?: callable(DaricException): void, untilNewest?: bool} $options
     *   `pollSeconds` is the wait after the newest event (1). `untilNewest` ends there instead, for a task of a scheduler.
     * @return \Generator<int, array<string, mixed>>
     * @throws DaricException for a lasting refusal: a revoked key, an unknown `$after`
     */
    public function followEvents(?string $after = null, array $options = []): \Generator
    {
        $types = implode(',', $options['types'] ?? []);
        $faults = 0;
        while (true) {
            $query = ['limit' => self::MAX_ROWS, 'after' => $after, 'types' => $types === '' ? null : $types];
            try {
                $page = $this->listEvents($query);
                $faults = 0;
            } catch (DaricException $fault) {
                if (!RetryPolicy::isPassing($fault)) {
                    throw $fault;
                }
                isset($options['onFault']) ? $options['onFault']($fault) : ($this->settings->warn)($fault->getMessage());
                $waitMs = min(self::FIRST_WAIT_MS * 2 ** min($faults++, 10), self::MAX_WAIT_MS);
                usleep((int) (1000 * max($waitMs, 1000 * ($fault->retryAfter ?? 0))));
                continue;
            }
            foreach ($page['data'] as $event) {
                yield $event;
            }
            $after = $page['meta']['next'];
            if (!$page['meta']['has_more']) {
                if ($options['untilNewest'] ?? false) {
                    return;
                }
                usleep((int) (1000000 * ($options['pollSeconds'] ?? 1)));
            }
        }
    }

    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->settings->baseUrl, 'environment' => $this->settings->environment];
    }

    public function __serialize(): array
    {
        throw new \LogicException('A client holds a secret key: make one where it is needed instead.');
    }

    private function call(string $operation, array $parts, array $options): array
    {
        $data = $this->api->send($operation, $parts, $options)['data'];
        return is_array($data) ? $data : [];
    }

    private function page(string $operation, array $parts, array $options): array
    {
        ['data' => $data, 'meta' => $meta] = $this->api->send($operation, $parts, $options) + ['meta' => []];
        return ['data' => $data, 'meta' => $meta];
    }

    private function file(string $operation, array $parts, array $options): array
    {
        return $this->api->download($operation, $parts, $options);
    }

    private function rows(string $operation, array $query, array $options): \Generator
    {
        $query += ['limit' => self::MAX_ROWS];
        while (true) {
            ['data' => $data, 'meta' => $meta] = $this->page($operation, ['query' => $query], $options);
            foreach ($data as $row) {
                yield $row;
            }
            if (count($data) < $meta['limit']) {
                return;
            }
            $query['after'] = end($data)['id'];
        }
    }

    private function findOrder(array $order, array $options): ?array
    {
        $orderRef = $order['orderRef'];
        $page = $this->listDepositAddresses(['orderRef' => $orderRef, 'kind' => 'order', 'limit' => self::MAX_ROWS], $options);
        $orders = [];
        foreach ($page['data'] as $row) {
            // A service that ignored the filter would return another customer's order.
            if ($row['order_ref'] !== $orderRef) {
                throw new DaricException(
                    "Asked for the orders of \"$orderRef\", the service answered {$row['id']} of another reference.",
                    ['errorCode' => 'UNEXPECTED_ANSWER', 'operation' => self::LIST]
                );
            }
            // A rest is part of another order of this reference.
            if (($row['rest_of'] ?? null) === null) {
                $orders[] = $row;
            }
        }
        if ($orders === []) {
            return null;
        }
        $found = self::chosen($orders);
        $details = self::differences($order, $found);
        if ($details === []) {
            return $found;
        }
        throw new DaricException(
            "There is an order \"$orderRef\" at another price ({$found['id']}): a new order needs an orderRef of its own.",
            ['errorCode' => 'ORDER_REF_CONFLICT', 'operation' => self::CREATE, 'details' => $details]
        );
    }

    /** Independent callers may have made several orders: the paid one counts, else one with money above dust, else the oldest. */
    private static function chosen(array $orders): array
    {
        foreach ($orders as $row) {
            if ($row['payment_status'] === 'paid') {
                return $row;
            }
        }
        foreach ($orders as $row) {
            if ($row['payment_state'] !== 'none' || in_array($row['payment_status'], ['confirming', 'detected'], true)) {
                return $row;
            }
        }
        return end($orders);
    }

    /** @return list<array{path: string, message: string}> */
    private static function differences(array $order, array $row): array
    {
        $pricedIn = $order['pricingCurrency'] ?? 'USDT';
        $fiat = $pricedIn === 'USDT' ? null : $pricedIn;
        $pairs = [
            ['currency', $order['currency'] ?? 'USDT', $row['currency']],
            ['pricingCurrency', $fiat ?? $row['currency'], $row['fiat_currency'] ?? $row['currency']],
            [
                'amount',
                Decimal::canonical($order['amount']) ?? $order['amount'],
                Decimal::canonical($fiat === null ? $row['expected_amount'] : $row['fiat_amount']),
            ],
        ];
        $details = [];
        foreach ($pairs as [$path, $requested, $existing]) {
            if ($requested !== $existing) {
                $details[] = ['path' => $path, 'message' => 'is ' . ($existing ?? 'not set') . ' in the existing order'];
            }
        }
        return $details;
    }
}
