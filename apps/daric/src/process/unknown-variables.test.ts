import { describe, expect, it } from "vitest";
import { settingAt, settingPaths } from "./config.ts";
import { unknownVariables, unknownVariableWarnings } from "./config-warnings.ts";

const known = settingPaths.map((path) => settingAt(path).env);
const unknown = (env: Record<string, string>) =>
  unknownVariables(env, known).map(({ name, meant }) => [name, meant]);

describe("an unknown variable is reported", () => {
  it.each([
    ["LOGLEVEL", "LOG_LEVEL"],
    ["log_level", "LOG_LEVEL"],
    ["PUBLIC_BASE_URI", "PUBLIC_BASE_URL"],
    ["PUBLC_BASE_URL", "PUBLIC_BASE_URL"],
    ["ACCOUNT_XPBU", "ACCOUNT_XPUB"],
    ["TRUSTED_PROXY", undefined],
    ["TRUSTED_PROXYS", "TRUSTED_PROXIES"],
    ["STUK_AFTER", "STUCK_AFTER"],
    ["TRON_NODE_URL", "TRON_NODE_URLS"],
    ["DATABASE_PASSWORD", undefined],
    ["DARIC_PEPPER", undefined],
    ["WEBHOOK_ALLOWED_TARGETS", "WEBHOOK_ALLOW_TARGETS"],
    ["METRICS_ADDRESS", undefined],
    ["RATE_LIMIT", undefined],
    ["TRON_NODE_URLS_FILE", undefined],
    ["CHECKOUT_LANGUAGES", undefined],
    ["OPERATOR_FEE_TRANSFERS", undefined],
    ["SWEEP_OLD_AFTER", undefined],
    ["WEBHOOK_ENDPOINT_CONCURRENCY", undefined],
  ])("%s, meant as %s", (name, meant) => {
    const isOurs = /^(CHECKOUT|DARIC|DATABASE|METRICS|OPERATOR|RATE|SWEEP|TRON|WEBHOOK)_/.test(name);
    const isNamed = meant !== undefined || isOurs;
    expect(unknown({ [name]: "x" })).toEqual(isNamed ? [[name, meant]] : []);
  });

  it("without its value", () => {
    expect(
      unknownVariableWarnings({
        DARIC_PEPER_KEY: "hunter2",
        LOGLEVEL: "hunter2",
        DARIC_KEY_PEPPER_FILE: "x",
      }),
    ).toEqual(["DARIC_PEPER_KEY is no setting", "LOGLEVEL is no setting: is LOG_LEVEL meant?"]);
  });
});

describe("no warning is false", () => {
  it("a setting, and an empty one", () => {
    expect(unknown(Object.fromEntries(known.map((name) => [name, "x"])))).toEqual([]);
    expect(unknown({ LOGLEVEL: " ", DARIC_PEPPER: "" })).toEqual([]);
  });

  it("the variables of a desktop, a shell, npm, systemd, CI, Docker and Kubernetes", () => {
    const names = `
      PATH HOME HOSTNAME USER LOGNAME SHELL PWD OLDPWD SHLVL TERM LANG LC_ALL TZ EDITOR PAGER MAIL _ LS_COLORS DISPLAY PS1
      HOSTS PORTS POST HOSTTYPE OSTYPE PORT_ MACHTYPE SSH_AUTH_SOCK SSH_CONNECTION XDG_RUNTIME_DIR XDG_DATA_DIRS
      DBUS_SESSION_BUS_ADDRESS COLORTERM LOG_DIR LOGS LOG_FILE PUBLIC_IP PUBLIC_URL BASE_URL ACCOUNT_ID SCAN_DIR
      ARCHIVE_DIR TRUSTED_CA REQUIRED_VERSION NODE_ENV NODE_OPTIONS NODE_VERSION NODE_EXTRA_CA_CERTS YARN_VERSION
      npm_config_loglevel npm_lifecycle_event npm_package_name npm_config_cache INIT_CWD VITEST TEST DEBUG NO_COLOR CI
      GITHUB_TOKEN GITHUB_ENV RUNNER_TEMP HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy INVOCATION_ID JOURNAL_STREAM
      CREDENTIALS_DIRECTORY SYSTEMD_EXEC_PID MAINPID NOTIFY_SOCKET LISTEN_FDS DATABASE PGHOST PGUSER PGPASSWORD
      POSTGRES_PASSWORD DEVCHAIN_PORT DARIC_HOME DARIC_URL DARIC_API_KEY WEBHOOK_SECRET TEST_DATABASE_URL CHROMIUM_PATH
      KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_PORT_443_TCP RENDER_SERVICE_NAME DYNO FLY_APP_NAME AWS_REGION`;
    const env = Object.fromEntries(
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, "x"]),
    );
    expect(unknown(env)).toEqual([]);
  });

  it("a variable that begins with a common word, though several settings begin with it too", () => {
    const more = [...known, "LOG_FORMAT", "HTTP_MAX_CONNECTIONS", "HTTP_MAX_WAIT"];
    expect(unknownVariables({ LOG_DIR: "x", HTTP_PROXY: "x", LOG_FORMATT: "x" }, more)).toEqual([
      { name: "LOG_FORMATT", meant: "LOG_FORMAT" },
    ]);
  });

  it("variables of Kubernetes and Docker for services named daric and webhook", () => {
    const env = {
      DARIC_SERVICE_HOST: "10.0.0.7",
      DARIC_SERVICE_PORT: "3000",
      DARIC_SERVICE_PORT_HTTP: "3000",
      DARIC_PORT: "tcp://10.0.0.7:3000",
      DARIC_PORT_3000_TCP: "tcp://10.0.0.7:3000",
      DARIC_PORT_3000_TCP_ADDR: "10.0.0.7",
      WEBHOOK_PORT: "tcp://10.0.0.8:80",
      WEBHOOK_NAME: "/service/webhook",
      WEBHOOK_ENV_LANG: "C",
    };
    expect(unknown(env)).toEqual([]);
    expect(unknown({ DARIC_PORT: "3000" })).toEqual([["DARIC_PORT", undefined]]);
  });
});
