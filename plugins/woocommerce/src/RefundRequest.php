<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

use Daric\Daric;
use Daric\DaricException;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** Asks Daric for the refunds of an order. The caller holds the order's lock. */
final class RefundRequest
{
    /** An order and its rests; more are not looked at. */
    private const MAX_CHARGES = 100;
    private const MAX_REASON = 500;

    private Daric $api;
    private string $shopId;
    private \WC_Order $order;

    public function __construct(Connection $connection, \WC_Order $order)
    {
        $this->api = $connection->api();
        $this->shopId = $connection->shopId();
        $this->order = $order;
    }

    /**
     * A part of the price, or all of it, for a WooCommerce refund. An order that was paid by itself and by a rest may need two.
     *
     * @param Total $part the part, rounded as the price is
     * @param bool $isWhole whether nothing of the price is left after it, and nothing was refunded before
     * @return list<array<string, mixed>> the refunds, with their claim links
     * @throws DaricException the refusal of Daric; nothing is asked for then
     * @throws Unavailable in words, if the order has no money of Daric
     */
    public function ofPrice(int $wcRefund, Total $part, bool $isWhole, string $reason): array
    {
        $charges = $this->chargesThatPaid();
        if ($charges === []) {
            throw new Unavailable(__('Daric has no final money of this order, so there is nothing that it can refund.', 'daric'));
        }
        $ref = function (int $number) use ($wcRefund): string {
            return RefundRecords::refOfRefund($this->shopId, $this->order->get_id(), $wcRefund, $number);
        };
        if (count($charges) > 1) {
            // Daric counts a part of a price by the money of one charge, so the coins are named here.
            $left = $this->leftOfEach($charges);
            $coins = $isWhole ? array_sum($left) : RefundSplit::coinsOf($part, $charges[0]);
            return $this->askEach($coins === null ? [] : RefundSplit::over($left, $coins), $ref, $reason);
        }
        $isFiat = !in_array($part->currency, Total::COINS, true);
        return [$this->ask($charges[0]['id'], $ref(1), $reason, [$isFiat ? 'fiatAmount' : 'amount' => $part->amount])];
    }

    /**
     * Money of a charge that is no part of the price: the surplus of the charge that paid the order, or all money of another one.
     *
     * @return array<string, mixed> the refund
     * @throws DaricException
     * @throws Unavailable in words, if nothing is left
     */
    public function ofMoney(string $chargeId): array
    {
        $charge = $this->api->retrieveDepositAddress($chargeId);
        if (!Attempts::isOwn($charge, $this->shopId, $this->order)) {
            throw new Unavailable(__('This payment does not belong to this order.', 'daric'));
        }
        $isPrice = (string) $this->order->get_meta(Attempts::PAID_META) === ($charge['rest_of'] ?? $charge['id']);
        $left = $this->left($charge, $isPrice ? Micros::of((string) ($charge['amount_due'] ?? '0')) : 0);
        if ($left <= 0) {
            throw new Unavailable(__('Nothing of this payment is left to return: a refund of it was asked for before.', 'daric'));
        }
        return $this->ask($charge['id'], $this->nextRef($charge['id'], $charge['currency']), '', ['amount' => Micros::decimal($left)]);
    }

    /**
     * Money of the other coin, which pays nothing.
     *
     * @return array<string, mixed> the refund
     * @throws DaricException
     */
    public function ofOtherCoin(string $chargeId): array
    {
        $charge = $this->api->retrieveDepositAddress($chargeId);
        $coin = $charge['currency'] === 'TRX' ? 'USDT' : 'TRX';
        return $this->ask($charge['id'], $this->nextRef($charge['id'], $coin), '', ['currency' => $coin]);
    }

    /** The charges whose money is the price, the order's own one first, then its rests. */
    private function chargesThatPaid(): array
    {
        $attempt = Attempts::find($this->order, (string) $this->order->get_meta(Attempts::PAID_META));
        foreach ($attempt === null ? array_reverse(Attempts::of($this->order)) : [] as $other) {
            $attempt = $attempt ?? (Judgement::hasMoney($other['state']) ? $other : null);
        }
        if ($attempt === null) {
            return [];
        }
        $page = $this->api->listDepositAddresses(['orderRef' => $attempt['orderRef'], 'kind' => 'order', 'limit' => self::MAX_CHARGES]);
        $charges = array_filter($page['data'], function (array $charge) use ($attempt): bool {
            return in_array($attempt['chargeId'], [$charge['id'], $charge['rest_of']], true)
                && Attempts::isOwn($charge, $this->shopId, $this->order) && Micros::of($charge['amount_received']) > 0;
        });
        usort($charges, static function (array $one, array $other): int {
            return ($one['rest_of'] === null ? 0 : 1) <=> ($other['rest_of'] === null ? 0 : 1);
        });
        return $charges;
    }

    /** @return array<string, int> what is left of each charge, in millionths of its coin */
    private function leftOfEach(array $charges): array
    {
        $left = [];
        foreach ($charges as $charge) {
            $left[$charge['id']] = max(0, $this->left($charge, 0));
        }
        return $left;
    }

    /**
     * Asks for each of these refunds; for none, if one is refused.
     *
     * @param array<string, int> $parts millionths of the coin by charge; none, if there is not so much left
     * @throws DaricException | Unavailable
     */
    private function askEach(array $parts, callable $ref, string $reason): array
    {
        if ($parts === []) {
            throw new Unavailable(Refusals::tooMuch());
        }
        $asked = [];
        try {
            foreach ($parts as $chargeId => $units) {
                $asked[] = $this->ask($chargeId, $ref(count($asked) + 1), $reason, ['amount' => Micros::decimal($units)]);
            }
        } catch (DaricException $fault) {
            foreach ($asked as $refund) {
                $this->api->cancelRefund($refund['id']);
            }
            throw $fault;
        }
        return $asked;
    }

    /** The final money of a charge above `$kept`, less what is promised, in millionths of its coin. */
    private function left(array $charge, int $kept): int
    {
        $left = Micros::of($charge['amount_received']) - $kept;
        foreach ($this->api->allRefunds(['depositAddressId' => $charge['id']]) as $refund) {
            // A refund of the price takes nothing of a surplus.
            $isOfPrice = $kept > 0 && RefundRecords::parseRef($this->shopId, $this->order->get_id(), $refund['refund_ref']) !== null;
            if ($refund['status'] !== 'CANCELED' && $refund['currency'] === $charge['currency'] && !$isOfPrice) {
                $left -= Micros::of($refund['amount']);
            }
        }
        return $left;
    }

    /** Two clicks at once have the same reference, so that they make one refund. */
    private function nextRef(string $chargeId, string $coin): string
    {
        $number = 1;
        foreach ($this->api->allRefunds(['depositAddressId' => $chargeId]) as $_) {
            $number++;
        }
        return "wc-$this->shopId-{$this->order->get_id()}-m-" . substr($chargeId, -12) . "-$coin-$number";
    }

    /** @throws DaricException | Unavailable */
    private function ask(string $chargeId, string $ref, string $reason, array $amount): array
    {
        $body = ['refundRef' => $ref] + ($reason === '' ? [] : ['reason' => mb_substr($reason, 0, self::MAX_REASON)]) + $amount;
        $refund = $this->api->askForRefund($chargeId, $body);
        if (in_array($refund['status'], ['CANCELED', 'COMPLETED'], true)) {
            throw new Unavailable(__('Daric has an ended refund under this reference. Was this shop restored from a backup? Use Daric’s dashboard for this refund.', 'daric'));
        }
        return $refund;
    }
}
