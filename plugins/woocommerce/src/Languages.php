<?php

declare(strict_types=1);

namespace Daric\WooCommerce;

defined('ABSPATH') || exit;

/** The translations of the plugin. A shop in Mexico reads those of Spain, rather than English. */
final class Languages
{
    private const DOMAIN = 'daric';
    /** Scripts differ between the kinds of Chinese, so that zh has no other kind here. */
    private const NEAREST = ['es' => 'es_ES', 'pt' => 'pt_BR', 'fa' => 'fa_IR', 'tr' => 'tr_TR', 'ru' => 'ru_RU', 'id' => 'id_ID'];

    /** Hook `init`. */
    public static function load(): void
    {
        // phpcs:ignore PluginCheck.CodeAnalysis.DiscouragedFunctions.load_plugin_textdomainFound -- WordPress 6.4 finds no texts in a plugin's folder by itself
        load_plugin_textdomain(self::DOMAIN, false, dirname(plugin_basename(DARIC_PLUGIN_FILE)) . '/languages');
    }

    /**
     * Filter `load_textdomain_mofile`.
     *
     * @param string $file
     * @param string $domain
     */
    public static function file($file, $domain): string
    {
        $isOurs = $domain === self::DOMAIN && preg_match('~^(.*/daric-)([a-z]{2,3}(?:_\w+)?)\.mo$~D', $file, $parts) === 1;
        return $isOurs && !is_readable($file) ? $parts[1] . self::nearest($parts[2]) . '.mo' : (string) $file;
    }

    /** The translation for a locale: `es_ES` for `es_MX`. */
    public static function nearest(string $locale): string
    {
        return self::NEAREST[explode('_', $locale)[0]] ?? $locale;
    }
}
