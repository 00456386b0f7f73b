<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

/** Which hook calls which method: the only place of hooks. */
final class Plugin
{
    public const GATEWAY = 'daric';

    public function hook(): void
    {
    }

    public static function deactivate(): void
    {
    }
}
