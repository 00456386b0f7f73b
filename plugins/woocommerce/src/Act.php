<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- a message is no output: the page that shows it escapes it
defined('ABSPATH') || exit;

/** Changes an order by a decision of Judgement: status, note, task, and the link for the customer. */
final class Act
{
    private \WC_Order $order;

    /** @param \WC_Order $order with changes that are saved here */
    public function __construct(\WC_Order $order)
    {
        $this->order = $order;
    }

    /**
     * The order is saved once, with its status. So a process that dies half way leaves it as it was, and the next look does it again.
     *
     * @param array{act: string, note: string, task: string} $decision
     * @param array<string, mixed> $charge
     * @param list<string> $hashes the ids of the transactions, newest first
     * @throws \RuntimeException if WooCommerce could not do it
     */
    public function do(array $decision, array $charge, array $hashes): void
    {
        $note = $decision['note'] === '' ? '' : Notes::text($decision['note'], $charge, $hashes);
        $this->setTask($decision);
        switch ($decision['act']) {
            case Judgement::PAY:
                $this->order->update_meta_data(Attempts::PAID_META, $charge['id']);
                $this->pay($hashes[0] ?? $charge['id']);
                $this->note($note . Notes::rounding($this->order));
                return;
            case Judgement::HOLD:
                $this->move('on-hold', $note);
                $this->tellCustomer($decision['note'], $charge);
                return;
            case Judgement::REOPEN:
                $this->move('pending', $note);
                return;
            case Judgement::CANCEL:
                $this->move('cancelled', $note);
                return;
            default:
                $this->order->save();
                $this->note($note);
        }
    }

    /** @throws \RuntimeException if a fault of another plugin keeps the order unpaid: the event comes again */
    private function pay(string $transactionId): void
    {
        $isDone = $this->order->payment_complete($transactionId);
        $now = $isDone ? $this->order : Orders::fresh($this->order->get_id());
        if ($now === null || (!$isDone && !Orders::isPaid($now))) {
            throw new \RuntimeException("WooCommerce could not set order {$this->order->get_id()} to paid. Its log says why.");
        }
        $this->order->save();
    }

    /** A payment ends the task of before, except for money of the other coin, which is still there. */
    private function setTask(array $decision): void
    {
        $isEnd = in_array($decision['act'], [Judgement::PAY, Judgement::REOPEN], true)
            && (string) $this->order->get_meta(Attempts::TASK_META) !== Judgement::TASK_COIN;
        if ($decision['task'] !== '' || $isEnd) {
            $this->order->update_meta_data(Attempts::TASK_META, $decision['task']);
        }
    }

    private function move(string $status, string $note): void
    {
        if ($this->order->get_status() === $status) {
            $this->order->save();
            $this->note($note);
            return;
        }
        $this->order->update_status($status, $note);
    }

    private function note(string $text): void
    {
        if ($text !== '') {
            $this->order->add_order_note($text);
        }
    }

    private function tellCustomer(string $name, array $charge): void
    {
        if (Notes::isForCustomer($name)) {
            $url = CustomerPages::url($this->order, CustomerPages::PAY);
            $this->order->add_order_note(Notes::forCustomer($name, $charge, $url), 1);
        }
    }
}
