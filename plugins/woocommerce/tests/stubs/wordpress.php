<?php

// The plainest stand-ins for the few functions and classes of WordPress and WooCommerce that the pure parts call.

declare(strict_types=1);

function __(string $text): string
{
    return $text;
}

function human_time_diff(int $from, int $to): string
{
    return ($to - $from) . ' s';
}

/** An order that keeps its notes. */
class WC_Order
{
    /** @var list<string> */
    public array $notes = [];
    /** @var array<string, mixed> */
    private array $meta = [];
    private string $method;

    public function __construct(string $method = 'daric')
    {
        $this->method = $method;
    }

    public function get_order_number(): string
    {
        return (string) $this->get_id();
    }

    public function get_payment_method(): string
    {
        return $this->method;
    }

    public function save_meta_data(): void
    {
    }

    public function get_date_paid(): ?object
    {
        return null;
    }

    public function is_paid(): bool
    {
        return false;
    }

    public function needs_payment(): bool
    {
        return $this->has_status('pending');
    }

    /** @param string|list<string> $status */
    public function has_status($status): bool
    {
        return in_array($this->get_status(), (array) $status, true);
    }

    public function get_status(): string
    {
        return 'pending';
    }

    public function get_meta(string $key)
    {
        return $this->meta[$key] ?? '';
    }

    public function update_meta_data(string $key, $value): void
    {
        $this->meta[$key] = $value;
    }

    public function add_order_note(string $note): void
    {
        $this->notes[] = $note;
    }
}

function wp_json_encode($value)
{
    return json_encode($value);
}

/** The orders that a test puts into `$GLOBALS['orders']`. */
function wc_get_order(int $id)
{
    return $GLOBALS['orders'][$id] ?? false;
}

/** A shop without mails. As in WooCommerce, the class that mails extend is there once the mailer is. */
function WC(): object
{
    return new class () {
        public function mailer(): object
        {
            if (!class_exists('WC_Email', false)) {
                class_alias(get_class(new class () {
                }), 'WC_Email');
            }
            return $this;
        }

        public function get_emails(): array
        {
            return [];
        }
    };
}
