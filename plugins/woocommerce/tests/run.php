<?php

// The pure parts of the plugin, without WordPress and without a framework: `php tests/run.php`.

declare(strict_types=1);

error_reporting(E_ALL);
set_error_handler(static function (int $_, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, E_ERROR, $file, $line);
});
define('ABSPATH', __DIR__);
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('Daric\\WooCommerce\\'))) . '.php';
    if (strpos($class, 'Daric\\WooCommerce\\') === 0 && is_file($file)) {
        require $file;
    }
});
require __DIR__ . '/stubs/wordpress.php';
require __DIR__ . '/../../../clients/php/tests/autoload.php';
require __DIR__ . '/../../../clients/php/tests/check.php';
foreach (array_diff(glob(__DIR__ . '/*.php'), [__FILE__]) as $file) {
    require $file;
}
exit(summary());
