import { ApiError } from "@daric/domain/errors";
import { adviceOnFault, databaseAt, isLastingFault } from "@daric/domain/transport-fault";
import { isUrl } from "@daric/domain/url";
import {
  isDatabaseMissing,
  isDatabaseUnavailable,
  isDiskFull,
  isHeldUp,
  isLoginRefused,
  isTooSlow,
  isUniqueViolation,
} from "@daric/postgres/errors";
import { readSetting } from "@daric/runtime/read-setting";
import { ConfigError } from "@daric/runtime/setting";
import { StartError } from "../deployment/start-error.ts";
import { settingAt, type Variables, variableOf } from "../process/config.ts";

/** The error text of a PgBouncer that keeps no transaction together. */
const STATEMENT_MODE = "statement pooling mode";

/** The owner's URL first. */
const databasePaths = ["runtime.databaseDirectUrl", "runtime.databaseUrl"] as const;

/** The failure of a command, with the reason as a sentence. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The text of a failure for standard error: one line, or one for each invalid setting. Never a stack. `env`
 * names the database in the text.
 */
export function failureLines(error: unknown, env: Variables = {}): string[] {
  if (error instanceof ConfigError) return error.message.split("\n");
  if (error instanceof ApiError) return [refusalLine(error)];
  if (error instanceof StartError) return [`${messageOf(error)} [${error.event}]`];
  if (isDatabaseMissing(error)) return [`${messageOf(error)}: ${howToCreate(env, messageOf(error))}`];
  if (messageOf(error).includes(STATEMENT_MODE))
    return [`${messageOf(error)}: PgBouncer needs pool_mode = transaction before the service`];
  if (isDiskFull(error))
    return [
      `the disk of PostgreSQL is full, and nothing was changed: free space on it, and run this again (${messageOf(error)})`,
    ];
  if (isUniqueViolation(error)) return [duplicateLine(error)];
  if (isHeldUp(error)) return [`${messageOf(error)}: run it again`];
  if (isTooSlow(error)) {
    return [`${messageOf(error)} (PostgreSQL is there, and too busy or too slow for it: run it again later)`];
  }
  const peer = databaseAt(urlVariables(env, messageOf(error)));
  if (isLoginRefused(error) && !isLastingFault(error))
    return [`${messageOf(error)}: correct user and password in ${peer.setting}`];
  if (isDatabaseUnavailable(error)) {
    const advice = adviceOnFault(error, peer) ?? `is ${peer.name} running, and ${peer.setting} right?`;
    return [`${messageOf(error)} (${advice})`];
  }
  return [messageOf(error)];
}

/** PostgreSQL names the key beside its message. */
function duplicateLine(error: unknown): string {
  const { detail } = error as { readonly detail?: string };
  return [messageOf(error), detail].filter(Boolean).join(": ");
}

/** The variables of the URLs that a message can be about. URLs with its user come first, then those with its host and port. */
function urlVariables(env: Variables, given: string): string {
  const urls = databasePaths.flatMap((path) => {
    const url = urlOf(readSetting(env, settingAt(path)).value);
    return url === undefined ? [] : [{ name: variableOf(path), url }];
  });
  const userUrls = urls.filter(({ url }) => given.includes(`"${decodeURIComponent(url.username)}"`));
  const hostUrls = urls.filter(({ url }) => url.host !== "" && given.includes(url.host));
  const meant = [userUrls, hostUrls, urls].find((some) => some.length > 0) ?? [];
  return meant.map(({ name }) => name).join(" or ") || variableOf("runtime.databaseUrl");
}

/**
 * The command that creates the database for the owner of its tables. The server's message contains the
 * database's name, which selects one of the two URLs.
 */
function howToCreate(env: Variables, given: string): string {
  const [ownerUrl, serviceUrl] = databasePaths.map((path) => urlOf(readSetting(env, settingAt(path)).value));
  const failed =
    [ownerUrl, serviceUrl].find((url) => url && given.includes(`"${nameOf(url)}"`)) ?? ownerUrl ?? serviceUrl;
  const owner = decodeURIComponent((ownerUrl ?? failed)?.username ?? "");
  const options = [
    failed?.hostname && `--host ${quotedPart(decodeURIComponent(failed.hostname))}`,
    failed?.port && `--port ${failed.port}`,
    owner && `--owner ${quotedPart(owner)}`,
    quotedPart((failed && nameOf(failed)) || "daric"),
  ];
  return `make it with \`createdb ${options.filter((option) => option).join(" ")}\` as a superuser, then \`daric migrate\``;
}

function urlOf(text: unknown): URL | undefined {
  return typeof text === "string" && isUrl(text) ? new URL(text) : undefined;
}

function nameOf({ pathname }: URL): string {
  return decodeURIComponent(pathname.slice(1));
}

/** Quotes a word for a shell. */
function quotedPart(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function refusalLine(error: ApiError): string {
  if (error.details.length === 0) return error.message;
  return error.details.map(({ path, message }) => `${optionOf(path)} ${message}`).join("; ");
}

/** The option of a field: orderLifetime → --order-lifetime, scopes.0 → --scopes. */
function optionOf(path: string): string {
  const [field = ""] = path.split(".");
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] || "unknown failure";
}
