<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

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
     * The change of the status is the last step: other plugins hang on it, and may change the order themselves.
     *
     * @param array{act: string, note: string, task: string} $decision
     * @param array<string, mixed> $charge
     * @param list<string> $hashes the ids of the transactions, newest first
     */
    public function do(array $decision, array $charge, array $hashes): void
    {
        $note = $decision['note'] === '' ? '' : Notes::text($decision['note'], $charge, $hashes);
        if ($decision['task'] !== '' || in_array($decision['act'], [Judgement::PAY, Judgement::REOPEN], true)) {
            $this->order->update_meta_data(Attempts::TASK_META, $decision['task']);
        }
        switch ($decision['act']) {
            case Judgement::PAY:
                $this->order->update_meta_data(Attempts::PAID_META, $charge['id']);
                $this->note($note . Notes::rounding($this->order));
                $this->order->save();
                $this->order->payment_complete($hashes[0] ?? $charge['id']);
                return;
            case Judgement::HOLD:
                $this->order->save();
                $this->tellCustomer($decision['note'], $charge);
                $this->move('on-hold', $note);
                return;
            case Judgement::REOPEN:
                $this->move('pending', $note);
                return;
            case Judgement::CANCEL:
                $this->move('cancelled', $note);
                return;
            default:
                $this->note($note);
                $this->order->save();
        }
    }

    private function move(string $status, string $note): void
    {
        if ($this->order->get_status() === $status) {
            $this->note($note);
            $this->order->save();
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
