import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNight } from "@daric/testing/at-night";
import { testEnvironment } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import "../../../signer/test/remember-scrypt.ts";
import { fileVariableOf, roles } from "@daric/runtime/setting";
import { readConfig, settingAt, settingPaths } from "../process/config.ts";
import { configWarningsOf } from "../process/config-warnings.ts";
import { textOfReport } from "./config.ts";
import { failureLines } from "./failure.ts";
import { validateSettings } from "./validate-settings.ts";

const CANARY = "c4n4ry";
/** Every valid secret contains it. No program listens on port 1. */
const good = testEnvironment({
  DATABASE_URL: `postgres://daric:${CANARY}@127.0.0.1:1/daric`,
  DARIC_KEY_PEPPER: CANARY.repeat(8),
  TRON_NETWORK: "nile",
  TRON_NODE_URLS: `http://${CANARY}:${CANARY}@127.0.0.1:1/${CANARY}`,
  PORT: "0",
  METRICS_PORT: "0",
});

/** The path of the font is shown: it names the file that is at fault. */
const settings = settingPaths.map((path) => settingAt(path)).filter(({ env }) => env !== "PDF_FONT_FILE");
const secrets = settings.filter(({ secret }) => secret).map(({ env }) => env);
/** These may contain a key besides public text. */
const partly = ["TRON_NODE_URLS", "TRON_SOLIDITY_URLS"];
const variables = [
  ...settings.map(({ env }) => env),
  ...settings.filter(({ secret }) => secret).map(fileVariableOf),
  "DARIC_PEPPER",
  "TRON_API_KEYS",
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "daric-canary-"));
  writeFileSync(join(folder, CANARY), CANARY, { mode: 0o644 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Likely mistakes in a setting, with a secret inside. */
function mistakes(name: string): string[] {
  if (name === "DARIC_PEPPER" || name === "TRON_API_KEYS") return [CANARY];
  if (name.endsWith("_FILE")) return [CANARY, `/nowhere/${CANARY}`, join(folder, CANARY), folder];
  return [
    CANARY,
    `xprv${CANARY}`,
    `${CANARY}\n${CANARY}`,
    `postgres://daric:${CANARY}@127.0.0.1:1/daric`,
    `postgres://daric:12/${CANARY}@127.0.0.1:1/daric`,
    `postgres://daric:12#${CANARY}@127.0.0.1:1/daric`,
    `postgres://daric@127.0.0.1:1/daric?password=${CANARY}`,
    `http://user:${CANARY}@127.0.0.1:1/${CANARY},http://127.0.0.1:1?key=${CANARY}`,
    `http://127.0.0.1:1/${CANARY}`,
  ];
}

/** The refusal of a start; undefined if the settings are accepted and the start waits for the database. */
function refusalOf(env: Record<string, string>): string | undefined {
  try {
    readConfig(env, roles);
    return undefined;
  } catch (error) {
    return failureLines(error, env).join("\n");
  }
}

/** The output of a check, a start and a command. Trials do not run for refused settings. */
async function allOutput(env: Record<string, string>): Promise<string> {
  const refusal = refusalOf(env);
  const { findings } = validateSettings(env, roles);
  const json = JSON.stringify(findings);
  const text = textOfReport({ role: "all", verdict: "fault", settings: findings, trials: [] });
  if (refusal !== undefined) return [refusal, json, text].join("\n");
  const ended = await Promise.all([
    captureDaric(["config", "check"], env),
    captureDaric(["merchant", "list"], env),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([1, 1]);
  const warnings = configWarningsOf(env, readConfig(env, roles), roles);
  return [json, ...warnings, ...ended.map(({ out, err }) => out + err)].join("\n");
}

function expectNoSecret(output: string, value: string): void {
  expect(output.includes(CANARY), `${value}: ${output}`).toBe(false);
  for (const secret of secrets) if (good[secret] !== undefined) expect(output).not.toContain(good[secret]);
}

describe("no secret is shown, whatever the fault", () => {
  it("the secrets are in the settings", () => {
    expect(secrets).toEqual([
      "DATABASE_URL",
      "DATABASE_DIRECT_URL",
      "DARIC_INTEGRITY_KEY",
      "TRON_API_KEY",
      "ACCOUNT_XPUB",
      "DARIC_KEY_PEPPER",
      "DARIC_KEY_PEPPER_PREVIOUS",
      "SMTP_URL",
      "ALERT_SMTP_URL",
      "ALERT_WEBHOOK_URL",
      "ALERT_TELEGRAM_TOKEN",
      "ALERT_HEARTBEAT_URL",
      "DARIC_MASTER_KEY",
      "DARIC_MASTER_KEY_PREVIOUS",
    ]);
  });

  it("without a fault", async () => {
    const output = await allOutput({
      ...good,
      DATABASE_DIRECT_URL: `postgres://owner:${CANARY}@127.0.0.1:1/daric`,
      TRON_API_KEY: CANARY,
    });
    expectNoSecret(output, "nothing");
    expect(output).toContain("postgres://owner@127.0.0.1:1/daric, fingerprint ");
  });

  const isSecret = (name: string) =>
    secrets.includes(name) || partly.includes(name) || /_FILE$|^DARIC_PEPPER|KEYS$/.test(name);

  it.each(variables.filter((name) => isNight || isSecret(name)))("with a mistake in %s", async (name) => {
    // A public value is shown, so that it can be corrected; the secrets beside it must not be.
    for (const value of isSecret(name) ? mistakes(name) : ["a mistake"]) {
      const env: Record<string, string> = { ...good, [name]: value };
      if (name.endsWith("_FILE")) delete env[name.replace(/_FILE$/, "")];
      expectNoSecret(await allOutput(env), value);
    }
  });
});
