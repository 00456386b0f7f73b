import { missingParts } from "./programs.ts";

/**
 * Plays the life of a shop with WooCommerce: `npm run test:woocommerce`. `WORDPRESS_DIR` names a folder with WordPress and
 * WooCommerce, which is copied. `JOURNEYS` chooses by title, `PICTURES` names a folder for pictures of the pages.
 */
const missing = missingParts();
const logLine = (line: string) => void process.stdout.write(`${line}\n`);
if (missing.length > 0) {
  logLine(`Skipped: this machine has no ${missing.join(", ")}.`);
} else {
  const { runShop } = await import("./run.ts");
  const { WORDPRESS_DIR: from = "", JOURNEYS: only = "", PICTURES: pictures = "" } = process.env;
  const { passed, failed } = await runShop(
    { from, only: new RegExp(only, "i"), pictures: pictures || undefined },
    logLine,
  );
  logLine(`${new Date().toISOString()} ${passed} journeys passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1;
}
