import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { launchBrowser } from "../browser.ts";
import { connectInBrowser } from "./connect.ts";
import { startDaricOfShop } from "./daric.ts";
import { startMariaDb } from "./database.ts";
import { journeys } from "./journeys.ts";
import { openOwner } from "./owner.ts";
import { buildPluginZip, installPlugin } from "./plugin.ts";
import type { Journey, Rig } from "./rig.ts";
import { installShop, placeSite, type Site } from "./wordpress.ts";

const MAX_FAULTS = 5;

type CleanUps = (() => unknown)[];

export type ShopOutcome = { readonly passed: number; readonly failed: readonly string[] };

/** Installs a shop, connects it, and plays each journey. `logLine` gets the versions and a line for each. */
export async function runShop(
  { from, only, pictures }: { from: string; only: RegExp; pictures: string | undefined },
  logLine: (line: string) => void,
): Promise<ShopOutcome> {
  const cleanUps: CleanUps = [];
  try {
    const rig = await openRig({ from, pictures, cleanUps }, logLine);
    return await playAll(
      rig,
      journeys.filter(({ title }) => only.test(title)),
      logLine,
    );
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

export async function openRig(
  { from, pictures, cleanUps }: { from: string; pictures: string | undefined; cleanUps: CleanUps },
  logLine: (line: string) => void,
): Promise<Rig> {
  const folder = await mkdtemp(join(scratchFolder(), "daric-woocommerce-"));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  // MariaDB runs as another user, below this folder.
  await chmod(folder, 0o711);
  if (pictures !== undefined) await mkdir(pictures, { recursive: true });
  const databases = await startMariaDb(folder);
  cleanUps.push(databases.stop);
  const site = await placeSite(folder, { from, name: "shop", databases });
  cleanUps.push(site.stop);
  const daric = await startDaricOfShop(folder);
  cleanUps.push(daric.stop);
  const facts = await installShop(site);
  await installPlugin(site, await buildPluginZip(folder));
  const browser = await launchBrowser();
  cleanUps.push(() => browser.close());
  logLine(
    `${new Date().toISOString()} ${(await versionsOf(site)).join(", ")}, Chromium ${browser.version()}`,
  );
  const owner = await openOwner(daric);
  const rig = { folder, source: from, databases, site, facts, daric, owner, browser, pictures };
  await connectInBrowser(rig);
  return rig;
}

async function versionsOf(site: Site): Promise<string[]> {
  const [wordPress, wooCommerce, php, database, theme] = await site.php<string[]>(
    "return [get_bloginfo('version'), WC()->version, PHP_VERSION, $GLOBALS['wpdb']->get_var('select version()'), get_stylesheet()];",
  );
  return [
    `WordPress ${wordPress}`,
    `WooCommerce ${wooCommerce}`,
    `theme ${theme}`,
    `PHP ${php}`,
    `MariaDB ${database}`,
    `Node ${process.version}`,
  ];
}

export async function playAll(
  rig: Rig,
  chosen: readonly Journey[],
  logLine: (line: string) => void,
): Promise<ShopOutcome> {
  const failed: string[] = [];
  for (const { title, run } of chosen) {
    const fromMs = performance.now();
    const error = await run(rig).then(
      () => undefined,
      (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
    );
    const seconds = ((performance.now() - fromMs) / 1_000).toFixed(1);
    logLine(`${error === undefined ? "ok    " : "FAILED"} ${title} (${seconds} s)`);
    if (error === undefined) continue;
    logLine(`       ${error.message.replaceAll("\n", "\n       ")}`);
    for (const line of await faultsInLogs(rig.site)) logLine(`       log: ${line}`);
    failed.push(`${title}: ${error.message}`);
  }
  return { passed: chosen.length - failed.length, failed };
}

/** The last faults in PHP's log, without those that WooCommerce makes by itself, and the last lines of the plugin's log. */
async function faultsInLogs(site: Site): Promise<string[]> {
  const lines = (await site.phpLog()).split("\n").filter((line) => /plugins\/daric|Fatal/.test(line));
  const own = await site.php<string>(
    "return implode('', array_map('file_get_contents', glob(WC_LOG_DIR . '*daric*') ?: []));",
  );
  return [...lines.slice(-MAX_FAULTS), ...own.trim().split("\n").slice(-MAX_FAULTS)];
}
