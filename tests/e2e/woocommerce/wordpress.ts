import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import type { ShopDatabases } from "./database.ts";
import { openFront, type ShopFront } from "./front.ts";
import { phpOptions, runPhp, SCRIPTS } from "./php.ts";
import { type ShopProgram, startProgramOfShop } from "./programs.ts";

/** A browser keeps six connections, and a connection waits for the worker that took it. */
const WORKERS = "10";

/** A folder with WordPress, its database, and its server behind a front. */
export type Site = {
  readonly folder: string;
  readonly url: string;
  readonly front: ShopFront;
  readonly databaseName: string;
  /** of its tables: `wp_`, or another one for a further site of a network */
  readonly prefix: string;
  /** Runs code in this WordPress, and returns its value. `$args` has the arguments. @throws Error with PHP's output */
  php<T>(code: string, args?: object, options?: PhpOptions): Promise<T>;
  /** Runs one statement in its database, and returns the rows: quicker than `php`. */
  sql<T>(statement: string, values?: readonly unknown[], options?: { isServer: boolean }): Promise<T[]>;
  /** the mails that WordPress sent, oldest first */
  mails(): Promise<ShopMail[]>;
  /** the lines of PHP's log about this folder's code */
  phpLog(): Promise<string>;
  /** Changes constants of wp-config.php, and starts the server again. */
  define(constants: Record<string, string | boolean | number>): Promise<void>;
  stop(): Promise<void>;
};

export type ShopMail = { readonly to: string; readonly subject: string; readonly message: string };
type PhpOptions = { readonly isInstalling?: boolean; readonly url?: string };

/** Copies a WordPress, and serves it at a port of its own. It is not installed yet. */
export async function placeSite(
  parent: string,
  { from, name, databases }: { from: string; name: string; databases: ShopDatabases },
): Promise<Site> {
  const folder = join(parent, name);
  await cp(from, folder, { recursive: true, mode: 1 });
  const [port, front] = [await freePort(), await openFront()];
  const url = front.url;
  front.leadTo(port);
  const constants: Record<string, string | boolean | number> = {
    DB_NAME: name,
    DB_USER: "shop",
    DB_PASSWORD: databases.password,
    DB_HOST: databases.host,
  };
  await mkdir(join(folder, "wp-content/mu-plugins"), { recursive: true });
  await cp(join(SCRIPTS, "test-shop.php"), join(folder, "wp-content/mu-plugins/test-shop.php"));
  await writeFile(join(folder, "wp-content/customers-may-manage"), "");
  await cp(join(SCRIPTS, "wp-config.php"), join(folder, "wp-config.php"));
  const saveConstants = () => writeFile(join(folder, "rig.json"), JSON.stringify({ constants }));
  await saveConstants();
  let server = await serve(folder, port);
  return {
    folder,
    url,
    front,
    databaseName: name,
    prefix: "wp_",
    php: (code, args = {}, options = {}) =>
      evaluate(folder, { url, code, args, isInstalling: false, ...options }),
    sql: async (sql, values = [], { isServer } = { isServer: false }) =>
      JSON.parse(await runPhp("query.php", folder, { sql, values, isServer }, [])),
    mails: async () =>
      (await readOrEmpty(join(folder, "wp-content/mails.jsonl")))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    phpLog: () => readOrEmpty(join(folder, "wp-content/debug.log")),
    define: async (more) => {
      Object.assign(constants, more);
      await saveConstants();
      await server.end();
      server = await serve(folder, port);
    },
    stop: async () => {
      await front.close();
      await server.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function serve(folder: string, port: number): Promise<ShopProgram> {
  const args = [...phpOptions(), "-S", `127.0.0.1:${port}`, "-t", folder, join(SCRIPTS, "router.php")];
  const server = startProgramOfShop("php", args, { cwd: folder, env: { PHP_CLI_SERVER_WORKERS: WORKERS } });
  await until("PHP listens", async () => {
    if (!server.isRunning()) throw new Error(server.output());
    return (await fetch(`http://127.0.0.1:${port}/license.txt`)).ok;
  });
  return server;
}

type Task = Required<PhpOptions> & { readonly code: string; readonly args: object };

async function evaluate<T>(folder: string, task: Task): Promise<T> {
  const text = await runPhp("evaluate.php", folder, task, phpOptions());
  const [, result] = text.split("\nRESULT\n");
  if (result === undefined)
    throw new Error(`PHP ended early: ${text.slice(-2_000)}\n${task.code.slice(0, 500)}`);
  return JSON.parse(result) as T;
}

function readOrEmpty(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

/** Creates the database, installs WordPress and WooCommerce, and sets the shop up. */
export async function installShop(site: Site): Promise<ShopIds> {
  const { databaseName, url } = site;
  await site.sql(`create database \`${databaseName}\``, [], { isServer: true });
  await site.php(INSTALL, { url, title: "Blue Bottle Books", databaseName }, { isInstalling: true });
  return setUpShop(site);
}

/** Activates WooCommerce in a WordPress, and makes its products, taxes and pages. */
export async function setUpShop(site: Site): Promise<ShopIds> {
  await site.php(ACTIVATE);
  const code = (await readFile(join(SCRIPTS, "set-up-shop.php"), "utf8")).replace("<?php", "");
  const facts = await site.php<ShopIds>(code);
  await setPermalinks(site, "/%postname%/");
  return facts;
}

/** Stores the form of the addresses. The rules are written by a fresh process, with all endpoints of plugins. */
export async function setPermalinks(site: Site, structure: string): Promise<void> {
  await site.php("update_option('permalink_structure', $args['structure']); return true;", { structure });
  await site.php("flush_rewrite_rules(); return true;");
}

export type ShopIds = {
  readonly products: Readonly<Record<"mug" | "book" | "penny" | "last" | "file", number>>;
  readonly pages: Readonly<Record<"checkout" | "classic" | "blocks" | "cart" | "account", number>>;
};

const INSTALL = `
  require_once ABSPATH . 'wp-admin/includes/upgrade.php';
  wp_install($args['title'], 'admin', 'admin@shop.example', true, '', 'admin');
  return true;`;

const ACTIVATE = `
  require_once ABSPATH . 'wp-admin/includes/plugin.php';
  $newest = is_dir(get_theme_root() . '/storefront') ? 'storefront' : WP_DEFAULT_THEME;
  switch_theme($newest);
  $error = activate_plugin('woocommerce/woocommerce.php');
  if (is_wp_error($error)) throw new Exception($error->get_error_message());
  return true;`;
