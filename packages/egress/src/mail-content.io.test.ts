import { type MailServer, openMailServer, type ReceivedMail } from "@daric/testing/mail-server";
import { readMail } from "@daric/testing/read-mail";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { headerText, type Mail } from "./mail-content.ts";
import { createMailer, type Mailer } from "./send-mail.ts";

let server: MailServer;
let mailer: Mailer;
beforeAll(async () => {
  server = await openMailServer();
  const settings = { smtpUrl: server.url, mailFrom: "till@shop.example", publicBaseUrl: undefined };
  mailer = createMailer({ ...settings, perMinute: 60_000 });
});
afterAll(async () => {
  mailer.close();
  await server.close();
});

const plain: Mail = { to: ["ada@shop.example"], subject: "Paid", text: "An order is paid." };

async function received(mail: Partial<Mail>): Promise<ReceivedMail> {
  const before = server.received.length;
  await mailer.send({ ...plain, ...mail });
  const [found, ...others] = server.received.slice(before);
  expect(others).toEqual([]);
  return found as ReceivedMail;
}

const headerNames = ({ raw }: ReceivedMail) =>
  readMail(raw)
    .headers.map(([name]) => name)
    .sort();

const BREAKS = ["\r\n", "\n", "\r", "\0", "\u2028", "\u2029", "\u0085", "\v", "\f", "\t", "\r\n "];
const hostile = [
  ...BREAKS.map((mark) => `Tea${mark}Bcc: eve@evil.example${mark}X-Evil: 1${mark}${mark}<b>body</b>`),
  "Tea\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\nDATA\r\n",
  '"><eve@evil.example>, eve@evil.example',
  'Tea" <eve@evil.example>; Bob <bob@evil.example>',
  "=?utf-8?Q?Tea=0D=0ABcc:_eve@evil.example?=",
  "=?utf-8?B?VGVhDQpCY2M6IGV2ZUBldmlsLmV4YW1wbGU=?=",
  "Tea%0d%0aBcc: eve@evil.example",
  `Tea ${"long ".repeat(400)}\r\nBcc: eve@evil.example`,
  "\u202Eelpmaxe.pohs\u202C \u2066Tea\u2069\u200F\u061C",
  "broken \ud800 half",
];

/** The header of the sender without quoted strings and encoded words, which are its name. */
function sender(raw: string): string {
  const [, value = ""] = /^From: (.*(?:\r\n[ \t].*)*)/m.exec(raw) ?? [];
  return value.replaceAll(/"(?:[^"\\]|\\.)*"|=\?[^?]*\?[BQ]\?[^?]*\?=/g, "").trim();
}

it("a hostile name of the sender is only a name: the address stays alone", async () => {
  for (const fromName of hostile)
    expect(sender((await received({ fromName })).raw), fromName).toMatch(/^[\w ]*<till@shop\.example>$/);
});

describe.each<[string, (text: string) => Partial<Mail>]>([
  ["subject", (subject) => ({ subject })],
  ["name of the sender", (fromName) => ({ fromName })],
  ["text", (text) => ({ text })],
  ["HTML", (html) => ({ html })],
])("a hostile %s", (_, field) => {
  it("adds no header, no receiver and no second mail, and its own part holds it", async () => {
    const usual = headerNames(await received(field("Tea")));
    for (const text of hostile) {
      const found = await received(field(text));
      expect([found.from, found.to]).toEqual(["till@shop.example", ["ada@shop.example"]]);
      expect(headerNames(found)).toEqual(expect.arrayContaining(["from", "to", "subject"]));
      const extra = headerNames(found).filter((name) => !usual.includes(name));
      expect(extra, text).toEqual([]);
    }
  });
});

it("a hostile name of an attachment, content type, content id or address to answer adds no header either", async () => {
  const usual = headerNames(await received({ replyTo: "bob@shop.example" }));
  for (const text of hostile) {
    const file = {
      filename: text,
      content: Buffer.from("logo"),
      contentType: `image/png; ${text}`,
      cid: text,
    };
    const found = await received({ attachments: [file], html: "<b>Paid</b>", replyTo: text });
    expect(found.to).toEqual(["ada@shop.example"]);
    expect(readMail(found.raw).header("reply-to")).toBeUndefined();
    const { headers, parts } = readMail(found.raw);
    const names = [...headers, ...parts.flatMap((part) => part.headers)].map(([name]) => name);
    const known = [
      ...usual,
      "content-id",
      "content-disposition",
      "content-transfer-encoding",
      "content-type",
    ];
    expect(
      names.filter((name) => !known.includes(name)),
      text,
    ).toEqual([]);
    expect(parts.map(({ type }) => type)).toEqual(["text/plain", "text/html", "image/png"]);
  }
});

it("a hostile address of a receiver is refused, and never read as two", async () => {
  const before = server.received.length;
  for (const address of [
    "ada@shop.example, eve@evil.example",
    "Ada <ada@shop.example>",
    "ada@shop.example\r\nRCPT TO:<eve@x.example>",
    "ada@a\0b.example",
    "ada",
  ])
    await expect(mailer.send({ ...plain, to: [address] })).rejects.toMatchObject({ of: "receiver" });
  await expect(mailer.send({ ...plain, to: [] })).rejects.toMatchObject({ of: "receiver" });
  expect(server.received).toHaveLength(before);
});

it.each([
  "Плата получена: заказ №17",
  "İade tamamlandı",
  "已付款 🫖 25.5 USDT",
  "Đã thanh toán",
  '\u05E9\u05DC\u05D5\u05DD, Tea, "House" <&>',
  "نِعم 👨\u200D👩\u200D👧",
  `Bezahlt ${"ä".repeat(300)}`,
])("%s arrives as it was written, as subject, name and file", async (text) => {
  const attachments = [{ filename: `${text}.csv`, content: Buffer.from("a,b"), contentType: "text/csv" }];
  const found = readMail((await received({ subject: text, fromName: text, text, attachments })).raw);
  expect(found.header("subject")).toBe(text);
  const from = found.header("from") ?? "";
  expect(
    from
      .replace(/^"(.*)" <till@shop\.example>$/, "$1")
      .replaceAll("\\", "")
      .replace(" <till@shop.example>", ""),
  ).toBe(text);
  expect(from).toMatch(/<till@shop\.example>$/);
  expect(found.textOf("text/plain").trimEnd()).toBe(text);
  expect(found.textOf("text/csv")).toBe("a,b");
});

it("each mail has Date, a Message-ID of the sender's domain, and Auto-Submitted", async () => {
  const [first, second] = [readMail((await received({})).raw), readMail((await received({})).raw)];
  expect(Math.abs(Date.now() - Date.parse(first.header("date") ?? ""))).toBeLessThan(60_000);
  expect(first.header("message-id")).toMatch(/^<[\w-]+@shop\.example>$/);
  expect(second.header("message-id")).not.toBe(first.header("message-id"));
  expect(first.header("auto-submitted")).toBe("auto-generated");
  expect([first.header("from"), first.header("reply-to"), first.header("list-unsubscribe")]).toEqual([
    "till@shop.example",
    undefined,
    undefined,
  ]);
});

it("name, address to answer, unsubscribing by one click and a picture in the HTML stand as mail programs read them", async () => {
  const url = `https://pay.shop.example/messages/stop/${"a1B2_-".repeat(20)}`;
  const logo = Buffer.from([0x89, 0x50, 0, 0xff]);
  const mail = readMail(
    (
      await received({
        fromName: "Tea House via pay.shop.example",
        replyTo: "tea@shop.example",
        unsubscribeUrl: url,
        html: '<img src="cid:logo">',
        attachments: [{ filename: "logo.png", content: logo, contentType: "image/png", cid: "logo" }],
      })
    ).raw,
  );
  expect(mail.header("from")).toMatch(/^"?Tea House via pay\.shop\.example"? <till@shop\.example>$/);
  expect(mail.header("reply-to")).toBe("tea@shop.example");
  expect(mail.header("list-unsubscribe")).toBe(`<${url}>`);
  expect(mail.header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const picture = mail.parts.find(({ type }) => type === "image/png");
  expect(picture?.content).toEqual(logo);
  expect(Object.fromEntries(picture?.headers ?? [])).toMatchObject({
    "content-id": "<logo>",
    "content-disposition": "inline; filename=logo.png",
  });
  expect(mail.textOf("text/html")).toContain("cid:logo");
});

it("the address to unsubscribe holds no line end", async () => {
  const { raw } = await received({
    unsubscribeUrl: "https://pay.shop.example/stop\r\nBcc: eve@evil.example",
  });
  expect(readMail(raw).header("bcc")).toBeUndefined();
});

it("one rule cleans every text of a header", () => {
  for (const mark of BREAKS) expect(headerText(` a${mark}b `)).toMatch(/^a {1,2}b$/);
  expect(headerText("\u202Ea\u2066b\u200F")).toBe("ab");
});
