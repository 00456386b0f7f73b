import { pollMsOf } from "@daric/deposits/settings";
import { ConfigError, roles } from "@daric/runtime/setting";
import { TEST_XPUB, testEnvironment } from "@daric/testing/context";
import { describe, expect, it } from "vitest";
import { type Config, readConfig, readSettings, rolesOf, settingAt, settingPaths } from "./config.ts";

function faultsOf(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split("\n");
    throw error;
  }
  return [];
}

describe("readConfig", () => {
  it("the required settings suffice, and all others have defaults", () => {
    const config = readConfig(testEnvironment(), roles);
    expect(config).toMatchObject({
      environment: "test",
      http: { port: 3000 },
      deposits: { requiredConfirmations: 19 },
    });
    const live = readConfig(testEnvironment({ TRON_NETWORK: "mainnet" }), roles);
    expect(live.environment).toBe("live");
    expect([config, live].map(pollMsOf)).toEqual([250, 3_000]);
  });

  it("every missing and every wrong setting is named at once", () => {
    const faults = faultsOf(() => readConfig({ PORT: "http", STUCK_AFTER: "soon" }, roles));
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "DATABASE_URL",
      "DARIC_INTEGRITY_KEY",
      "TRON_NODE_URLS",
      "STUCK_AFTER",
      "ACCOUNT_XPUB",
      "PORT",
      "DARIC_KEY_PEPPER",
      "DARIC_MASTER_KEY",
    ]);
  });

  it("a role needs only its own settings", () => {
    const { DATABASE_URL } = testEnvironment();
    expect(faultsOf(() => readConfig({ DATABASE_URL }, ["webhooks"]))).toEqual([
      expect.stringContaining("DARIC_INTEGRITY_KEY is required"),
      expect.stringContaining("DARIC_MASTER_KEY is required"),
    ]);
  });

  it("an empty variable counts as not set", () => {
    expect(readConfig(testEnvironment({ PORT: " ", PUBLIC_BASE_URL: "" }), roles)).toMatchObject({
      http: { port: 3000, publicBaseUrl: undefined },
    });
  });

  /** A value of every setting that differs from its default. */
  const samples: Record<string, string> = {
    ...testEnvironment(),
    DATABASE_POOL_MAX: "11",
    PDF_FONT_FILE: "/usr/share/fonts/han.ttf",
    TRON_NETWORK: "private",
    TRON_GENESIS_ID: "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc",
    USDT_CONTRACT: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    TRON_NODE_URLS: "https://a.example,https://b.example/path",
    TRON_SOLIDITY_URLS: "https://a.example:8091,https://b.example:8091",
    TRON_API_KEY: "key of the gateway",
    TRON_POLL_MS: "700",
    SCAN_START_BLOCK: "5",
    REQUIRED_CONFIRMATIONS: "20",
    STUCK_AFTER: "11m",
    TRON_QUORUM: "2",
    TRON_UNPROVEN: "hold",
    DROPPED_AFTER: "25h",
    ARCHIVE_AFTER: "31d",
    SIGNER_DATABASE_ROLE: "signer",
    STAKE_ADDRESS: "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
    SWEEP_WITHOUT_ENERGY: "burn",
    SWEEP_MAX_PRICE_TRX: "15.5",
    SWEEP_MAX_COST_BASIS_POINTS: "200",
    SWEEPS_AT_ONCE: "30",
    HOST: "::1",
    PORT: "3001",
    RATE_SOURCES: "TRX=kraken+okx,USDT=gemini+kraken",
    METRICS_HOST: "::1",
    METRICS_PORT: "9465",
    METRICS_ALLOWED_HOSTS: "daric,metrics.internal",
    SHUTDOWN_DRAIN_MS: "4000",
    HTTP_MAX_CONNECTIONS: "11000",
    HTTP_MAX_CONNECTIONS_PER_ADDRESS: "1501",
    DARIC_MASTER_KEY: "ab".repeat(32),
    TRUSTED_PROXIES: "10.0.0.0/8,::1",
    REFUND_CLAIM_DAYS: "14",
    RATE_LIMIT_KEY_PER_SECOND: "21",
    RATE_LIMIT_KEY_BURST: "41",
    MAX_CUSTOMER_ADDRESSES: "99999",
    CUSTOMER_EMAIL_DAYS: "91",
    RATE_LIMIT_CHECKOUT_PER_MINUTE: "121",
    RATE_LIMIT_REQUOTE_PER_MINUTE: "8",
    REPORT_CONTACT: "abuse@shop.example",
    RATE_LIMIT_UNKNOWN_TOKEN_PER_MINUTE: "31",
    DASHBOARD: "off",
    DASHBOARD_PORT: "23001",
    DASHBOARD_BASE_URL: "https://desk.example",
    RATE_LIMIT_SIGN_IN_PER_MINUTE: "6",
    RATE_LIMIT_TEST_EVENTS_PER_MINUTE: "7",
    WEBHOOK_ENDPOINTS_PER_MERCHANT: "21",
    WEBHOOK_RETRY_SCHEDULE: "0s,5s",
    WEBHOOK_DENY_TARGETS: "10.1.0.0/16,example.com",
    WEBHOOK_TIMEOUT: "16s",
    WEBHOOK_CONCURRENCY: "33",
    WEBHOOK_PARKED_FOR: "4d",
    DARIC_KEY_PEPPER_PREVIOUS: "the pepper before this one, of 40 characters",
    DARIC_MASTER_KEY_PREVIOUS: "cd".repeat(32),
    SMTP_URL: "smtps://ops:word@mail.example",
    ALERT_SMTP_URL: "smtp://alerts.example:25?tls=none",
    MAIL_FROM: "daric@shop.example",
    MAIL_GREETING_NAME: "mx.shop.example",
    MAIL_PER_MINUTE: "301",
    ALERT_WEBHOOK_URL: "https://chat.example/hook?key=1",
    ALERT_MAIL_TO: "ada@shop.example,ops@shop.example",
    ALERT_TELEGRAM_TOKEN: "123456789:AAabcdefghijklmnopqrstuvwxyz",
    ALERT_TELEGRAM_CHAT: "-100200",
    ALERT_HEARTBEAT_URL: "https://beat.example/ping/1",
    ALERT_TIME_ZONE: "Europe/Berlin",
    ALERT_QUIET_HOURS: "22:00-07:00",
    ALERT_DIGEST_AT: "09:30",
    LOG_LEVEL: "debug",
    LOG_FORMAT: "pretty",
    DATABASE_DIRECT_URL: "postgres://owner@localhost/daric",
  };

  it("every setting has a sample", () => {
    for (const path of settingPaths) expect(samples).toHaveProperty(settingAt(path).env);
  });

  it.each(settingPaths.map((path) => [settingAt(path).env, path] as const))(
    "blanks around %s change nothing",
    (name, path) => {
      const value = samples[name] ?? "";
      const plain = readSettings({ [name]: value }, [path]);
      for (const [before, after] of [
        ["", " "],
        [" ", ""],
        ["", "\n"],
        ["", "\r\n"],
        ["\t ", "\u00a0"],
      ]) {
        expect(readSettings({ [name]: `${before}${value}${after}` }, [path])).toEqual(plain);
      }
    },
  );

  it.each([
    "TRON_NODE_URLS",
    "TRON_SOLIDITY_URLS",
    "TRUSTED_PROXIES",
    "WEBHOOK_RETRY_SCHEDULE",
    "RATE_SOURCES",
  ] as const)("blanks between the items of %s are ignored", (name) => {
    const spaced = (samples[name] ?? "").replaceAll(",", " ,\t");
    expect(readConfig({ ...samples, [name]: spaced }, roles)).toEqual(readConfig(samples, roles));
  });

  it.each([
    ["TRON_NODE_URLS", "https://a.example,ftp://b.example"],
    ["TRON_NODE_URLS", "http:\\\\a.example"],
    ["TRON_NODE_URLS", "ht\ttps://a.example"],
    ["TRON_NODE_URLS", "https://a.example?key=1"],
    ["PUBLIC_BASE_URL", "https://pay.example/#shop"],
    ["TRON_NODE_URLS", ","],
    ["TRON_NODE_URLS", "https://a.example,https://a.example"],
    ["TRON_NODE_URLS", "https://a.example,http://a.example:8090/key"],
    ["TRON_NODE_URLS", "http://127.0.0.1:1,http://localhost:1"],
    ["TRON_QUORUM", "0"],
    ["TRON_QUORUM", "2"],
    ["TRON_UNPROVEN", "ask"],
    ["TRUSTED_PROXIES", "10.0.0.0/8,proxy.internal"],
    ["TRUSTED_PROXIES", "0.0.0.0/0"],
    ["TRON_API_KEY", "two\nlines"],
    ["WEBHOOK_ALLOW_TARGETS", "127.0.0.0/8,10.0.0.0/33"],
    ["WEBHOOK_ALLOW_TARGETS", "http://10.0.0.1"],
    ["WEBHOOK_RETRY_SCHEDULE", "0s,soon"],
    ["WEBHOOK_RETRY_SCHEDULE", Array.from({ length: 51 }, () => "1s").join(",")],
    ["WEBHOOK_TIMEOUT", "15"],
    ["PORT", "65536"],
    ["PORT", "-1"],
    ["REQUIRED_CONFIRMATIONS", "18"],
    ["DARIC_MASTER_KEY", "AB".repeat(32)],
    ["PUBLIC_BASE_URL", "pay.example"],
    ["PUBLIC_BASE_URL", "https://shop:password@pay.example"],
    ["RATE_SOURCES", "kraken+coinbase"],
    ["RATE_SOURCES", "USDT=kraken"],
    ["TRON_NETWORK", "testnet"],
    ["TRON_NETWORK", "Mainnet"],
  ])("%s = %s is refused", (name, value) => {
    const faults = faultsOf(() => readConfig(testEnvironment({ [name]: value }), roles));
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });

  it("lists, durations and URLs are parsed", () => {
    const config = readConfig(
      testEnvironment({
        TRON_NODE_URLS: " https://a.example , https://b.example,",
        TRUSTED_PROXIES: "10.0.0.0/8, ::1",
        WEBHOOK_RETRY_SCHEDULE: "0s,500ms,2m",
        STUCK_AFTER: "1d",
        PUBLIC_BASE_URL: "https://pay.example//",
      }),
      roles,
    );
    expect(config).toMatchObject({
      chain: { nodeUrls: ["https://a.example", "https://b.example"] },
      http: { trustedProxies: ["10.0.0.0/8", "::1"], publicBaseUrl: "https://pay.example" },
      webhooks: { retryScheduleMs: [0, 500, 120_000] },
      deposits: { stuckAfterMs: 86_400_000 },
    });
  });

  it("a fault names the valid form", () => {
    const wrong = {
      TRON_NETWORK: "Mainnet",
      PORT: "70000",
      WEBHOOK_ALLOW_TARGETS: "localhost,*.internal",
      LOG_LEVEL: "loud",
    };
    expect(faultsOf(() => readConfig(testEnvironment(wrong), roles))).toEqual([
      "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
      "TRON_NETWORK must be one of mainnet, nile, shasta, devnet, private",
      "PORT must be from 0 to 65535",
      'WEBHOOK_ALLOW_TARGETS has "*.internal", which has a wildcard: write each host name in full',
    ]);
  });

  it("a private chain needs its genesis and its USDT contract, which no other network may name", () => {
    const id = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
    const hex = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
    const base58 = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
    const chain = { TRON_NETWORK: "private", TRON_GENESIS_ID: id.toUpperCase(), USDT_CONTRACT: hex };
    const config = readConfig(testEnvironment(chain), roles);
    expect(config).toMatchObject({
      environment: "test",
      chain: { network: "private", genesisId: id, usdtContract: base58 },
    });
    expect(pollMsOf(config)).toBe(3_000);
    for (const [overrides, fault] of [
      [{ ...chain, TRON_GENESIS_ID: "" }, /^TRON_GENESIS_ID is required with TRON_NETWORK=private/],
      [{ ...chain, USDT_CONTRACT: "" }, /^USDT_CONTRACT is required with TRON_NETWORK=private/],
      [{ ...chain, TRON_NETWORK: "nile" }, /^TRON_GENESIS_ID is for TRON_NETWORK=private alone/],
      [
        { TRON_NETWORK: "mainnet", USDT_CONTRACT: base58 },
        /^USDT_CONTRACT is for TRON_NETWORK=private alone/,
      ],
      [{ ...chain, TRON_GENESIS_ID: `1${id.slice(1)}` }, /^TRON_GENESIS_ID must be the id of block 0/],
      [
        { ...chain, USDT_CONTRACT: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T" },
        /^USDT_CONTRACT must be the address/,
      ],
    ] as const) {
      expect(faultsOf(() => readConfig(testEnvironment(overrides), roles))).toEqual([
        expect.stringMatching(fault),
      ]);
    }
  });

  it("of three or more nodes more than half must agree, and a host counts once", () => {
    const read = (urls: string, quorum: string) =>
      readConfig(testEnvironment({ TRON_NODE_URLS: urls, TRON_QUORUM: quorum }), roles);
    const three = "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3";
    expect(read(three, "").deposits).toMatchObject({ quorum: undefined, unproven: "balance" });
    expect(read(three, "3").deposits.quorum).toBe(3);
    expect(read("http://127.0.0.1:1", "1").deposits.quorum).toBe(1);
    expect(faultsOf(() => read(three, "1"))).toEqual([
      "TRON_QUORUM is 1, but of 3 nodes more than half must agree: set it to 2, or leave it out",
    ]);
    expect(faultsOf(() => read(three, "4"))).toEqual([
      "TRON_QUORUM is 4, but there are only 3 different TRON_NODE_URLS: set it to 2, or name more nodes",
    ]);
    expect(faultsOf(() => read("https://one:key@a.example/key,https://a.example:8090", ""))).toEqual([
      "TRON_NODE_URLS names the host a.example twice, and one host is one node: name each host once",
    ]);
  });

  it("each node has its own solidity URL, or none has", () => {
    const nodes = { TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2" };
    const read = (urls: string) => readConfig(testEnvironment({ ...nodes, TRON_SOLIDITY_URLS: urls }), roles);
    expect(read("http://127.0.0.1:3,http://127.0.0.1:4").chain.solidityUrls).toHaveLength(2);
    expect(read("").chain.solidityUrls).toEqual([]);
    expect(faultsOf(() => read("http://127.0.0.1:3"))).toEqual([
      "TRON_SOLIDITY_URLS must name one URL for each of TRON_NODE_URLS, in the same order",
    ]);
  });

  it("an unusable account key is refused with the reason", () => {
    const text = testEnvironment().ACCOUNT_XPUB ?? "";
    const mistyped = `${text.slice(0, -1)}${text.endsWith("d") ? "e" : "d"}`;
    expect(faultsOf(() => readConfig(testEnvironment({ ACCOUNT_XPUB: mistyped }), roles))).toEqual([
      expect.stringMatching(/^ACCOUNT_XPUB is refused: .*checksum/),
    ]);
  });

  it("settings that contradict each other are all named", () => {
    const faults = faultsOf(() =>
      readConfig(
        testEnvironment({
          TRON_GENESIS_ID: `${"0".repeat(16)}${"a".repeat(48)}`,
          TRON_SOLIDITY_URLS: "http://127.0.0.1:2,http://127.0.0.1:3",
          TRON_QUORUM: "2",
        }),
        roles,
      ),
    );
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "TRON_GENESIS_ID",
      "TRON_SOLIDITY_URLS",
      "TRON_QUORUM",
    ]);
  });

  it("a secret's file that a role does not need may be unreadable", () => {
    const { DARIC_KEY_PEPPER: _, ...rest } = testEnvironment();
    const env = { ...rest, DARIC_KEY_PEPPER_FILE: "/nowhere", DATABASE_DIRECT_URL_FILE: "/nowhere" };
    expect(readConfig(env, ["webhooks"]).runtime.databaseUrl).toBe(rest.DATABASE_URL);
    expect(faultsOf(() => readConfig(env, ["api"]))).toEqual([
      "DARIC_KEY_PEPPER_FILE names a file that does not exist",
    ]);
  });

  it.each([
    "postgres://daric:pass#word@db/daric",
    "postgres://daric:12/34@db/daric",
    "postgres://daric:12?34@db/daric",
    "postgres://daric:p%zz@db/daric",
    "db/daric",
  ])("a database URL that its own password cuts short is refused and not shown: %s", (url) => {
    const faults = faultsOf(() => readConfig(testEnvironment({ DATABASE_URL: url }), roles));
    expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL must be like postgres:.*%XX/)]);
  });

  it.each(["postgres://d:p%40w@db:5432/daric?sslmode=require", "postgresql:///daric?host=/run/postgresql"])(
    "a database URL is accepted: %s",
    (url) => expect(readConfig(testEnvironment({ DATABASE_URL: url }), roles).runtime.databaseUrl).toBe(url),
  );

  it("no fault repeats the value of a secret", () => {
    const secrets = { DATABASE_URL: "hunter2", DARIC_KEY_PEPPER: "hunter2", DARIC_MASTER_KEY: "hunter2" };
    const faults = faultsOf(() =>
      readConfig(testEnvironment({ ...secrets, ACCOUNT_XPUB: "xprv-hunter2" }), roles),
    );
    expect(faults).toHaveLength(4);
    expect(faults.join("\n")).not.toContain("hunter2");
  });
});

describe("readSettings", () => {
  it("only the named settings are read, with their defaults", () => {
    const values = readSettings({ PORT: "nonsense" }, ["chain.network", "runtime.databasePoolMax"]);
    expect(values).toEqual({ chain: { network: "nile" }, runtime: { databasePoolMax: 10 } });
  });

  it("every fault of the named settings is listed", () => {
    const paths = ["runtime.databaseUrl", "merchants.keyPepper", "chain.network"] as const;
    const faults = faultsOf(() =>
      readSettings({ DARIC_KEY_PEPPER: "short", TRON_NETWORK: "bitcoin" }, paths),
    );
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "DATABASE_URL",
      "DARIC_KEY_PEPPER",
      "TRON_NETWORK",
    ]);
  });
});

it("the compiler gives a role its own settings and no others", () => {
  const webhooks = readConfig(testEnvironment(), ["webhooks"]);
  const timeoutMs: number = webhooks.webhooks.timeoutMs;
  // @ts-expect-error only the API derives addresses
  const xpub: unknown = webhooks.addresses.accountXpub;
  // @ts-expect-error a role without nodes has no node settings
  const nodes: unknown = webhooks.chain.nodeUrls;
  const api: Config<"api"> = readConfig(testEnvironment(), roles);
  // @ts-expect-error a process of one role is not one of another
  const watcher: Config<"watcher"> = readConfig(testEnvironment(), ["api"]);
  // @ts-expect-error the settings of every process do not include those of a role
  const limited: Config<"api"> = api as Config;
  const command = readSettings(testEnvironment(), ["chain.network"]);
  // @ts-expect-error a command has only the settings that it named
  const pepper: unknown = command.merchants;
  expect([timeoutMs, api.addresses.accountXpub]).toEqual([15_000, TEST_XPUB]);
  expect([xpub, nodes, watcher, limited, pepper]).toHaveLength(5);
});

it("a role has its own name, and `all` names all of them", () => {
  expect(rolesOf("all")).toEqual(roles);
  expect(rolesOf("watcher")).toEqual(["watcher"]);
  expect(rolesOf("cook")).toBeUndefined();
});
