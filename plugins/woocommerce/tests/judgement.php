<?php

declare(strict_types=1);

use Daric\WooCommerce\Judgement as J;

$charge = static function (string $status, string $payment, string $sums, bool $isLate = false, ?string $acceptedAt = null): array {
    $facts = ['status' => $status, 'payment_status' => $payment, 'payment_state' => $sums, 'paid_late' => $isLate];
    return $facts + ['accepted_at' => $acceptedAt, 'id' => "$status $sums", 'amount_due' => '10', 'amount_received' => ['under' => '0', 'exact' => '10', 'over' => '12'][$sums] ?? '0', 'fiat_amount' => null];
};
$states = [
    'nothing came' => [['ACTIVE', 'awaiting', 'none'], J::OPEN_STATE],
    'a payment is in a block' => [['ACTIVE', 'detected', 'none'], J::SEEN],
    'a part is final and the rest confirms' => [['ACTIVE', 'confirming', 'under'], J::SEEN],
    'a part is final' => [['ACTIVE', 'awaiting', 'under'], J::SHORT],
    'a part is final and the time is over' => [['EXPIRED', 'expired', 'under'], J::SHORT_ENDED],
    'a part is final and a rest was asked for' => [['ARCHIVED', 'expired', 'under'], J::SHORT_ENDED],
    'all is final' => [['ARCHIVED', 'paid', 'exact'], J::PAID],
    'a part was accepted' => [['ARCHIVED', 'paid', 'under'], J::PAID],
    'it was paid after its time, within the late window' => [['ARCHIVED', 'paid', 'exact', true], J::LATE],
    'it was paid too late and accepted in Daric' => [['ARCHIVED', 'paid', 'exact', true, '2026-12-01T00:00:00.000Z'], J::PAID],
    'too much is final' => [['ARCHIVED', 'paid', 'over'], J::OVER],
    'it was paid after the late window' => [['EXPIRED', 'expired', 'exact', true], J::LATE],
    'it was paid after a person archived it' => [['ARCHIVED', 'expired', 'exact'], J::LATE],
    'its time is over' => [['EXPIRED', 'expired', 'none'], J::EXPIRED],
    'a person archived it' => [['ARCHIVED', 'expired', 'none'], J::CLOSED],
];
foreach ($states as $what => [$fields, $expected]) {
    check("a charge is $expected where $what", static function () use ($charge, $fields): string {
        return J::stateOf($charge(...$fields));
    }, $expected);
}

$families = [
    'its rest is paid' => [['ARCHIVED', 'paid', 'exact'], J::PAID],
    'its rest got too much' => [['ARCHIVED', 'paid', 'over'], J::OVER],
];
foreach ($families as $what => [$rest, $expected]) {
    check("a short charge that its rest pays is $expected where $what", static function () use ($charge, $rest): string {
        return J::stateOf($charge('ARCHIVED', 'paid', 'under', false, '2026-12-01T00:00:00.000Z'), [$charge(...$rest)]);
    }, $expected);
}
check('a short charge is late where money came too late for its rest, and else is not', static function () use ($charge): array {
    return array_map(static function (array $rest) use ($charge): string {
        return J::stateOf($charge('ARCHIVED', 'expired', 'under'), [$charge('EXPIRED', 'expired', 'none'), $charge(...$rest)]);
    }, [['EXPIRED', 'expired', 'exact', true], ['EXPIRED', 'expired', 'under'], ['ACTIVE', 'awaiting', 'none']]);
}, [J::LATE, J::SHORT_ENDED, J::SHORT_ENDED]);
check('a charge is overpaid where two of its rests got all that they asked for', static function () use ($charge): string {
    $full = $charge('ARCHIVED', 'paid', 'exact');
    return J::stateOf($charge('ARCHIVED', 'paid', 'under', false, '2026-12-01T00:00:00.000Z'), [$full, $full]);
}, J::OVER);

/** The act and the task for an unpaid order of Daric with these facts. */
$judged = static function (string $state, array $facts = []): string {
    $isFinal = in_array($state, [J::SHORT, J::SHORT_ENDED, J::PAID, J::OVER, J::LATE], true);
    $order = $facts + [
        'status' => 'pending', 'isDaric' => true, 'isPaid' => false, 'isPaidByThis' => false, 'isPriceSame' => true, 'isNewest' => true,
        'othersHaveMoney' => false, 'hasRefund' => false, 'task' => '', 'previous' => J::OPEN_STATE, 'hasGrown' => $isFinal && ($facts['previous'] ?? '') !== $state,
        'acceptsLate' => false, 'cancelsOnExpiry' => false,
    ];
    ['act' => $act, 'note' => $note, 'task' => $task] = J::of($order, $state);
    return trim("$act $note $task");
};
$held = ['status' => 'on-hold', 'previous' => J::SEEN];
$canceled = ['status' => 'cancelled'];
$ended = ['previous' => J::SHORT, 'hasGrown' => false];
$rules = [
    ['a paid charge pays a pending order', J::PAID, [], 'pay paid'],
    ['a paid charge pays an order on hold', J::PAID, $held, 'pay paid'],
    ['a paid charge pays a failed order', J::PAID, ['status' => 'failed'], 'pay paid'],
    ['a payment that stopped half way is finished', J::PAID, ['previous' => J::PAID], 'pay paid'],
    ['a surplus pays the order, and is to be returned', J::OVER, $held, 'pay over refund_surplus'],
    ['money of another attempt is to be returned then', J::PAID, $held + ['othersHaveMoney' => true], 'pay paid refund'],
    ['a payment that is not final holds the order', J::SEEN, [], 'hold seen'],
    ['it holds the order once', J::SEEN, $held, 'nothing'],
    ['too little holds the order', J::SHORT, $held, 'hold short'],
    ['too little at the end is a task', J::SHORT_ENDED, $held, 'hold short_ended short'],
    ['too late is a task', J::LATE, ['previous' => J::EXPIRED], 'hold late late'],
    ['too late is accepted by the setting', J::LATE, ['acceptsLate' => true], 'accept late_accepted'],
    ['an order that expired with nothing stays pending', J::EXPIRED, [], 'nothing expired'],
    ['it is cancelled by the setting', J::EXPIRED, ['cancelsOnExpiry' => true], 'cancel expired_for_good'],
    ['an old attempt that expires cancels nothing', J::EXPIRED, ['cancelsOnExpiry' => true, 'isNewest' => false], 'nothing expired'],
    ['money of another attempt keeps the order', J::EXPIRED, ['cancelsOnExpiry' => true, 'othersHaveMoney' => true], 'nothing expired'],
    ['an order on hold by hand is not cancelled', J::EXPIRED, ['cancelsOnExpiry' => true, 'status' => 'on-hold'], 'nothing expired_for_good'],
    ['a payment that left the chain lets the customer pay again', J::OPEN_STATE, $held, 'reopen money_gone'],
    ['so it does where the time is over too', J::EXPIRED, $held, 'reopen money_gone'],
    ['money of another attempt keeps it on hold', J::OPEN_STATE, $held + ['othersHaveMoney' => true], 'nothing'],
    ['an archived charge changes nothing', J::CLOSED, [], 'nothing'],
    ['an open charge changes nothing', J::OPEN_STATE, ['previous' => J::PLANNED], 'nothing'],

    ['money for an older total pays nothing', J::PAID, ['isPriceSame' => false], 'hold price_changed price_changed'],
    ['it says so once', J::PAID, ['isPriceSame' => false, 'previous' => J::PAID], 'nothing'],
    ['a late one for an older total is not accepted', J::LATE, ['isPriceSame' => false, 'acceptsLate' => true], 'hold price_changed price_changed'],

    ['money that goes back in part pays nothing', J::PAID, $held + ['hasRefund' => true], 'hold returned returned'],
    ['nor is late money accepted then', J::LATE, $held + ['hasRefund' => true, 'acceptsLate' => true], 'hold returned returned'],
    ['it says so once', J::PAID, ['hasRefund' => true, 'previous' => J::PAID], 'nothing'],

    ['money on a cancelled order holds it', J::PAID, $canceled, 'hold money_canceled canceled'],
    ['so does a part', J::SHORT, $canceled, 'hold money_canceled canceled'],
    ['so does late money, whatever the setting says', J::LATE, $canceled + ['acceptsLate' => true], 'hold money_canceled canceled'],
    ['a payment on its way to a cancelled order is a note', J::SEEN, $canceled, 'nothing seen_only'],
    ['it is never paid later', J::PAID, ['status' => 'on-hold', 'task' => 'canceled', 'previous' => J::SHORT], 'nothing money_canceled canceled'],
    ['a cancelled order that expires stays as it is', J::EXPIRED, $canceled, 'nothing'],

    ['money on an order with another method is to be returned', J::PAID, ['isDaric' => false], 'nothing money_other_method refund'],
    ['a part of it too', J::SHORT_ENDED, ['isDaric' => false, 'status' => 'on-hold'], 'nothing money_other_method refund'],
    ['expiry changes no order with another method', J::EXPIRED, ['isDaric' => false, 'cancelsOnExpiry' => true], 'nothing'],
    ['money on a paid order is to be returned', J::PAID, ['status' => 'processing', 'isPaid' => true], 'nothing money_paid_already refund'],
    ['it is one task', J::PAID, ['status' => 'processing', 'isPaid' => true, 'previous' => J::PAID], 'nothing'],
    ['money on a refunded order changes no status', J::PAID, ['status' => 'refunded', 'isPaid' => true], 'nothing money_refunded refund'],
    ['the charge that paid the order says nothing more', J::PAID, ['status' => 'processing', 'isPaid' => true, 'isPaidByThis' => true], 'nothing'],
    ['a surplus after it is to be returned', J::OVER, ['status' => 'completed', 'isPaid' => true, 'isPaidByThis' => true, 'previous' => J::PAID], 'nothing over_later refund_surplus'],
    ['the end of a short charge brings no money to a cancelled order', J::SHORT_ENDED, $canceled + ['task' => 'canceled'] + $ended, 'nothing'],
    ['cancelling an order with a part of its money is a task', J::SHORT, $canceled + ['previous' => J::SHORT, 'hasGrown' => false], 'nothing money_canceled canceled'],
    ['so is cancelling it after the end of its time', J::SHORT_ENDED, $canceled + ['task' => 'short', 'previous' => J::SHORT_ENDED, 'hasGrown' => false], 'nothing money_canceled canceled'],
    ['no task stands where its money goes back', J::SHORT_ENDED, $canceled + ['hasRefund' => true, 'previous' => J::SHORT_ENDED, 'hasGrown' => false], 'nothing'],
    ['nor to a refunded one', J::SHORT_ENDED, ['status' => 'refunded'] + $ended, 'nothing'],
    ['an order on hold hears of it', J::SHORT_ENDED, ['status' => 'on-hold'] + $ended, 'hold short_ended short'],
    ['the rest of a short payment is money for a cancelled order', J::PAID, $canceled + ['previous' => J::SHORT_ENDED, 'hasGrown' => false], 'hold money_canceled canceled'],
    ['more late money on a paid order is told again', J::LATE, ['status' => 'processing', 'isPaid' => true, 'previous' => J::LATE, 'hasGrown' => true], 'nothing money_paid_already refund'],
    ['a third payment after a surplus is told too', J::OVER, ['status' => 'processing', 'isPaid' => true, 'isPaidByThis' => true, 'previous' => J::OVER, 'hasGrown' => true], 'nothing over_later refund_surplus'],
    ['more late money on an order on hold is told again', J::LATE, ['status' => 'on-hold', 'previous' => J::LATE, 'hasGrown' => true], 'hold late late'],
    ['a status of another plugin is not changed', J::PAID, ['status' => 'in-transit'], 'nothing money_other_status refund'],
    ['an order in the trash is not changed', J::PAID, ['status' => 'trash'], 'nothing money_other_status refund'],
];
foreach ($rules as [$title, $state, $facts, $expected]) {
    check($title, static function () use ($judged, $state, $facts): string {
        return $judged($state, $facts);
    }, $expected);
}

check('no state of a charge pays an order that is paid, cancelled, refunded or of another method', static function () use ($judged): array {
    $wrong = [];
    $all = [J::OPEN_STATE, J::SEEN, J::SHORT, J::SHORT_ENDED, J::PAID, J::OVER, J::LATE, J::EXPIRED, J::CLOSED];
    $closed = [['isPaid' => true], ['status' => 'cancelled'], ['status' => 'refunded'], ['isDaric' => false], ['task' => 'canceled', 'status' => 'on-hold']];
    foreach ($all as $state) {
        foreach ($all as $previous) {
            foreach ($closed as $facts) {
                $found = $judged($state, $facts + ['previous' => $previous, 'acceptsLate' => true]);
                if (preg_match('/^(pay|accept|reopen|cancel)/', $found) === 1) {
                    $wrong[] = [$state, $previous, $facts, $found];
                }
            }
        }
    }
    return $wrong;
}, []);
