import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dialSocket, type NetworkAccess } from "@daric/egress/guarded-dial";
import { type MailServer, openMailServer } from "@daric/testing/mail-server";
import { readMail } from "@daric/testing/read-mail";
import { expect, it, onTestFinished } from "vitest";
import { readSettings, type Variables } from "../process/config.ts";
import { runDaric } from "./daric.ts";
import { checkMailRecords, type MailDns } from "./mail-records.ts";
import { NOTICE_SETTINGS, testNotices } from "./notify.ts";
import { tryMailRecords, tryMailServers } from "./try-mail.ts";

const TOKEN = "123456789:AAabcdefghijklmnopqrstuvwxyz";

async function serve(options: Parameters<typeof openMailServer>[0] = {}): Promise<MailServer> {
  const server = await openMailServer(options);
  onTestFinished(() => server.close());
  return server;
}

type Records = Partial<{
  txt: Record<string, string[]>;
  mx: Record<string, string[]>;
  a: Record<string, string[]>;
}>;

/** DNS with these records alone. */
function dnsOf({ txt = {}, mx = {}, a = {} }: Records): MailDns {
  const find = async <T>(found: T[] | undefined): Promise<T[]> => {
    if (found === undefined) throw Object.assign(new Error("no such record"), { code: "ENODATA" });
    return found;
  };
  return {
    resolveTxt: (name: string) => find(txt[name]?.map((text) => [text.slice(0, 5), text.slice(5)])),
    resolveMx: (name: string) => find(mx[name]?.map((exchange) => ({ exchange, priority: 10 }))),
    resolve4: (name: string) => find(a[name]),
    resolve6: () => find<string>(undefined),
  };
}

const nowhere: NetworkAccess = {
  resolve: async () => ["127.0.0.1"],
  dial: async () => {
    throw new Error("nothing is dialled here");
  },
};

const settingsOf = (variables: Variables) =>
  readSettings(
    { MAIL_FROM: "till@shop.example", PUBLIC_BASE_URL: "https://pay.shop.example", ...variables },
    NOTICE_SETTINGS,
  );

const notices = (variables: Variables, to?: string, outside = {}) =>
  testNotices(settingsOf(variables), to, { dns: dnsOf({}), access: nowhere, ...outside });

it("with a receiver a test mail is sent; without one the server is greeted alone", async () => {
  const server = await serve();
  const label = `mail server 127.0.0.1:${server.port} of SMTP_URL`;
  const [greeted] = await notices({ SMTP_URL: server.url });
  expect([greeted, server.received.length]).toEqual([{ what: label, result: "ok", reason: null }, 0]);
  const [sent] = await notices({ SMTP_URL: server.url }, "ada@shop.example");
  expect(sent).toEqual({ what: label, result: "sent", reason: null });
  const [mail] = server.received;
  expect([mail?.to, mail?.greetedAs]).toEqual([["ada@shop.example"], "pay.shop.example"]);
  expect(readMail(mail?.raw ?? "").header("subject")).toBe("Test of mails from pay.shop.example");
});

it("the server for alerts is tried too, and a refusal says what it means", async () => {
  const server = await serve();
  const strict = await serve({ behaviour: "refuse sender" });
  const trials = await notices({ SMTP_URL: server.url, ALERT_SMTP_URL: strict.url }, "ada@shop.example");
  expect(trials.slice(0, 2)).toEqual([
    expect.objectContaining({ result: "sent" }),
    {
      what: `mail server 127.0.0.1:${strict.port} of ALERT_SMTP_URL`,
      result: "failed",
      reason: expect.stringMatching(
        /550 5\.7\.1 Refused by policy: a rule there .* \(greeted as pay\.shop\.example\)$/,
      ),
    },
  ]);
});

it("the records of DNS that are missing are named, with what to set", async () => {
  const trials = await checkMailRecords({ domain: "shop.example", greetedAs: "pay.shop.example" }, dnsOf({}));
  expect(trials).toEqual([
    { what: "SPF of shop.example", result: "missing", reason: expect.stringContaining('"v=spf1 include:') },
    {
      what: "DMARC of shop.example",
      result: "missing",
      reason: expect.stringContaining("at _dmarc.shop.example"),
    },
    {
      what: "MX or A of shop.example",
      result: "missing",
      reason: expect.stringContaining("add an MX record"),
    },
    {
      what: "A of pay.shop.example, the name of EHLO",
      result: "missing",
      reason: expect.stringContaining("MAIL_GREETING_NAME"),
    },
    { what: "DKIM of shop.example", result: "unknown", reason: expect.stringContaining("dkim=pass") },
  ]);
});

const DMARC = "v=DMARC1; p=none";
const SPF = "v=spf1 include:mail.example ~all";
const whole = {
  txt: { "shop.example": ["other", SPF], "_dmarc.shop.example": [DMARC] },
  mx: { "shop.example": ["mx.shop.example"] },
  a: { "pay.shop.example": ["192.0.2.1"], "shop.example": ["192.0.2.2"] },
};

it.each<[string, Records, string, string[]]>([
  ["all records are there", whole, "shop.example", []],
  ["an A record stands for a missing MX record", { ...whole, mx: {} }, "shop.example", []],
  [
    "an MX record without a name takes no mail",
    { ...whole, mx: { "shop.example": [""] } },
    "shop.example",
    ["MX or A"],
  ],
  [
    "two SPF records count as none",
    { ...whole, txt: { ...whole.txt, "shop.example": [SPF, SPF] } },
    "shop.example",
    ["SPF"],
  ],
  [
    "the DMARC record of a domain above counts, and its SPF record does not",
    { ...whole, mx: { "mail.shop.example": ["mx.shop.example"] } },
    "mail.shop.example",
    ["SPF"],
  ],
])("%s", async (_, records, domain, missing) => {
  const trials = await checkMailRecords({ domain, greetedAs: "pay.shop.example" }, dnsOf(records));
  const found = trials
    .filter(({ result }) => result === "missing")
    .map(({ what }) => what.replace(/ of .*/, ""));
  expect(found).toEqual(missing);
});

it("a DNS that does not answer is no missing record", async () => {
  const away = () => Promise.reject(Object.assign(new Error("away"), { code: "ETIMEOUT" }));
  const dns = { resolveTxt: away, resolveMx: away, resolve4: away, resolve6: away };
  const trials = await checkMailRecords({ domain: "shop.example", greetedAs: "pay.shop.example" }, dns);
  expect(trials.slice(0, 4)).toEqual(
    Array.from({ length: 4 }, () =>
      expect.objectContaining({ result: "unknown", reason: "DNS does not answer (ETIMEOUT)" }),
    ),
  );
});

it("the Telegram bot is asked for its name; a wrong token fails without the token in its reason", async () => {
  let answer = { status: 200, body: '{"ok":true,"result":{"id":1,"is_bot":true,"username":"shop_bot"}}' };
  const paths: (string | undefined)[] = [];
  const telegram = createServer(({ url }, response) => {
    paths.push(url);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((resolve) => telegram.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void telegram.close());
  const { port } = telegram.address() as AddressInfo;
  const access: NetworkAccess = {
    resolve: async () => ["127.0.0.1"],
    dial: (target) => dialSocket({ ...target, port, isSecure: false, servername: undefined }),
  };
  const server = await serve();
  const bot = async () =>
    (await notices({ SMTP_URL: server.url, ALERT_TELEGRAM_TOKEN: TOKEN }, undefined, { access }))[1];
  expect(await bot()).toMatchObject({ result: "ok", reason: "it is @shop_bot" });
  answer = { status: 401, body: '{"ok":false,"description":"Unauthorized"}' };
  const refused = await bot();
  expect(refused).toMatchObject({
    result: "failed",
    reason: expect.stringContaining("ALERT_TELEGRAM_TOKEN"),
  });
  expect(JSON.stringify(refused)).not.toContain(TOKEN);
  expect(paths).toEqual([`/bot${TOKEN}/getMe`, `/bot${TOKEN}/getMe`]);
});

async function daric(args: readonly string[], variables: Variables) {
  let [out, err] = ["", ""];
  const code = await runDaric(args, {
    variables,
    readInput: async () => "",
    readLines: async function* () {},
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

it("without a mail server, or with half of it, the command ends with 1 and names what is missing", async () => {
  const none = await daric(["notify", "test", "--json"], {});
  expect([none.code, JSON.parse(none.out)]).toEqual([
    1,
    [{ what: "mail server", result: "failed", reason: "none is configured: set SMTP_URL and MAIL_FROM" }],
  ]);
  expect(none.err).toBe("daric: mail server: none is configured: set SMTP_URL and MAIL_FROM\n");
  const half = await daric(["notify", "test"], { SMTP_URL: "smtp://127.0.0.1:1?tls=none" });
  expect([half.code, half.err]).toEqual([1, "daric: MAIL_FROM is required with SMTP_URL\n"]);
  const alerts = await daric(["notify", "test"], { ALERT_SMTP_URL: "smtp://127.0.0.1:1?tls=none" });
  expect(alerts.err).toBe("daric: MAIL_FROM is required with ALERT_SMTP_URL\n");
  const senderAlone = await daric(["notify", "test"], { MAIL_FROM: "till@shop.example" });
  expect(senderAlone.err).toBe("daric: SMTP_URL is required with MAIL_FROM\n");
  expect((await daric(["notify", "test", "--to", "a@b, c@d"], {})).code).toBe(2);
});

it("a check of the settings greets each mail server and sends no mail; a refusal is doubtful", async () => {
  const server = await serve();
  const strict = await serve({ login: { user: "till", password: "word" } });
  const wrong = strict.url.replace("word", "other");
  const found = await tryMailServers(settingsOf({ SMTP_URL: server.url, ALERT_SMTP_URL: wrong }));
  expect(found).toEqual([
    { trial: `mail server 127.0.0.1:${server.port} of SMTP_URL`, verdict: "OK", words: expect.any(String) },
    {
      trial: `mail server 127.0.0.1:${strict.port} of ALERT_SMTP_URL`,
      verdict: "doubtful",
      words: expect.stringMatching(/refused the login: 535.*: correct user and password in ALERT_SMTP_URL/),
    },
  ]);
  expect(await tryMailServers(settingsOf({ SMTP_URL: undefined, MAIL_FROM: undefined }))).toEqual([]);
  expect(server.received).toEqual([]);
});

it("config check doubts a sender whose records of DNS are missing, and names each", async () => {
  const settings = settingsOf({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" });
  const [missing] = await tryMailRecords(settings, dnsOf({}));
  expect(missing).toMatchObject({
    trial: expect.stringContaining("records of DNS for"),
    verdict: "doubtful",
  });
  expect(missing?.words).toMatch(/SPF.*DMARC|v=spf1.*v=DMARC1/s);
  expect(await tryMailRecords(settingsOf({ SMTP_URL: undefined, MAIL_FROM: undefined }), dnsOf({}))).toEqual(
    [],
  );
});
