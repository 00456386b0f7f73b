<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

use Daric\Daric;
use Daric\DaricException;

/** Reads from Daric how a charge of an order stands now. */
final class Lookup
{
    private const MAX_DEPOSITS = 20;

    private Daric $api;

    public function __construct(Daric $api)
    {
        $this->api = $api;
    }

    /**
     * What Daric knows of a charge, or of the one that it is the rest of. The amounts of `charge`, `received` and `deposits` are of
     * the charge and of all its rests; `surplus` is what came too much.
     *
     * @return array{charge: array<string, mixed>, rests: list<array<string, mixed>>, state: string, received: string, surplus: string,
     *   deposits: list<array<string, mixed>>}|null null if the key may not see the charge
     * @throws DaricException
     */
    public function of(string $chargeId): ?array
    {
        $charge = $this->charge($chargeId);
        $isRest = $charge !== null && $charge['rest_of'] !== null;
        $charge = $isRest ? $this->charge($charge['rest_of']) : $charge;
        if ($charge === null) {
            return null;
        }
        $mayHaveRests = $charge['order_ref'] !== null && ($isRest || Family::mayHaveRests($charge));
        $rests = $mayHaveRests ? array_slice(Family::read($this->api, $charge['order_ref'], $charge['id']), 1) : [];
        $family = array_merge([$charge], $rests);
        $state = Judgement::stateOf($charge, $rests);
        return [
            'charge' => Family::sum($family),
            'rests' => $rests,
            'state' => $state,
            'received' => Micros::decimal(Family::received($family)),
            'surplus' => Micros::decimal(Family::isOver($family) ? array_sum(Family::surplus($family)) : 0),
            'deposits' => Judgement::hasMoney($state) ? $this->deposits($family) : [],
        ];
    }

    /** Whether Daric said that it does not know what was asked for. A 404 of a proxy before it says nothing. */
    public static function isUnknown(DaricException $fault): bool
    {
        return $fault->status === 404 && $fault->errorCode !== 'UNEXPECTED_ANSWER';
    }

    /**
     * @return array<string, mixed>|null the charge alone; null if Daric does not know it, or the key may not see it
     * @throws DaricException
     */
    public function charge(string $chargeId): ?array
    {
        try {
            return $this->api->retrieveDepositAddress($chargeId);
        } catch (DaricException $fault) {
            if (self::isUnknown($fault)) {
                return null;
            }
            throw $fault;
        }
    }

    /** @return list<array<string, mixed>> those in the charge's coin that may count, newest first */
    private function deposits(array $family): array
    {
        $deposits = [];
        foreach (array_reverse($family) as $charge) {
            if (Family::received([$charge]) === 0 && Micros::of($charge['amount_pending']) === 0) {
                continue;
            }
            $page = $this->api->listDeposits(['depositAddressId' => $charge['id'], 'limit' => self::MAX_DEPOSITS]);
            $deposits = array_merge($deposits, array_filter($page['data'], static function (array $deposit): bool {
                return !$deposit['unmatched'] && $deposit['status'] !== 'FAILED';
            }));
        }
        return $deposits;
    }
}
