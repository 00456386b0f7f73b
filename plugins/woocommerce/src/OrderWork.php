<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Daric\DaricException;

/**
 * Reads a charge of an order from Daric, and does what Judgement says.
 *
 * An event says only that there is something to read: what counts is the charge as Daric answers it now, under the order's lock. So a
 * repeated, a late or a forged event changes nothing.
 */
final class OrderWork
{
    private const LOCK_SECONDS = 3;
    private const TIMEOUT_SECONDS = 5.0;
    /** States in which a visit may find something new: a rest may be paid, for example. */
    private const NOT_OVER = [Judgement::OPEN_STATE, Judgement::SEEN, Judgement::SHORT, Judgement::SHORT_ENDED];

    private Connection $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    /**
     * Looks at one charge, because of these events or because of a visit.
     *
     * @param list<array<string, mixed>> $events
     * @throws Busy | DaricException try again later
     */
    public function look(int $orderId, string $chargeId, array $events = []): void
    {
        $this->locked($orderId, $events, function (\WC_Order $_, array $news) use ($orderId, $chargeId): void {
            $found = $this->found($chargeId);
            // Daric took its time, and WooCommerce does not ask for the lock: a card or a person may have changed the order meanwhile.
            $order = Orders::fresh($orderId);
            $attempt = $found === null || $order === null ? null : $this->bound($order, $found['charge']);
            if ($attempt === null) {
                Log::warning("The charge $chargeId does not belong to order $orderId.");
                $known = $order === null ? null : Attempts::find($order, $chargeId);
                // Daric has forgotten it, or it is of the shop that this one is a copy of: no money of it comes to this order.
                if ($known !== null && in_array($known['state'], Judgement::OPEN, true)) {
                    Attempts::put($order, ['state' => Judgement::CLOSED] + $known);
                    $order->save();
                }
                return;
            }
            $this->judge($order, $attempt, $found, $news);
        });
    }

    /**
     * Looks at the charges of an order that are not over. It never fails: a page that shows the order stays a page.
     */
    public function lookAtOpen(\WC_Order $order): void
    {
        if ($this->connection->obstacle() !== null) {
            return;
        }
        foreach (Attempts::ofMerchant($order, $this->connection->merchantId()) as $attempt) {
            $isOver = !in_array($attempt['state'], self::NOT_OVER, true) && (Orders::isPaid($order) || !in_array($attempt['state'], Judgement::PAYS, true));
            if ($attempt['chargeId'] === '' || $isOver) {
                continue;
            }
            if (Reconciliation::isDaricAway()) {
                return;
            }
            try {
                $this->look($order->get_id(), $attempt['chargeId']);
            } catch (\Throwable $fault) {
                Reconciliation::noteFault($fault);
                Log::info("Order {$order->get_id()} was not looked at: {$fault->getMessage()}");
            }
        }
    }

    /**
     * Handles an event of a refund.
     *
     * @param array<string, mixed> $event
     * @throws Busy | DaricException
     */
    public function refund(int $orderId, array $event): void
    {
        $this->locked($orderId, [$event], function (\WC_Order $order, array $news): void {
            foreach ($news as $event) {
                // Marked last: where Daric does not answer now, the event comes again.
                (new Refunds($this->connection))->onEvent($order, $event);
                Attempts::markHandled($order, [$event['id']]);
                $order->save();
            }
        });
    }

    /** @param list<array<string, mixed>> $events */
    private function locked(int $orderId, array $events, callable $work): void
    {
        Lock::order($orderId, self::LOCK_SECONDS, static function () use ($orderId, $events, $work): void {
            $order = Orders::fresh($orderId);
            if ($order === null) {
                Log::warning("Daric has news of order $orderId, which is deleted here. Look into Daric's dashboard whether money came.");
                return;
            }
            $news = array_values(array_filter($events, static function (array $event) use ($order): bool {
                return !Attempts::isHandled($order, $event['id']);
            }));
            if ($events === [] || $news !== []) {
                $work($order, $news);
            }
        });
    }

    /** @return array<string, mixed>|null see Lookup */
    private function found(string $chargeId): ?array
    {
        return (new Lookup($this->connection->api(self::TIMEOUT_SECONDS, 0)))->of($chargeId);
    }

    /**
     * The attempt of this charge. A charge that the order does not know, because the answer of its create was lost, is taken up if it
     * was made for this very order.
     *
     * @return array<string, mixed>|null
     */
    private function bound(\WC_Order $order, array $charge): ?array
    {
        $ref = Attempts::parseRef($this->connection->shopId(), $charge['order_ref']);
        $isOwn = $ref !== null && $ref['orderId'] === $order->get_id() && Attempts::isOwn($charge, $this->connection->shopId(), $order);
        if (!$isOwn) {
            return null;
        }
        $known = Attempts::find($order, $charge['id']);
        if ($known !== null) {
            return $known;
        }
        $taken = array_column(Attempts::of($order), 'chargeId', 'number');
        $isFree = ($taken[$ref['number']] ?? '') === '';
        Log::info("The charge {$charge['id']} is taken up for order {$order->get_id()}.");
        return [
            'number' => $isFree ? $ref['number'] : max(array_keys($taken)) + 1,
            'orderRef' => $charge['order_ref'],
            'chargeId' => $charge['id'],
            'merchantId' => $this->connection->merchantId(),
            'checkoutUrl' => (string) $charge['checkout_url'],
            'amount' => $charge['fiat_amount'] ?? $charge['expected_amount'],
            'currency' => $charge['fiat_currency'] ?? $charge['currency'],
            'coin' => $charge['currency'],
            'expiresAt' => (int) strtotime((string) $charge['expires_at']),
            'state' => Judgement::PLANNED,
        ];
    }

    /**
     * Everything is read before anything is changed, so that a failure leaves no half of it.
     *
     * @param array<string, mixed> $found see Lookup
     */
    private function judge(\WC_Order $order, array $attempt, array $found, array $events): void
    {
        $decision = Judgement::of($this->factsOf($order, $attempt, $found), $found['state']);
        if ($decision['act'] === Judgement::ACCEPT) {
            $found = $this->accepted($found);
            $order = Orders::fresh($order->get_id()) ?? $order;
            $decision = Judgement::of($this->factsOf($order, $attempt, $found), $found['state']);
            $decision['note'] = $decision['act'] === Judgement::PAY ? 'late_accepted' : $decision['note'];
        }
        $this->take($order, $attempt, $found, $events);
        (new Act($order))->do($decision, $found['charge'], array_values(array_unique(array_column($found['deposits'], 'tx_hash'))));
        foreach (self::otherCoins($events) as $event) {
            $order->add_order_note(Notes::otherCoin($event));
        }
    }

    /** Notes in the order what was found. It is saved with the order's status, by Act. */
    private function take(\WC_Order $order, array $attempt, array $found, array $events): void
    {
        ['charge' => $charge, 'state' => $state, 'received' => $received] = $found;
        $before = $attempt['received'] ?? '0';
        Attempts::put($order, array_merge($attempt, [
            'state' => $state,
            'received' => $state !== Judgement::SEEN && Micros::of($received) > Micros::of($before) ? $received : $before,
            'surplus' => $found['surplus'],
            'rests' => array_column($found['rests'], 'id'),
            'expiresAt' => (int) strtotime((string) $charge['expires_at']),
        ]));
        if (Attempts::newest($order)['chargeId'] === $charge['id'] || Judgement::hasMoney($state)) {
            Facts::put($order, $state, $charge, $found['deposits']);
        }
        Attempts::markHandled($order, array_column($events, 'id'));
        foreach (self::otherCoins($events) as $event) {
            OtherCoin::came($order, $event);
            if ((string) $order->get_meta(Attempts::TASK_META) === '') {
                $order->update_meta_data(Attempts::TASK_META, Judgement::TASK_COIN);
            }
        }
    }

    private static function otherCoins(array $events): array
    {
        return array_filter($events, static function (array $event): bool {
            return $event['event'] === 'deposit.unmatched';
        });
    }

    /** What is found, accepted where Daric does not count it as paid already. */
    private function accepted(array $found): array
    {
        $id = $found['charge']['id'];
        if ($found['charge']['payment_status'] !== 'paid') {
            $reason = 'Accepted by the setting of the WooCommerce plugin';
            $this->connection->api(self::TIMEOUT_SECONDS, 0)->acceptDepositAddress($id, ['reason' => $reason]);
            $found = $this->found($id) ?? $found;
        }
        return ['state' => Judgement::paidState($found['charge'])] + $found;
    }

    private function factsOf(\WC_Order $order, array $attempt, array $found): array
    {
        $charge = $found['charge'];
        $newest = Attempts::newest($order);
        $others = array_filter(Attempts::of($order), static function (array $other) use ($attempt): bool {
            return $other['number'] !== $attempt['number'] && Judgement::hasMoney($other['state']);
        });
        return [
            'status' => $order->get_status(),
            'isDaric' => Orders::isDaric($order),
            'isPaid' => Orders::isPaid($order),
            'isPaidByThis' => (string) $order->get_meta(Attempts::PAID_META) === $charge['id'] && Orders::isPaid($order),
            'isPriceSame' => Orders::isPrice($order, $charge['fiat_amount'] ?? $charge['expected_amount'], $charge['fiat_currency'] ?? $charge['currency'])
                && Orders::isPrice($order, $attempt['amount'], $attempt['currency']),
            'isNewest' => $newest === null || $newest['number'] <= $attempt['number'],
            'othersHaveMoney' => $others !== [],
            'hasRefund' => Orders::hasRefund($order, $attempt),
            'task' => (string) $order->get_meta(Attempts::TASK_META),
            'previous' => $attempt['state'],
            // What is final of money on its way counts once all of it is.
            'hasGrown' => $found['state'] !== Judgement::SEEN && Micros::of($found['received']) > Micros::of($attempt['received'] ?? '0'),
            'acceptsLate' => Preferences::acceptsLate(),
            'cancelsOnExpiry' => Preferences::cancelsOnExpiry(),
        ];
    }
}
