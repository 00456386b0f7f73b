import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

const run = promisify(execFile);

/**
 * Flags for running as root and with little shared memory. The package's own flags would switch web security
 * off, and a test of isolation would prove nothing.
 */
const FLAGS = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-dev-shm-usage",
  // No page of a test reaches another machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
];
/** The folder's name has the version of package.json, so a new version is unpacked beside the old one. */
const UNPACKED = fileURLToPath(new URL("../../.test/chromium-147.0.0", import.meta.url));

/**
 * The package's own font for text, so that pages look alike on every machine; the machine's fonts for the
 * rest.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${UNPACKED}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${UNPACKED}/fonts-cache</cachedir>
  <alias binding="strong"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="strong"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;

/**
 * Starts Chromium: `CHROMIUM_PATH` if set, otherwise the one inside the npm package, with its own libraries
 * and font, unpacked once per working copy. The caller closes it.
 */
export async function launchBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH: own, ...env } = process.env;
  if (own) return chromium.launch({ executablePath: own, args: FLAGS });
  await unpackBrowser();
  return chromium.launch({
    executablePath: join(UNPACKED, "chromium"),
    args: FLAGS,
    env: {
      ...env,
      HOME: env.HOME ?? homedir(),
      FONTCONFIG_FILE: join(UNPACKED, "fonts.conf"),
      LD_LIBRARY_PATH: join(UNPACKED, "al2023", "lib"),
    },
  });
}

/**
 * The package unpacks to fixed names in the temporary folder, where two processes would write the same binary
 * at once. So it unpacks into a folder of this process, which is then renamed as a whole.
 */
export async function unpackBrowser(): Promise<void> {
  if (process.env.CHROMIUM_PATH || (await exists(UNPACKED))) return;
  await mkdir(dirname(UNPACKED), { recursive: true });
  const folder = await mkdtemp(`${UNPACKED}-`);
  await unpackInto(folder);
  await writeFile(join(folder, "fonts.conf"), FONTS);
  await rename(folder, UNPACKED).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    if (!(await exists(UNPACKED))) throw error;
  });
}

/**
 * Unpacks in a process of its own, because the package reads the environment: the second variable makes it include
 * its libraries.
 */
async function unpackInto(folder: string): Promise<void> {
  const unpack = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  await run(process.execPath, ["--input-type=module", "--eval", unpack], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
