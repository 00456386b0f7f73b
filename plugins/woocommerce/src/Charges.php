<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

use Daric\DaricException;

/** Makes, finds and closes the charges of an order. */
final class Charges
{
    public const CLOSE_LATER = 'daric_close_charges';

    private const LOCK_SECONDS = 10;
    private const CLOSE_LOCK_SECONDS = 5;
    private const CLOSE_TIMEOUT_SECONDS = 5.0;
    /** The first pause; each next one is twice as long, so that the last try is about eight hours after the first. */
    private const CLOSE_AGAIN_SECONDS = 60;
    private const MAX_CLOSE_AGAIN = 9;
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
                // An order on hold may still get the rest of a short payment.
                $isPayable = $order->needs_payment() || ($order->has_status('on-hold') && !Orders::isPaid($order));
                if (!$isPayable || !Orders::isDaric($order)) {
                    throw new Unavailable(__('This order needs no payment now.', 'daric'));
                }
                return $this->found($order) ?? $this->make($order, Total::ofOrder($order));
            });
        } catch (Busy $_) {
            throw new Unavailable(__('Your order is being worked on. Please try again in a few seconds.', 'daric'));
        } catch (\InvalidArgumentException $fault) {
            Log::warning("Order $orderId cannot be paid: {$fault->getMessage()}");
            throw new Unavailable(__('This order has nothing to pay by this method.', 'daric'));
        } catch (DaricException $fault) {
            Log::warning("The charge of order $orderId could not be made: {$fault->errorCode} {$fault->getMessage()} ({$fault->correlationId})");
            throw new Unavailable($fault->errorCode === 'RATE_UNAVAILABLE'
                ? __('There is no exchange rate at the moment. Please try again in a few minutes, or choose another payment.', 'daric')
                : __('The payment page cannot be reached at the moment. Please try again in a minute.', 'daric'));
        }
    }

    /** Archives the unpaid charges of an order that needs them no more. What fails is tried again, after a pause that doubles with `$again`. */
    public function close(int $orderId, int $again = 0): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order || !Attempts::isAnyOpen($order, $this->connection->merchantId()) || $this->connection->obstacle() !== null) {
            return;
        }
        try {
            Lock::order($orderId, self::CLOSE_LOCK_SECONDS, function () use ($orderId): void {
                $this->closeLocked($orderId);
            });
        } catch (Busy | DaricException $fault) {
            Log::info("The charges of order $orderId are closed later: {$fault->getMessage()}");
            // The number of the try makes the next action another one than this, which counts as scheduled while it runs.
            $next = [$orderId, $again + 1];
            if ($again < self::MAX_CLOSE_AGAIN && !as_has_scheduled_action(self::CLOSE_LATER, $next, 'daric')) {
                as_schedule_single_action(time() + self::CLOSE_AGAIN_SECONDS * 2 ** $again, self::CLOSE_LATER, $next, 'daric');
            }
        }
    }

    private function closeLocked(int $orderId): void
    {
        $order = Orders::fresh($orderId);
        foreach ($order === null ? [] : Attempts::ofMerchant($order, $this->connection->merchantId()) as $attempt) {
            if (!in_array($attempt['state'], Judgement::OPEN, true)) {
                continue;
            }
            $charge = $this->read($attempt['chargeId'], self::CLOSE_TIMEOUT_SECONDS);
            if ($charge === null || Judgement::stateOf($charge) === Judgement::OPEN_STATE) {
                $this->archive(Orders::fresh($orderId) ?? $order, $attempt, $charge);
                continue;
            }
            // Money came before its event did: the shop must hear of it.
            (new OrderWork($this->connection))->look($orderId, $attempt['chargeId']);
        }
    }

    /** @return array<string, mixed>|null the charge; null if Daric does not know it any more */
    private function read(string $chargeId, float $timeoutSeconds = 15.0): ?array
    {
        try {
            return $this->api($timeoutSeconds)->retrieveDepositAddress($chargeId);
        } catch (DaricException $fault) {
            if ($fault->status === 404) {
                return null;
            }
            throw $fault;
        }
    }

    /** The page of the newest charge, if it can still be paid at today's total; null if the order needs a new charge. */
    private function found(\WC_Order $order): ?string
    {
        $attempt = Attempts::newest($order);
        if ($attempt === null || $attempt['chargeId'] === '' || !$this->isOfThisMerchant($attempt)) {
            return null;
        }
        $charge = $this->read($attempt['chargeId']);
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
        $state = $charge === null ? Judgement::CLOSED : Judgement::stateOf($charge);
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
                $attempt = self::filled($attempt, $charge);
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
            'orderRef' => Attempts::orderRef($this->connection->shopId(), $order->get_id(), $number),
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

    private static function filled(array $attempt, array $charge): array
    {
        return array_merge($attempt, [
            'chargeId' => $charge['id'],
            'checkoutUrl' => (string) $charge['checkout_url'],
            'expiresAt' => (int) strtotime((string) $charge['expires_at']),
            // The answer of a create has no payment_status: a new charge has no money.
            'state' => isset($charge['payment_status']) ? Judgement::stateOf($charge) : Judgement::OPEN_STATE,
        ]);
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

    private function api(float $timeoutSeconds = 15.0): \Daric\Daric
    {
        return $this->connection->api($timeoutSeconds);
    }
}
