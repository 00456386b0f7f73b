<?php

// An order that is stored, and whose status hooks may fail.

declare(strict_types=1);

final class StoredOrder extends WC_Order
{
    public string $status = 'processing';
    public ?Throwable $fault = null;
    /** @var array<string, mixed> */
    public array $stored = [];
    /** @var array<string, mixed> */
    private array $now = [];

    public function get_id(): int
    {
        return 40;
    }

    public function get_order_key(): string
    {
        return 'wc_order_key';
    }

    public function get_status(): string
    {
        return $this->status;
    }

    public function read_meta_data(): void
    {
    }

    public function get_currency(): string
    {
        return 'USDT';
    }

    public function get_remaining_refund_amount(): string
    {
        return '0';
    }

    public function get_meta(string $key)
    {
        return $this->now[$key] ?? '';
    }

    public function update_meta_data(string $key, $value): void
    {
        $this->now[$key] = $value;
    }

    public function save(): void
    {
        $this->stored = $this->now;
    }

    public function update_status(string $status): void
    {
        if ($this->fault !== null) {
            throw $this->fault;
        }
        $this->status = $status;
        $this->save();
    }

    public function get_item(int $id)
    {
        return $id === 7 ? new OrderItem(['_restock_refunded_items' => '1']) : false;
    }

    /** The order as another process reads it. */
    public function again(): self
    {
        $other = clone $this;
        $other->now = $other->stored;
        $other->fault = null;
        return $other;
    }
}

final class OrderItem
{
    private array $meta;

    public function __construct(array $meta)
    {
        $this->meta = $meta;
    }

    public function get_meta(string $key)
    {
        return $this->meta[$key] ?? '';
    }
}

final class WC_Order_Refund
{
    public bool $isDeleted = false;

    public function get_parent_id(): int
    {
        return 40;
    }

    public function get_items(): array
    {
        return [new OrderItem(['_refunded_item_id' => '7'])];
    }

    public function update_meta_data(): void
    {
    }

    public function save(): void
    {
    }

    public function delete(): void
    {
        $this->isDeleted = true;
    }
}

function apply_filters(string $hook, $value)
{
    return $value;
}

function do_action(string $hook): void
{
    $GLOBALS['actions'][] = $hook;
}
