import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";

const PROGRAMS = ["php", "mariadbd", "mariadb-install-db", "zip"];
const EXTENSIONS = ["mysqli", "curl", "json", "mbstring"];
const PATH = `${process.env.PATH}:/usr/sbin`;
const END_LIMIT_MS = 15_000;

/** The parts of the test that this machine lacks, by name. */
export function missingParts(): string[] {
  const { WORDPRESS_DIR: folder } = process.env;
  const programs = PROGRAMS.filter((name) => pathOf(name) === undefined);
  const modules = programs.includes("php") ? "" : execFileSync("php", ["-m"], { encoding: "utf8" });
  const extensions = EXTENSIONS.filter((name) => !modules.split("\n").includes(name));
  const shop = join(folder ?? "", "wp-content/plugins/woocommerce/woocommerce.php");
  return [
    ...(folder !== undefined && existsSync(shop) ? [] : ["WORDPRESS_DIR with WordPress and WooCommerce"]),
    ...programs,
    ...extensions.map((name) => `PHP's ${name}`),
  ];
}

/** A child process that the test started. It is ended by `end`, with its own children. */
export type ShopProgram = {
  readonly output: () => string;
  readonly isRunning: () => boolean;
  end(): Promise<void>;
};

/** Starts a program as the leader of a group of its own, since PHP's server has workers. */
export function startProgramOfShop(
  name: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): ShopProgram {
  const child = spawn(name, args, {
    cwd,
    env: { PATH, HOME: cwd, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let text = "";
  // Long runs print much; the end tells why a program ended.
  const keep = (chunk: Buffer) => (text = `${text}${chunk}`.slice(-20_000));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    output: () => text,
    isRunning,
    end: async () => {
      if (!isRunning() || child.pid === undefined) return;
      const ended = once(child, "exit");
      const group = -child.pid;
      process.kill(group, "SIGTERM");
      const timer = setTimeout(() => process.kill(group, "SIGKILL"), END_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function pathOf(program: string): string | undefined {
  return PATH.split(":")
    .map((folder) => join(folder, program))
    .find(existsSync);
}
