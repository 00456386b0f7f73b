<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** Brings events to the orders that they speak of, from a webhook or from the feed. */
final class Events
{
    /** The events that an order of the shop may need. */
    public const TYPES = [
        'deposit.detected', 'deposit.confirming', 'deposit.confirmed', 'deposit.unmatched', 'deposit.stuck', 'deposit.reorged',
        'deposit.failed', 'order.paid', 'order.underpaid', 'order.overpaid', 'order.expired', 'order.paid_late', 'order.accepted',
        'refund.requested', 'refund.ready', 'refund.completed', 'refund.canceled',
    ];

    private Connection $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    /** Whether the event is of the environment of this site's key. */
    public function isOfThisEnvironment(array $event): bool
    {
        return ($event['environment'] ?? '') === $this->connection->environment();
    }

    /**
     * Handles events of this shop, and passes over all others without a trace. Several events of one charge are one look at it.
     *
     * @param list<array<string, mixed>> $events oldest first
     * @param float $until a Unix time with its fraction, after which no other look begins
     * @throws Busy if there was no time for all: those that were handled cost nothing the next time
     * @throws \Throwable if an event could not be handled; all others were
     */
    public function handle(array $events, float $until = INF): void
    {
        $work = new OrderWork($this->connection);
        $fault = null;
        foreach ($this->tasks($events) as $task) {
            if (microtime(true) > $until) {
                // No fault of one event: those behind it were not tried.
                throw new Busy('There was no time for all events.');
            }
            try {
                if ($task['chargeId'] === '') {
                    $work->refund($task['orderId'], $task['events'][0]);
                } else {
                    $work->look($task['orderId'], $task['chargeId'], $task['events']);
                }
            } catch (\Throwable $failure) {
                // A fault of another plugin at one order must not keep the others waiting.
                $fault = $failure;
            }
        }
        if ($fault !== null) {
            throw $fault;
        }
    }

    /** @return list<array{orderId: int, chargeId: string, events: list<array<string, mixed>>}> a refund's task has no charge */
    private function tasks(array $events): array
    {
        $tasks = [];
        foreach ($events as $event) {
            $data = $event['data'] ?? null;
            $orderRef = is_array($data) ? $data['orderRef'] ?? null : null;
            $ref = is_string($orderRef) ? Attempts::parseRef($this->connection->shopId(), $orderRef) : null;
            $isRefund = strpos($event['event'], 'refund.') === 0;
            $isWhole = is_string($event['id'] ?? null) && is_string($data[$isRefund ? 'refundId' : 'depositAddressId'] ?? null);
            if ($ref === null || !$isWhole || !in_array($event['event'], self::TYPES, true)) {
                continue;
            }
            $chargeId = $isRefund ? '' : $data['depositAddressId'];
            $key = $isRefund ? $event['id'] : $chargeId;
            $tasks[$key] = $tasks[$key] ?? ['orderId' => $ref['orderId'], 'chargeId' => $chargeId, 'events' => []];
            $tasks[$key]['events'][] = $event;
        }
        return array_values($tasks);
    }
}
