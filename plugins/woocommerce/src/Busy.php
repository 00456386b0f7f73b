<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** Another process works on the same order or feed: try again later. */
final class Busy extends \RuntimeException
{
}
