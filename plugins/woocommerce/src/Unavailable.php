<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** The customer cannot pay now. The message is for the customer. */
final class Unavailable extends \RuntimeException
{
}
