<?php

declare(strict_types=1);

// The autoloader that Composer makes of composer.json.
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('Daric\\'))) . '.php';
    if (strpos($class, 'Daric\\') === 0 && is_file($file)) {
        require $file;
    }
});
