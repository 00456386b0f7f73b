<?php

// WooCommerce's caches, which keep nothing here.

declare(strict_types=1);

namespace Automattic\WooCommerce\Utilities {
    final class OrderUtil
    {
        public static function orders_cache_usage_is_enabled(): bool
        {
            return false;
        }
    }
}

namespace {
    final class WC_Data_Store
    {
        public static function load(): self
        {
            return new self();
        }

        public function has_callable(): bool
        {
            return false;
        }
    }

    function clean_post_cache(): void
    {
    }
}
