<?php

declare(strict_types=1);

namespace Daric\Testing;

/** A delivery as Daric sends it, for the tests of a receiver. */
final class SignedEvent
{
    public string $body;
    /** @var array<string, string> */
    public array $headers;

    /**
     * The contract's example of an event with an id of its own, signed as Daric signs it.
     *
     * @param string $name the name of the event: `refund.completed`
     * @param array<string, mixed> $data fields of `data`, as they are on the wire, that replace those of the example
     * @param string|null $previousSecret the secret before a rotation, which signs too
     * @param int|null $now the Unix time of sending
     */
    public function __construct(string $name, string $secret, array $data = [], ?string $previousSecret = null, ?int $now = null)
    {
        $examples = json_decode((string) file_get_contents(__DIR__ . '/events.json'), true);
        if (!isset($examples[$name])) {
            throw new \InvalidArgumentException("There is no event $name; there are " . implode(', ', array_keys($examples)) . '.');
        }
        $event = $examples[$name];
        $event['id'] = preg_replace('/^(.{8})(.{4})(.{4})(.{4})(.{12})$/', '$1-$2-$3-$4-$5', bin2hex(random_bytes(16)));
        $event['data'] = array_merge($event['data'], $data);
        $this->body = json_encode($event, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
        $seconds = (string) ($now ?? time());
        $signatures = [];
        foreach (array_filter([$secret, $previousSecret]) as $one) {
            $key = (string) base64_decode(substr($one, strlen('whsec_')), true);
            $signatures[] = 'v1,' . base64_encode(hash_hmac('sha256', "{$event['id']}.$seconds.{$this->body}", $key, true));
        }
        $this->headers = [
            'content-type' => 'application/json',
            'webhook-id' => $event['id'],
            'webhook-timestamp' => $seconds,
            'webhook-signature' => implode(' ', $signatures),
            'x-service-signature' => hash_hmac('sha256', $this->body, $secret),
        ];
        if ($previousSecret !== null) {
            $this->headers['x-service-signature-previous'] = hash_hmac('sha256', $this->body, $previousSecret);
        }
    }
}
