<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Daric\Daric;

/** Closes the payment pages of an order that needs no money any more: of its charges, and of their rests. */
final class Closing
{
    public const LATER = 'daric_close_charges';

    /** Another gateway's checkout may wait for this. */
    private const LOCK_SECONDS = 2;
    private const TIMEOUT_SECONDS = 4.0;
    /** The first pause; each next one is twice as long, so that the last try is about eight hours after the first. */
    private const AGAIN_SECONDS = 60;
    private const MAX_AGAIN = 9;
    /** The customer may have a page of these: of the charge, of a rest, or of a create whose answer was lost. */
    private const MAY_HAVE_PAGE = [Judgement::OPEN_STATE, Judgement::SEEN, Judgement::SHORT, Judgement::SHORT_ENDED, Judgement::PLANNED];

    private Connection $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    /** What fails is tried again, after a pause that doubles with `$again`. */
    public function close(int $orderId, int $again = 0): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order || $this->attempts($order) === [] || $this->connection->obstacle() !== null) {
            return;
        }
        if (Reconciliation::isDaricAway()) {
            self::later($orderId, $again);
            return;
        }
        try {
            Lock::order($orderId, self::LOCK_SECONDS, function () use ($orderId): void {
                $order = Orders::fresh($orderId);
                foreach ($order === null ? [] : $this->attempts($order) as $attempt) {
                    $this->closeAttempt(Orders::fresh($orderId) ?? $order, $attempt);
                }
            });
        } catch (\Throwable $fault) {
            // Another plugin's fault in a hook of the order, for example, must not end the checkout of another gateway.
            Log::info("The charges of order $orderId are closed later: {$fault->getMessage()}");
            Reconciliation::noteFault($fault);
            self::later($orderId, $again);
        }
    }

    private static function later(int $orderId, int $again): void
    {
        // The number of the try makes the next action another one than this, which counts as scheduled while it runs.
        $next = [$orderId, $again + 1];
        if ($again < self::MAX_AGAIN && !as_has_scheduled_action(self::LATER, $next, 'daric')) {
            as_schedule_single_action(time() + self::AGAIN_SECONDS * 2 ** $again, self::LATER, $next, 'daric');
        }
    }

    /** @return list<array<string, mixed>> */
    private function attempts(\WC_Order $order): array
    {
        return array_filter(Attempts::ofMerchant($order, $this->connection->merchantId()), static function (array $attempt): bool {
            return in_array($attempt['state'], self::MAY_HAVE_PAGE, true);
        });
    }

    private function closeAttempt(\WC_Order $order, array $attempt): void
    {
        $found = Family::read($this->api(), $attempt['orderRef'], $attempt['chargeId']);
        // The charge of a copied order belongs to the one that it was copied from.
        $charges = Family::own($found, $this->connection->shopId(), $order);
        foreach ($charges as $charge) {
            // Money on its way may still pay it.
            if ($charge['status'] === 'ACTIVE' && $charge['payment_status'] === 'awaiting') {
                $this->api()->archiveDepositAddress($charge['id']);
                Log::info("The charge {$charge['id']} of order {$order->get_id()} is archived.");
            }
        }
        if ($charges !== [] && Judgement::hasMoney(Judgement::stateOf($charges[0]))) {
            // The shop must hear of money that came before its event did, or that waited for the rest.
            (new OrderWork($this->connection))->look($order->get_id(), $charges[0]['id']);
        } elseif ($charges !== []) {
            $attempt = Attempts::filled($attempt, $charges[0]);
            $this->store($order, $attempt['state'] === Judgement::OPEN_STATE ? Judgement::CLOSED : $attempt['state'], $attempt);
        } elseif ($attempt['state'] !== Judgement::PLANNED) {
            $this->store($order, Judgement::CLOSED, $attempt);
        }
    }

    private function store(\WC_Order $order, string $state, array $attempt): void
    {
        Attempts::put($order, array_merge($attempt, ['state' => $state]));
        $order->save();
    }

    private function api(): Daric
    {
        return $this->connection->api(self::TIMEOUT_SECONDS, 0);
    }
}
