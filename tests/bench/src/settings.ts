import { newApiKey } from "@daric/merchants/api-key";

/** Limits that no bench reaches: the work is measured, not the refusal. */
const NO_LIMIT = "1000000";

/** The settings of every process. Database and node are set where needed. */
export const SETTINGS = {
  DATABASE_URL: "postgres://daric@127.0.0.1:1/daric",
  TRON_NETWORK: "devnet",
  TRON_NODE_URLS: "http://127.0.0.1:1",
  ACCOUNT_XPUB:
    "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd",
  PUBLIC_BASE_URL: "https://pay.example",
  DARIC_KEY_PEPPER: "bench-pepper-bench-pepper-bench-pepper",
  DARIC_MASTER_KEY: "33".repeat(32),
  DARIC_INTEGRITY_KEY: "66".repeat(32),
  WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
  RATE_LIMIT_KEY_PER_SECOND: NO_LIMIT,
  RATE_LIMIT_KEY_BURST: NO_LIMIT,
  RATE_LIMIT_CHECKOUT_PER_MINUTE: NO_LIMIT,
  LOG_LEVEL: "info",
} as const;

export function newKey(): string {
  return newApiKey(SETTINGS.DARIC_KEY_PEPPER, "test").key;
}
