import { z } from "zod";
import { choiceOf, hexKey, integer, setting } from "./setting.ts";

const postgresUrl = z
  .string()
  .refine(
    (text) => placeOf(text) !== undefined,
    "must be like postgres://user:password@host:5432/database, with %XX for what is special in the password (/ %2F, @ %40, # %23, ? %3F)",
  );

/** The URL without password and query. Undefined if an unescaped password could leak into host or database. */
function placeOf(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, host, pathname, search, hash } = new URL(text);
  if (hash !== "" || /%(?![\da-f]{2})/i.test(text) || `${pathname}${search}`.includes("@")) return undefined;
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

function shownPlace(url: string | undefined): string {
  return placeOf(url ?? "") ?? "";
}

export const runtimeSettings = {
  databaseUrl: setting({
    env: "DATABASE_URL",
    read: postgresUrl,
    secret: true,
    shown: shownPlace,
    default: "required",
    roles: ["all"],
    meaning:
      "The PostgreSQL database (15 or newer) of this environment, as the service logs in; a pooler may stand before it.",
  }),
  databaseDirectUrl: setting({
    env: "DATABASE_DIRECT_URL",
    read: postgresUrl.optional(),
    secret: true,
    shown: shownPlace,
    default: "the value of DATABASE_URL",
    roles: [],
    meaning:
      "The same database as the owner of its tables, past any pooler. Read by the commands that change what the service may not. The service does not need it: it may change no table, no fee and no settlement account.",
  }),
  signerDatabaseRole: setting({
    env: "SIGNER_DATABASE_ROLE",
    read: z
      .string()
      .regex(/^[^\0]{1,63}$/, "must be the name of a role of PostgreSQL, of at most 63 characters")
      .optional(),
    default: "none",
    roles: [],
    meaning:
      "The role that `daric-signer` logs in as: `daric migrate` lets it read what it is asked to sign and write what it signed, and nothing else. The role must exist.",
  }),
  databasePoolMax: setting({
    env: "DATABASE_POOL_MAX",
    read: integer(2, 200).prefault("10"),
    default: "10",
    roles: ["all"],
    meaning:
      "Connections that a process with the API may hold for requests; it has a few more for its other work.",
  }),
  logLevel: setting({
    env: "LOG_LEVEL",
    read: choiceOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).prefault("info"),
    default: "info",
    roles: ["all"],
    meaning: "The least severe log line that is written.",
  }),
  logFormat: setting({
    env: "LOG_FORMAT",
    read: choiceOf(["json", "pretty"]).prefault("json"),
    default: "json",
    roles: ["all"],
    meaning: "How a log line is written: `json` for machines, `pretty` for people.",
  }),
};

/** The key of the row MACs. */
export const integritySettings = {
  key: setting({
    env: "DARIC_INTEGRITY_KEY",
    read: hexKey,
    secret: true,
    default: "required",
    roles: ["all"],
    meaning:
      "The key of the codes that prove an address, an event or a message to be ours: 64 hex characters, kept outside the database. The database refuses another one than its first.",
  }),
};
