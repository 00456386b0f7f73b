import { AccountXpubError, parseAccountXpub } from "@daric/tron/account-xpub";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { networkNames } from "./chain/networks.ts";
import { parseDurationMs } from "./runtime/duration.ts";
import { durationMs, integer, integerOr, list } from "./setting-readers.ts";
import { faultOfTarget } from "./webhooks/sending/allowed-targets.ts";

/** The parts of the service that can run as processes of their own. */
export const roles = ["api", "watcher", "webhooks"] as const;
export type Role = (typeof roles)[number];

/** One variable of the environment: how its text is read, and what the documentation says of it. */
type Setting<T> = {
  readonly read: z.ZodType<T, string | undefined>;
  /** what the documentation shows when the variable is not set; "required" stops the start */
  readonly default: string;
  readonly roles: readonly (Role | "all")[];
  readonly meaning: string;
};

const scheduleMs = z.string().transform((text, issue) => {
  const waits = text.split(",").map((wait) => parseDurationMs(wait.trim()));
  const whole = waits.filter((ms) => ms !== undefined);
  if (whole.length === waits.length && whole.length > 0 && whole.length <= 50) return whole;
  issue.addIssue({ code: "custom", message: "must be 1 to 50 durations with commas between, like 0s,5s,2m" });
  return z.NEVER;
});

function oneOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, `must be one of ${names.join(", ")}`);
}

/** Paths are written behind it as it stands, so it has no blank, query or fragment. */
function httpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\?#]+$/i.test(text) && URL.canParse(text);
}

function isAddressRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text);
}

const allowedTargets = list.superRefine((entries, issue) => {
  for (const entry of entries) {
    const fault = faultOfTarget(entry);
    if (fault !== undefined) issue.addIssue({ code: "custom", message: `has "${entry}", which ${fault}` });
  }
});

const baseUrl = z
  .string()
  .refine(httpUrl, "must be an http or https URL")
  .transform((text) => text.replace(/\/+$/, ""));

/** Kept as text: the parsed key is made where addresses are derived. */
const accountXpub = z.string().superRefine((text, issue) => {
  try {
    parseAccountXpub(text);
  } catch (error) {
    const reason = error instanceof AccountXpubError ? error.message : "it cannot be read";
    issue.addIssue({ code: "custom", message: `is refused: ${reason}; \`daric seed\` prints an xpub` });
  }
});

const masterKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hex characters (32 random bytes)")
  .transform((text) => Buffer.from(text, "hex"));

function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/** Every variable the service reads. The table in docs/configuration.md is written from this one. */
export const settings = {
  DATABASE_URL: setting({
    read: z.string().regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://"),
    default: "required",
    roles: ["all"],
    meaning: "The PostgreSQL database (15 or newer) of this environment.",
  }),
  DATABASE_POOL_MAX: setting({
    read: integer(2, 200).prefault("10"),
    default: "10",
    roles: ["all"],
    meaning: "Connections that one process may hold.",
  }),
  TRON_NETWORK: setting({
    read: oneOf(networkNames).prefault("nile"),
    default: "nile",
    roles: ["all"],
    meaning:
      "mainnet is the live environment; nile, shasta and devnet (a local chain) are the test environment. A node of another network stops the start.",
  }),
  TRON_NODE_URLS: setting({
    read: list.refine(
      (urls) => urls.length > 0 && urls.every(httpUrl),
      "must be http or https URLs with commas between",
    ),
    default: "required",
    roles: ["api", "watcher"],
    meaning:
      "HTTP APIs of TRON nodes, first choice first. Each must serve /wallet and, unless TRON_SOLIDITY_URLS says otherwise, /walletsolidity.",
  }),
  TRON_SOLIDITY_URLS: setting({
    read: list
      .refine((urls) => urls.every(httpUrl), "must be http or https URLs with commas between")
      .prefault(""),
    default: "as TRON_NODE_URLS",
    roles: ["api", "watcher"],
    meaning:
      "Where each node of TRON_NODE_URLS serves /walletsolidity, in the same order: a java-tron of your own has it on port 8091.",
  }),
  TRON_API_KEY: setting({
    read: z.string().min(1).optional(),
    default: "none",
    roles: ["api", "watcher"],
    meaning: "Sent to the nodes as TRON-PRO-API-KEY.",
  }),
  TRON_POLL_MS: setting({
    read: integer(50, 60_000).optional(),
    default: "3000; 250 on devnet",
    roles: ["watcher"],
    meaning:
      "Milliseconds between looks at the head of the chain. 3000 fits the call budget of a hosted gateway.",
  }),
  SCAN_START_BLOCK: setting({
    read: integer(1, 2 ** 40).optional(),
    default: "the solid block, or an hour before the first charge",
    roles: ["watcher"],
    meaning: "The first block to read when the database is new. Ignored once a cursor exists.",
  }),
  REQUIRED_CONFIRMATIONS: setting({
    read: integer(19, 1_000).prefault("19"),
    default: "19",
    roles: ["api", "watcher"],
    meaning: "Confirmations a deposit needs beside being solid. Cannot be lowered below what solidity takes.",
  }),
  STUCK_AFTER: setting({
    read: durationMs.prefault("10m"),
    default: "10m",
    roles: ["watcher"],
    meaning: "A deposit that is not final this long after its block, though nodes answer, is STUCK.",
  }),
  DROPPED_AFTER: setting({
    read: durationMs.prefault("24h"),
    default: "24h",
    roles: ["watcher"],
    meaning:
      "An orphaned transaction counts as dropped when solid time is this far past its block, whatever expiration it names.",
  }),
  ARCHIVE_AFTER: setting({
    read: durationMs.prefault("30d"),
    default: "30d",
    roles: ["watcher"],
    meaning: "An expired charge without deposits for this long is archived. Its address stays watched.",
  }),
  ACCOUNT_XPUB: setting({
    read: accountXpub,
    default: "required",
    roles: ["api"],
    meaning:
      "The account extended public key (m/44'/195'/0') that addresses are derived from, one for the life of a database. Never a private key.",
  }),
  ADDRESS_POOL_SIZE: setting({
    read: integer(10, 100_000).prefault("500"),
    default: "500",
    roles: ["api"],
    meaning: "Addresses kept derived ahead of need.",
  }),
  HOST: setting({
    read: z.string().min(1).prefault("127.0.0.1"),
    default: "127.0.0.1",
    roles: ["api"],
    meaning: "The address the API and the checkout page listen on.",
  }),
  PORT: setting({
    read: integer(0, 65_535).prefault("3000"),
    default: "3000",
    roles: ["api"],
    meaning: "The port of the API and the checkout page.",
  }),
  METRICS_HOST: setting({
    read: z.string().min(1).prefault("127.0.0.1"),
    default: "127.0.0.1",
    roles: ["all"],
    meaning: "The address /metrics and the probes beside it listen on. Whoever reaches it may read them.",
  }),
  METRICS_PORT: setting({
    read: integer(0, 65_535).prefault("9464"),
    default: "9464",
    roles: ["all"],
    meaning: "The port of /metrics, /healthz and /readyz.",
  }),
  PUBLIC_BASE_URL: setting({
    read: baseUrl.optional(),
    default: "none",
    roles: ["api"],
    meaning: "The base address of checkout links. Without it checkout_url is null.",
  }),
  DARIC_KEY_PEPPER: setting({
    read: z.string().min(32, "must have at least 32 characters"),
    default: "required",
    roles: ["api"],
    meaning: "The secret under which API keys are hashed. The database refuses another one than its first.",
  }),
  DARIC_MASTER_KEY: setting({
    read: masterKey,
    default: "required",
    roles: ["api", "webhooks"],
    meaning:
      "The key that encrypts webhook secrets at rest: 64 hex characters. The database refuses another one than its first.",
  }),
  TRUSTED_PROXIES: setting({
    read: list
      .refine((ranges) => ranges.every(isAddressRange), "must be addresses or CIDRs with commas between")
      .prefault(""),
    default: "none",
    roles: ["api"],
    meaning: "Proxies whose X-Forwarded-For counts, as addresses or CIDRs.",
  }),
  RATE_LIMIT_KEY_PER_SECOND: setting({
    ...integerOr(20, 1, 1_000_000),
    roles: ["api"],
    meaning: "Requests per second of one API key, sustained.",
  }),
  RATE_LIMIT_KEY_BURST: setting({
    ...integerOr(40, 1, 1_000_000),
    roles: ["api"],
    meaning: "Requests of one API key that may come at once.",
  }),
  RATE_LIMIT_CHECKOUT_PER_MINUTE: setting({
    ...integerOr(120, 1, 1_000_000),
    roles: ["api"],
    meaning: "Reads per minute of one valid checkout token.",
  }),
  RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE: setting({
    ...integerOr(30, 1, 1_000_000),
    roles: ["api"],
    meaning: "Reads per minute and address with checkout tokens of no charge, and failed authentications.",
  }),
  RATE_LIMIT_TEST_EVENTS_PER_MINUTE: setting({
    ...integerOr(6, 1, 1_000_000),
    roles: ["api"],
    meaning: "Test events per minute to one webhook endpoint.",
  }),
  WEBHOOK_ENDPOINTS_PER_MERCHANT: setting({
    ...integerOr(20, 1, 10_000),
    roles: ["api"],
    meaning: "Webhook endpoints that one merchant may have. Deleted ones do not count.",
  }),
  WEBHOOK_ALLOW_TARGETS: setting({
    read: allowedTargets.prefault(""),
    default: "none",
    roles: ["api", "webhooks"],
    meaning:
      "Private targets that webhooks may be sent to all the same: CIDRs and host names, each on any port. Only a range of their own opens link-local addresses (169.254.0.0/16, fe80::/10).",
  }),
  WEBHOOK_RETRY_SCHEDULE: setting({
    read: scheduleMs.prefault("0s,5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h"),
    default: "0s,5s,30s,2m,10m,30m,1h,3h,6h,12h,24h,24h",
    roles: ["watcher", "webhooks"],
    meaning: "The wait before each attempt, ±20 %. As many attempts as entries.",
  }),
  WEBHOOK_TIMEOUT: setting({
    read: durationMs.prefault("15s"),
    default: "15s",
    roles: ["api", "webhooks"],
    meaning: "The whole time one attempt may take, from look-up to the end of the answer.",
  }),
  WEBHOOK_CONCURRENCY: setting({
    ...integerOr(32, 1, 1_000),
    roles: ["webhooks"],
    meaning:
      "Attempts under way at once in one process. One merchant gets at most three quarters of them; the last quarter is for merchants with nothing under way.",
  }),
  WEBHOOK_ENDPOINT_CONCURRENCY: setting({
    ...integerOr(8, 1, 1_000),
    roles: ["webhooks"],
    meaning: "Attempts under way at once to one endpoint, so that a slow one cannot take every slot.",
  }),
  WEBHOOK_PARKED_FOR: setting({
    read: durationMs.prefault("3d"),
    default: "3d",
    roles: ["webhooks"],
    meaning: "Deliveries of a disabled endpoint that are younger than this go out when it is enabled again.",
  }),
  LOG_LEVEL: setting({
    read: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).prefault("info"),
    default: "info",
    roles: ["all"],
    meaning: "The least severe log line that is written.",
  }),
};

export type SettingName = keyof typeof settings;
export type SettingValue<Name extends SettingName> = z.output<(typeof settings)[Name]["read"]>;
