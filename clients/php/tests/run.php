<?php

// The tests of this client, without a framework: `php tests/run.php`, or `php tests/run.php service` for those alone that need a
// real service. DARIC_VECTORS_URL answers the exchanges of the vectors.

declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(static function (int $_, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, E_ERROR, $file, $line);
});
require __DIR__ . '/autoload.php';
require __DIR__ . '/check.php';
foreach (($argv[1] ?? '') === 'service' ? ['service'] : ['vectors', 'client', 'service'] as $name) {
    require __DIR__ . "/$name.php";
}
exit(summary());
