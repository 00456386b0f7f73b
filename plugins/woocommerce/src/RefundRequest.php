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
     * Money of an attempt and of its rests that is no part of the price: the surplus of the attempt that paid the order, or all money
     * of another one.
     *
     * @return list<array<string, mixed>> the refunds, one for each charge that has something left
     * @throws DaricException
     * @throws Unavailable in words, if nothing is left
     */
    public function ofMoney(array $attempt): array
    {
        $charges = $this->family($attempt);
        if ($charges === []) {
            throw new Unavailable(__('This payment does not belong to this order.', 'daric'));
        }
        $isPrice = Orders::isPaid($this->order) && (string) $this->order->get_meta(Attempts::PAID_META) === $attempt['chargeId'];
        $surplus = Family::surplus($charges);
        $parts = [];
        foreach ($charges as $charge) {
            $left = $this->left($charge, $isPrice ? $surplus[$charge['id']] : null);
            if ($left > 0) {
                $parts[$charge['id']] = $left;
            }
        }
        if ($parts === []) {
            throw new Unavailable(__('Nothing of this payment is left to return: a refund of it was asked for before.', 'daric'));
        }
        return $this->askEach($parts, function (int $_, string $chargeId) use ($attempt): string {
            return $this->nextRef($chargeId, $attempt['coin']);
        }, '');
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
        return array_values(array_filter($this->family($attempt), static function (array $charge): bool {
            return Family::received([$charge]) > 0;
        }));
    }

    /** The charge of an attempt and its rests. */
    private function family(array $attempt): array
    {
        return Family::own(Family::read($this->api, $attempt['orderRef'], $attempt['chargeId']), $this->shopId, $this->order);
    }

    /** @return array<string, int> what is left of each charge, in millionths of its coin */
    private function leftOfEach(array $charges): array
    {
        $left = [];
        foreach ($charges as $charge) {
            $left[$charge['id']] = max(0, $this->left($charge, null));
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
                $asked[] = $this->ask($chargeId, $ref(count($asked) + 1, $chargeId), $reason, ['amount' => Micros::decimal($units)]);
            }
        } catch (DaricException $fault) {
            foreach ($asked as $refund) {
                $this->api->cancelRefund($refund['id']);
            }
            throw $fault;
        }
        return $asked;
    }

    /**
     * What is left of a charge less what is promised, in millionths of its coin.
     *
     * @param int|null $surplus what came too much, if no more than that may go back; null for all final money
     */
    private function left(array $charge, ?int $surplus): int
    {
        $left = $surplus ?? Family::received([$charge]);
        foreach ($this->api->allRefunds(['depositAddressId' => $charge['id']]) as $refund) {
            // A refund of the price takes nothing of a surplus.
            $isOfPrice = $surplus !== null && RefundRecords::parseRef($this->shopId, $this->order->get_id(), $refund['refund_ref']) !== null;
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
        return RefundRecords::refOfBox($this->shopId, $this->order->get_id(), $chargeId, $coin, $number);
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
