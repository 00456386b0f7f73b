<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/**
 * What a charge means for its order. Pure: it reads nothing and changes nothing.
 *
 * The facts of the order are `{ status, isDaric, isPaid, isPaidByThis, isPriceSame, isNewest, othersHaveMoney, hasRefund, task,
 * previous, hasGrown, acceptsLate, cancelsOnExpiry }`: `isPriceSame` compares the charge with the order's rounded total of now;
 * `hasRefund` says whether some of its money goes back; `previous` is the state that this charge had when it was judged before, and
 * `hasGrown` says whether it has more final money than then.
 */
final class Judgement
{
    /** States of a charge. */
    public const OPEN_STATE = 'open';
    public const SEEN = 'seen';
    public const SHORT = 'short';
    public const SHORT_ENDED = 'short_ended';
    public const PAID = 'paid';
    public const OVER = 'over';
    public const LATE = 'late';
    public const EXPIRED = 'expired';
    public const CLOSED = 'closed';
    /** Before the answer of the create is known. */
    public const PLANNED = 'planned';

    /** A charge is open, or its money is not final. */
    public const OPEN = [self::OPEN_STATE, self::SEEN, self::SHORT];
    /** States that pay an order: while it is unpaid, something kept it so. */
    public const PAYS = [self::PAID, self::OVER];
    private const FINAL_MONEY = [self::SHORT, self::SHORT_ENDED, self::PAID, self::OVER, self::LATE];
    private const PAYABLE = ['pending', 'failed', 'on-hold'];

    /** Acts. */
    public const PAY = 'pay';
    public const HOLD = 'hold';
    public const REOPEN = 'reopen';
    public const CANCEL = 'cancel';
    public const ACCEPT = 'accept';
    public const NOTHING = 'nothing';

    /** Tasks for a person. */
    public const TASK_REFUND = 'refund';
    public const TASK_SURPLUS = 'refund_surplus';
    public const TASK_CANCELED = 'canceled';
    public const TASK_LATE = 'late';
    public const TASK_SHORT = 'short';
    public const TASK_PRICE = 'price_changed';
    public const TASK_RETURNED = 'returned';
    public const TASK_COIN = 'other_coin';
    /** Shown, and never stored: see Admin\Todo. */
    public const TASK_CANCEL = 'cancel';

    /** Tasks that end when a person gives the order a status of a paid one: the money is taken then. */
    public const DECIDED_BY_STATUS = [self::TASK_CANCELED, self::TASK_LATE, self::TASK_SHORT, self::TASK_PRICE, self::TASK_RETURNED];

    /**
     * The state of a charge, by the rows that Daric answers now: late money of a rest is late money of the order, and too much for a
     * rest is too much for the order.
     *
     * @param array<string, mixed> $charge
     * @param list<array<string, mixed>> $rests
     */
    public static function stateOf(array $charge, array $rests = []): string
    {
        if ($charge['payment_status'] === 'paid') {
            // Within its late window Daric counts late money as paid. The shop decides: its stock may be sold.
            return $charge['paid_late'] && $charge['accepted_at'] === null ? self::LATE : self::paidState($charge, $rests);
        }
        if (in_array($charge['payment_status'], ['detected', 'confirming'], true)) {
            return self::SEEN;
        }
        if ($charge['paid_late'] || in_array($charge['payment_state'], ['exact', 'over'], true)) {
            return self::LATE;
        }
        if ($charge['payment_state'] === 'under') {
            return $charge['status'] === 'ACTIVE' ? self::SHORT : self::stateOfShort($rests);
        }
        return ['ACTIVE' => self::OPEN_STATE, 'EXPIRED' => self::EXPIRED][$charge['status']] ?? self::CLOSED;
    }

    private static function stateOfShort(array $rests): string
    {
        return in_array(self::LATE, array_map([self::class, 'stateOf'], $rests), true) ? self::LATE : self::SHORT_ENDED;
    }

    /** The state of a charge that counts as paid, whenever its money came. */
    public static function paidState(array $charge, array $rests = []): string
    {
        return Family::isOver(array_merge([$charge], $rests)) ? self::OVER : self::PAID;
    }

    public static function hasMoney(string $state): bool
    {
        return $state === self::SEEN || in_array($state, self::FINAL_MONEY, true);
    }

    /**
     * @param array{status: string, isDaric: bool, isPaid: bool, isPaidByThis: bool, isPriceSame: bool, isNewest: bool,
     *   othersHaveMoney: bool, hasRefund: bool, task: string, previous: string, hasGrown: bool, acceptsLate: bool, cancelsOnExpiry: bool} $order
     * @return array{act: string, note: string, task: string} `note` is the name of a text of Notes, empty for none; an empty `task`
     *   leaves the order's as it is
     */
    public static function of(array $order, string $state): array
    {
        $isNews = $state !== $order['previous'] || $order['hasGrown'];
        // The end of a short charge, or a payment that left the chain, brings it no money.
        $isMoreMoney = $order['hasGrown'] || ($isNews && !in_array($state, [self::SHORT, self::SHORT_ENDED], true));
        if ($order['isPaidByThis']) {
            $isOver = $isNews && $state === self::OVER;
            return $isOver ? self::result(self::NOTHING, 'over_later', self::TASK_SURPLUS) : self::result(self::NOTHING);
        }
        $reason = self::reasonToChangeNothing($order);
        if ($reason !== '') {
            return $isMoreMoney ? self::moneyFor($reason, $state) : self::result(self::NOTHING);
        }
        if ($order['status'] === 'cancelled' || $order['task'] === self::TASK_CANCELED) {
            return self::onCancelled($order, $state, $isMoreMoney);
        }
        if (self::hasMoney($state)) {
            return self::onMoney($order, $state, $isNews);
        }
        return self::onNoMoney($order, $state, $isNews);
    }

    /** The name of the reason why this charge changes nothing of the order; empty if it may. */
    private static function reasonToChangeNothing(array $order): string
    {
        if ($order['status'] === 'refunded') {
            return 'refunded';
        }
        if ($order['isPaid']) {
            return 'paid_already';
        }
        if (!$order['isDaric']) {
            return 'other_method';
        }
        return in_array($order['status'], array_merge(self::PAYABLE, ['cancelled']), true) ? '' : 'other_status';
    }

    private static function moneyFor(string $reason, string $state): array
    {
        if (in_array($state, self::FINAL_MONEY, true)) {
            return self::result(self::NOTHING, "money_$reason", self::TASK_REFUND);
        }
        return $state === self::SEEN ? self::result(self::NOTHING, 'seen_only') : self::result(self::NOTHING);
    }

    /** Its stock is gone, so that no money makes it an order to deliver. */
    private static function onCancelled(array $order, string $state, bool $isMoreMoney): array
    {
        if ($state === self::SEEN) {
            return self::result(self::NOTHING, $isMoreMoney ? 'seen_only' : '');
        }
        if (!self::hasMoney($state)) {
            return self::result(self::NOTHING);
        }
        if (!$isMoreMoney) {
            // The order was cancelled with money that waited for the rest: a person returns it.
            $isUntold = in_array($order['task'], ['', self::TASK_SHORT], true) && !$order['hasRefund'];
            return $isUntold ? self::result(self::NOTHING, 'money_canceled', self::TASK_CANCELED) : self::result(self::NOTHING);
        }
        return self::result($order['status'] === 'on-hold' ? self::NOTHING : self::HOLD, 'money_canceled', self::TASK_CANCELED);
    }

    private static function onMoney(array $order, string $state, bool $isNews): array
    {
        if ($state === self::SEEN) {
            return $isNews ? self::result(self::HOLD, 'seen') : self::result(self::NOTHING);
        }
        if (!$order['isPriceSame']) {
            return $isNews ? self::result(self::HOLD, 'price_changed', self::TASK_PRICE) : self::result(self::NOTHING);
        }
        // What Daric counts as paid came, and some of it goes back: it is no longer the price.
        if ($order['hasRefund']) {
            return $isNews ? self::result(self::HOLD, 'returned', self::TASK_RETURNED) : self::result(self::NOTHING);
        }
        if ($state === self::PAID || $state === self::OVER) {
            $task = $order['othersHaveMoney'] ? self::TASK_REFUND : '';
            return $state === self::OVER ? self::result(self::PAY, 'over', self::TASK_SURPLUS) : self::result(self::PAY, 'paid', $task);
        }
        if ($state === self::LATE && $order['acceptsLate']) {
            return self::result(self::ACCEPT, 'late_accepted');
        }
        if (!$isNews) {
            return self::result(self::NOTHING);
        }
        if ($state === self::LATE) {
            return self::result(self::HOLD, 'late', self::TASK_LATE);
        }
        return $state === self::SHORT
            ? self::result(self::HOLD, 'short')
            : self::result(self::HOLD, 'short_ended', self::TASK_SHORT);
    }

    private static function onNoMoney(array $order, string $state, bool $isNews): array
    {
        if (!$isNews) {
            return self::result(self::NOTHING);
        }
        // Money that was on its way left the chain: the order waits for payment again.
        if ($order['previous'] === self::SEEN && !$order['othersHaveMoney'] && $order['status'] === 'on-hold') {
            return self::result(self::REOPEN, 'money_gone');
        }
        if ($state !== self::EXPIRED) {
            return self::result(self::NOTHING);
        }
        $isCancelled = $order['cancelsOnExpiry'] && $order['isNewest'] && !$order['othersHaveMoney'] && $order['status'] === 'pending';
        if ($isCancelled) {
            return self::result(self::CANCEL, 'expired_for_good');
        }
        return self::result(self::NOTHING, $order['status'] === 'on-hold' ? 'expired_for_good' : 'expired');
    }

    /**
     * The task of an order that gets the status of a paid one.
     *
     * @param bool $isAnySpare whether the order has final money that is not its price, and that nobody has asked back
     */
    public static function taskOfPaid(string $task, bool $isAnySpare): string
    {
        $isDecided = $task === '' || in_array($task, self::DECIDED_BY_STATUS, true);
        return $isDecided ? ($isAnySpare ? self::TASK_REFUND : '') : $task;
    }

    private static function result(string $act, string $note = '', string $task = ''): array
    {
        return ['act' => $act, 'note' => $note, 'task' => $task];
    }
}
