<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

use Daric\DaricException;

/** Makes and finds the charges of an order. */
final class Charges
{
    private const LOCK_SECONDS = 10;
    /** Attempts that are passed over at once, because their reference is taken or has ended. */
    private const MAX_STEPS = 5;

    private Connection $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    /**
     * The payment page of the order: that of the open charge at today's total, of the rest of a short one, or of a new charge.
     *
     * @throws Unavailable
     */
    public function pageOf(int $orderId): string
    {
        // Test money must pay no order of a customer.
        $isForbidden = $this->connection->isTest() && !current_user_can('manage_woocommerce');
        if ($this->connection->obstacle() !== null || $isForbidden) {
            throw new Unavailable(__('This shop cannot take this payment at the moment. Please choose another one.', 'daric'));
        }
        try {
            return Lock::order($orderId, self::LOCK_SECONDS, function () use ($orderId): string {
                $order = Orders::fresh($orderId);
                if ($order === null) {
                    throw new Unavailable(__('There is no such order.', 'daric'));
                }
                if (!Orders::isPayable($order)) {
                    throw new Unavailable(__('This order needs no payment now.', 'daric'));
                }
                return $this->found($order) ?? $this->make($order, Total::ofOrder($order));
            });
        } catch (Busy $_) {
            throw new Unavailable(__('Your order is being worked on. Please try again in a few seconds.', 'daric'));
        } catch (\InvalidArgumentException $fault) {
            Log::warning("Order $orderId cannot be paid: {$fault->getMessage()}");
            throw new Unavailable(__('This order has nothing to pay by this method.', 'daric'));
        } catch (Unavailable $fault) {
            throw $fault;
        } catch (DaricException $fault) {
            Log::warning("The charge of order $orderId could not be made: {$fault->errorCode} {$fault->getMessage()} ({$fault->correlationId})");
            throw new Unavailable($fault->errorCode === 'RATE_UNAVAILABLE'
                ? __('There is no exchange rate at the moment. Please try again in a few minutes, or choose another payment.', 'daric')
                : __('The payment page cannot be reached at the moment. Please try again in a minute.', 'daric'));
        } catch (\Throwable $fault) {
            // Another plugin's fault in a hook of the order, for example.
            Log::warning("The charge of order $orderId could not be made: {$fault->getMessage()}");
            throw new Unavailable(__('The payment page cannot be made at the moment. Please tell the shop.', 'daric'));
        }
    }

    /** The page of the newest charge, if it can still be paid at today's total; null if the order needs a new charge. */
    private function found(\WC_Order $order): ?string
    {
        $attempt = Attempts::newest($order);
        if ($attempt === null || $attempt['chargeId'] === '' || !$this->isOfThisMerchant($attempt)) {
            return null;
        }
        $charge = (new Lookup($this->api()))->charge($attempt['chargeId']);
        if ($charge !== null && !Attempts::isOwn($charge, $this->connection->shopId(), $order)) {
            // A copied order has the charge of the one that it was copied from.
            $this->store($order, array_merge($attempt, ['state' => Judgement::CLOSED]));
            return null;
        }
        $state = $charge === null ? Judgement::CLOSED : Judgement::stateOf($charge);
        $isPriceSame = Orders::isPrice($order, $attempt['amount'], $attempt['currency']);
        if (Orders::hasRefund($order, $attempt)) {
            throw new Unavailable(__('A payment for this order has arrived. Please wait for the shop before you pay again.', 'daric'));
        }
        if ($state === Judgement::SHORT_ENDED && $isPriceSame) {
            return $this->pageOfRest($charge);
        }
        if (!Judgement::hasMoney($state) && !$order->needs_payment()) {
            return null;
        }
        $isWanted = Judgement::hasMoney($state) || $this->isWantedCoin($attempt);
        if (in_array($state, [Judgement::OPEN_STATE, Judgement::SHORT, Judgement::SEEN], true) && $isPriceSame && $isWanted) {
            return $attempt['checkoutUrl'];
        }
        if (Judgement::hasMoney($state)) {
            throw new Unavailable(__('A payment for this order has arrived. Please wait for the shop before you pay again.', 'daric'));
        }
        $this->archive($order, $attempt, $charge);
        return null;
    }

    private function pageOfRest(array $charge): string
    {
        try {
            return (string) $this->api()->askForRest($charge['id'])['checkout_url'];
        } catch (DaricException $fault) {
            if (in_array($fault->errorCode, ['PAYMENT_IN_PROGRESS', 'ORDER_ALREADY_PAID'], true)) {
                throw new Unavailable(__('A payment for this order has arrived. Please wait for the shop before you pay again.', 'daric'));
            }
            throw $fault;
        }
    }

    /** @param array<string, mixed>|null $charge one without money; null if Daric does not know it any more */
    private function archive(\WC_Order $order, array $attempt, ?array $charge): void
    {
        $state = $charge === null ? Judgement::CLOSED : Attempts::filled($attempt, $charge)['state'];
        if ($state === Judgement::OPEN_STATE) {
            $this->api()->archiveDepositAddress($charge['id']);
            Log::info("The charge {$charge['id']} of order {$order->get_id()} is archived.");
            $state = Judgement::CLOSED;
        }
        $this->store($order, array_merge($attempt, ['state' => $state]));
    }

    /** @throws Unavailable | DaricException */
    private function make(\WC_Order $order, Total $total): string
    {
        if (!$order->needs_payment()) {
            throw new Unavailable(__('This order needs no payment now.', 'daric'));
        }
        for ($step = 0; $step < self::MAX_STEPS; $step++) {
            $attempt = $this->planned($order, $total);
            $charge = $this->createOnce($order, $attempt);
            if ($charge !== null && Attempts::isOwn($charge, $this->connection->shopId(), $order)) {
                $attempt = Attempts::filled($attempt, $charge);
                $order = $this->payableNow($order, $attempt, $charge);
                if (!Judgement::hasMoney($attempt['state'])) {
                    $this->store($order, $attempt);
                }
                if ($attempt['state'] === Judgement::OPEN_STATE) {
                    return $attempt['checkoutUrl'];
                }
                if (Judgement::hasMoney($attempt['state'])) {
                    // It is stored once it is judged.
                    (new OrderWork($this->connection))->look($order->get_id(), $attempt['chargeId']);
                    throw new Unavailable(__('A payment for this order has arrived. Please wait for the shop before you pay again.', 'daric'));
                }
                continue;
            }
            $this->store($order, array_merge($attempt, ['state' => Judgement::CLOSED]));
        }
        throw new Unavailable(__('The payment page cannot be made at the moment. Please tell the shop.', 'daric'));
    }

    /**
     * The order as it is after the create: a card or a person may have ended it while Daric worked. Then the charge is archived.
     *
     * @throws Unavailable
     */
    private function payableNow(\WC_Order $order, array $attempt, array $charge): \WC_Order
    {
        $now = Orders::fresh($order->get_id());
        if ($now !== null && ($now->needs_payment() || Judgement::hasMoney($attempt['state']))) {
            return $now;
        }
        if ($now !== null) {
            $this->archive($now, $attempt, $charge);
        } elseif ($attempt['state'] === Judgement::OPEN_STATE) {
            $this->api()->archiveDepositAddress($charge['id']);
        }
        throw new Unavailable(__('This order needs no payment now.', 'daric'));
    }

    /** The attempt to make, stored before it is made: where its answer is lost, the next call finds it by its reference. */
    private function planned(\WC_Order $order, Total $total): array
    {
        $newest = Attempts::newest($order);
        $isLost = $newest !== null && $newest['state'] === Judgement::PLANNED && $this->isOfThisMerchant($newest)
            && $total->equals($newest['amount'], $newest['currency']) && $this->isWantedCoin($newest);
        if ($isLost) {
            return $newest;
        }
        if ($newest !== null && $newest['state'] === Judgement::PLANNED) {
            Attempts::put($order, array_merge($newest, ['state' => Judgement::CLOSED]));
        }
        $number = $newest === null ? 1 : $newest['number'] + 1;
        $attempt = [
            'number' => $number,
            'orderRef' => Attempts::orderRef($this->connection->shopId(), $order, $number),
            'chargeId' => '',
            'merchantId' => $this->connection->merchantId(),
            'checkoutUrl' => '',
            'amount' => $total->amount,
            'currency' => $total->currency,
            'coin' => self::coinFor($total->currency),
            'expiresAt' => 0,
            'state' => Judgement::PLANNED,
        ];
        $this->store($order, $attempt);
        return $attempt;
    }

    /** @return array<string, mixed>|null the charge; null if its reference belongs to one at another price */
    private function createOnce(\WC_Order $order, array $attempt): ?array
    {
        $isFiat = !in_array($attempt['currency'], Total::COINS, true);
        try {
            return $this->api()->createOrderOnce([
                'orderRef' => $attempt['orderRef'],
                'amount' => $attempt['amount'],
                'currency' => $attempt['coin'],
                'metadata' => Attempts::metadata($this->connection->shopId(), $order),
                'successUrl' => CustomerPages::url($order, CustomerPages::DONE),
                'cancelUrl' => CustomerPages::url($order, CustomerPages::BACK),
            ] + ($isFiat ? ['pricingCurrency' => $attempt['currency']] : []) + self::mail($order))['order'];
        } catch (DaricException $fault) {
            if ($fault->errorCode === 'ORDER_REF_CONFLICT') {
                return null;
            }
            throw $fault;
        }
    }

    private function store(\WC_Order $order, array $attempt): void
    {
        Attempts::put($order, $attempt);
        $order->save();
    }

    private static function mail(\WC_Order $order): array
    {
        $address = (string) $order->get_billing_email();
        return Preferences::hasDaricMails() && $address !== '' ? ['customerEmail' => $address] : [];
    }

    private static function coinFor(string $currency): string
    {
        return in_array($currency, Total::COINS, true) ? $currency : Preferences::coin();
    }

    private function isWantedCoin(array $attempt): bool
    {
        return $attempt['coin'] === self::coinFor($attempt['currency']);
    }

    private function isOfThisMerchant(array $attempt): bool
    {
        return $attempt['merchantId'] === $this->connection->merchantId();
    }

    private function api(): \Daric\Daric
    {
        return $this->connection->api();
    }
}
