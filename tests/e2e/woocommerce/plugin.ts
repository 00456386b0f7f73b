import { writeShopPlugin } from "../../../ops/release/shop-plugin.ts";
import type { Site } from "./wordpress.ts";

const VERSION = "0.1.0";
/** The plugin's file below `wp-content/plugins`. */
export const PLUGIN = "daric/daric.php";

/** Builds the plugin's zip by the release's own code, and returns its path. */
export function buildPluginZip(folder: string): Promise<string> {
  return writeShopPlugin({ folder, version: VERSION, committedAt: new Date() });
}

/** Installs the zip and activates it, as *Plugins, Add New, Upload* does. */
export async function installPlugin(site: Site, zip: string): Promise<void> {
  await site.php(
    `
    foreach (['class-wp-upgrader', 'plugin', 'file', 'misc'] as $part) require_once ABSPATH . "wp-admin/includes/$part.php";
    wp_set_current_user(1);
    $done = (new Plugin_Upgrader(new Automatic_Upgrader_Skin()))->install($args['zip'], ['overwrite_package' => true]);
    if ($done !== true) throw new Exception('the zip was not installed: ' . print_r($done, true));
    return true;`,
    { zip },
  );
  await activatePlugin(site);
}

export async function activatePlugin(site: Site): Promise<void> {
  await site.php(
    `require_once ABSPATH . 'wp-admin/includes/plugin.php';
    $error = activate_plugin($args['plugin']);
    if (is_wp_error($error)) throw new Exception($error->get_error_message());
    return true;`,
    { plugin: PLUGIN },
  );
}

export async function deactivatePlugin(site: Site): Promise<void> {
  await site.php(
    "require_once ABSPATH . 'wp-admin/includes/plugin.php'; deactivate_plugins($args['plugin']); return true;",
    { plugin: PLUGIN },
  );
}

/** Deletes the plugin with its settings, as *Plugins, Delete* does. */
export async function deletePlugin(site: Site): Promise<void> {
  await deactivatePlugin(site);
  await site.php(
    `foreach (['plugin', 'file'] as $part) require_once ABSPATH . "wp-admin/includes/$part.php";
    $done = delete_plugins([$args['plugin']]);
    if ($done !== true) throw new Exception('the plugin was not deleted: ' . print_r($done, true));
    return true;`,
    { plugin: PLUGIN },
  );
}
