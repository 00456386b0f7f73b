<?php

declare(strict_types=1);

namespace Daric;

/** The question whether an event proves that an order may be delivered. */
final class Fulfilment
{
    /**
     * The reason why an event is not enough to deliver an order, for your log; null if it is.
     *
     * It is `deposit.confirmed` of this charge, at this price, with a `paymentState` of `exact` or `over`; `order.accepted` of it; or
     * the payment of its rest. You must check that you have not delivered it before.
     *
     * @param array<string, mixed> $event as `Webhook::verify` answers it
     * @param array{orderRef: string, amount: string, currency: string, depositAddressId?: string|null} $order your own record of it:
     *   the price as a decimal, `EUR` as its currency if it was made with `pricingCurrency: EUR`, else the coin, and the `id` of the
     *   answer when you made it. Several charges may have one reference; an event of another one counts for none.
     * @throws \InvalidArgumentException if `amount` is no decimal string, since no event could equal it
     */
    public static function reasonNotToDeliver(array $event, array $order): ?string
    {
        $requested = Decimal::canonical($order['amount']);
        if ($requested === null) {
            throw new \InvalidArgumentException('amount must be a decimal string like "12.50".');
        }
        $data = $event['data'] ?? [];
        $name = $event['event'];
        $isRest = in_array($name, ['order.paid', 'order.accepted'], true) && ($data['restCompletes'] ?? false) === true;
        if (!$isRest && $name !== 'deposit.confirmed' && $name !== 'order.accepted') {
            return "the event is $name";
        }
        // An event without a reference belongs to no order, not even to one that is stored without a reference.
        $orderRef = $data['orderRef'] ?? null;
        if ($orderRef === null || $orderRef !== $order['orderRef']) {
            return 'the event is of ' . json_encode($orderRef, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        }
        $charge = $isRest ? $data['restOf'] : $data['depositAddressId'];
        if (isset($order['depositAddressId']) && $charge !== $order['depositAddressId']) {
            return "the event is of the charge $charge";
        }
        // The price of a rest is what was missing.
        if ($isRest) {
            return null;
        }
        // The price of an order in a currency is fiatAmount: its orderAmount is in coins and moves with the rate.
        $amount = $data['fiatAmount'] ?? $data['orderAmount'];
        $currency = $data['fiatCurrency'] ?? $data['currency'];
        if (Decimal::canonical($amount) !== $requested || $currency !== $order['currency']) {
            return 'its price is ' . ($amount ?? 'null') . " $currency, and {$order['amount']} {$order['currency']} was asked for";
        }
        if ($name === 'deposit.confirmed' && !in_array($data['paymentState'], ['exact', 'over'], true)) {
            return "only {$data['amountReceived']} {$data['currency']} has arrived";
        }
        return null;
    }
}
