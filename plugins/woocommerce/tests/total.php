<?php

declare(strict_types=1);

use Daric\WooCommerce\Total;

$rounded = static function (string $total, string $currency): array {
    $found = Total::of($total, $currency);
    return [$found->amount, $found->difference];
};

$cases = [
    ['19.99', 'EUR', '19.99', null],
    ['19.9', 'EUR', '19.90', null],
    ['19', 'EUR', '19.00', null],
    ['19.990000', 'EUR', '19.99', null],
    ['19.994', 'EUR', '19.99', '-0.004'],
    ['19.995', 'EUR', '20.00', '+0.005'],
    ['19.9949999999', 'EUR', '19.99', '-0.0049999999'],
    ['99.999', 'USD', '100.00', '+0.001'],
    ['0.005', 'USD', '0.01', '+0.005'],
    ['1234.5', 'JPY', '1235', '+0.5'],
    ['1234.49', 'KRW', '1234', '-0.49'],
    ['1.1234567', 'USDT', '1.123457', '+0.0000003'],
    ['0.000001', 'TRX', '0.000001', null],
    // A float would answer 10000000000000002.
    ['9999999999999999.995', 'EUR', '10000000000000000.00', '+0.005'],
    // 1.005 is below a half as a float.
    ['1.005', 'USD', '1.01', '+0.005'],
];
foreach ($cases as [$total, $currency, $amount, $difference]) {
    check("a total of $total $currency is rounded half up to $amount", static function () use ($rounded, $total, $currency): array {
        return $rounded($total, $currency);
    }, [$amount, $difference]);
}

// An independent sum: whole numbers of thousandths.
check('each total of thousandths is rounded as whole numbers are', static function () use ($rounded): array {
    $wrong = [];
    for ($thousandths = 5; $thousandths < 30000; $thousandths += 7) {
        $total = intdiv($thousandths, 1000) . '.' . str_pad((string) ($thousandths % 1000), 3, '0', STR_PAD_LEFT);
        $cents = intdiv($thousandths + 5, 10);
        $expected = intdiv($cents, 100) . '.' . str_pad((string) ($cents % 100), 2, '0', STR_PAD_LEFT);
        if ($rounded($total, 'EUR')[0] !== $expected) {
            $wrong[] = $total;
        }
    }
    return $wrong;
}, []);

foreach (['0', '0.00', '0.004', '-1', '1e5', '1,50', '', ' 1', "1\n", 'INF', '.5'] as $total) {
    check('there is nothing to pay of ' . json_encode($total), static function () use ($total): ?string {
        return refusal(static function () use ($total): void {
            Total::of($total, 'EUR');
        });
    }, 'InvalidArgumentException');
}

check('a price is the same with other zeros, and no other in another currency', static function (): array {
    $total = Total::of('12.5', 'EUR');
    return [$total->equals('12.50', 'EUR'), $total->equals('12.5', 'EUR'), $total->equals('12.5', 'USD'), $total->equals('12.51', 'EUR'), $total->equals(null, 'EUR')];
}, [true, true, false, false, false]);
