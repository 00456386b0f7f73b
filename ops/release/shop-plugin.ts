import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mo, po } from "gettext-parser";
import { type ClientRelease, filesOf } from "./clients.ts";
import { type ZipEntry, zipped } from "./zip.ts";

const PLUGIN = "plugins/woocommerce";
/** The folder of the plugin in a WordPress, which is also its text domain. */
const SLUG = "daric/";
const CLIENT = "clients/php/src";
/** The plugin sends by the functions of WordPress. */
const UNUSED = ["Testing", "CurlTransport.php"];
/** A shop needs no tests, and no texts for readers of the repository. */
const LEFT_OUT = [`${PLUGIN}/tests`, `${PLUGIN}/*.ts`, `${PLUGIN}/README.md`];

/**
 * Writes the WooCommerce plugin as the zip that WordPress installs, and returns its path. The PHP client is in its `vendor/`, and each translation is compiled, since
 * WordPress reads no `.po` file.
 */
export async function writeShopPlugin({ folder, version, committedAt }: ClientRelease): Promise<string> {
  const plugin = await filesOf(PLUGIN, SLUG, ...LEFT_OUT.map((path) => `:(exclude)${path}`));
  const client = await filesOf(
    CLIENT,
    `${SLUG}vendor/`,
    ...UNUSED.map((path) => `:(exclude)${CLIENT}/${path}`),
  );
  const license = {
    path: `${SLUG}LICENSE`,
    bytes: await readFile(join(import.meta.dirname, "../../LICENSE")),
  };
  const compiled = plugin.filter(({ path }) => path.endsWith(".po")).map(compiledTexts);
  const file = join(folder, `daric-woocommerce-${version}.zip`);
  await writeFile(file, zipped([...plugin, ...client, license, ...compiled], committedAt));
  return file;
}

function compiledTexts({ path, bytes }: ZipEntry): ZipEntry {
  return { path: path.replace(/\.po$/, ".mo"), bytes: mo.compile(po.parse(bytes)) };
}
