import { idOf } from "@daric/domain/ids";
import type { Logger } from "@daric/runtime/logger";
import { freePort } from "@daric/testing/free-port";
import { SMTPServer } from "smtp-server";
import { expect, it, onTestFinished } from "vitest";
import type { OneTimeLink } from "./link-store.ts";
import { mailLink } from "./mail-link.ts";
import { toIssuedInvitation } from "./schema.ts";

const link: OneTimeLink = {
  id: idOf("link", "01a21746-f610-767b-b6c2-46317d62f0e0"),
  kind: "reset",
  email: "ada@shop.example",
  merchantId: null,
  role: null,
  resetsSecondFactor: false,
  madeBy: null,
  createdAt: new Date("2026-05-01T12:00:00Z"),
  expiresAt: new Date("2026-05-02T12:00:00Z"),
};
const mailed = (config: Parameters<typeof mailLink>[0]["config"], changes: Partial<OneTimeLink> = {}) =>
  mailLink({ config }, { ...link, ...changes }, { url, merchantName: undefined, sender: undefined });
const url = "https://pay.example/dashboard/link#token";

it("a reset is mailed to its person if a mail server is configured; if that refuses it, the inviter gets the link", async () => {
  const mails: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo: ({ address }, _session, callback) =>
      address.startsWith("ada@") ? callback() : callback(new Error("no such person")),
    onData: async (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      mails.push({
        to: envelope.rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString(),
      });
      callback();
    },
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const mail = { smtpUrl: `smtp://127.0.0.1:${port}?tls=none`, mailFrom: "daric@pay.example" };
  const config = {
    http: { publicBaseUrl: "https://pay.example" },
    people: { baseUrl: undefined },
    merchants: { keyPepper: "x" },
  };
  expect(await mailed({ ...config, mail })).toBe(true);
  expect(mails).toEqual([
    {
      to: ["ada@shop.example"],
      text: expect.stringMatching(/Subject: Set a new password at pay\.example[\s\S]*#token/),
    },
  ]);
  const alone = {
    ...config,
    http: { publicBaseUrl: undefined },
    people: { baseUrl: "https://office.example" },
  };
  expect(await mailed({ ...alone, mail })).toBe(true);
  expect(mails.pop()?.text).toContain("Subject: Set a new password at office.example");
  expect(await mailed({ ...config, mail }, { email: "bob@shop.example" })).toBe(false);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  expect(await mailed({ ...config, mail })).toBe(false);
  expect(await mailed(config)).toBe(false);
  expect(mails).toHaveLength(1);
});

it("an answer has the link only if it was not mailed", () => {
  expect(toIssuedInvitation({ link, url, isMailed: true })).toMatchObject({ link: null, is_mailed: true });
  expect(toIssuedInvitation({ link, url, isMailed: false })).toMatchObject({ link: url, is_mailed: false });
});

it("a strict mail server is greeted by a name of DNS; the invitation names merchant, sender and a readable time, and a refusal is logged", async () => {
  const greeted: string[] = [];
  const mails: string[] = [];
  let isStrict = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onMailFrom: (_address, { hostNameAppearsAs }, callback) => {
      greeted.push(hostNameAppearsAs);
      callback(isStrict ? new Error("Try again later") : null);
    },
    onData: async (stream, _session, callback) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      mails.push(Buffer.concat(chunks).toString());
      callback();
    },
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const warned: object[] = [];
  const log = { warn: (fields: object) => warned.push(fields) } as unknown as Logger;
  const invitation = { ...link, kind: "invitation", role: "owner" } as const;
  const send = (publicBaseUrl: string) => {
    const config = {
      mail: { smtpUrl: `smtp://127.0.0.1:${port}?tls=none`, mailFrom: "daric@shop.example" },
      http: { publicBaseUrl },
      people: { baseUrl: undefined },
      merchants: { keyPepper: "x" },
    };
    return mailLink({ config, log }, invitation, { url, merchantName: "Tea House", sender: "Ada" });
  };
  for (const base of [
    "https://pay.shop.example",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "http://localhost",
  ])
    expect(await send(base)).toBe(true);
  expect(greeted).toEqual(["pay.shop.example", "shop.example", "shop.example", "shop.example"]);
  expect(mails[0]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(mails[0]).toMatch(/^You are invited to Tea House at pay\.shop\.example, by Ada\r$/m);
  expect(mails[0]?.replaceAll("=\r\n", "")).toMatch(/until Saturday,? 2 May 2026,? (at )?12:00 \(UTC\)/);
  expect(warned).toEqual([]);
  isStrict = true;
  expect(await send("https://pay.shop.example")).toBe(false);
  expect(warned).toEqual([
    {
      event: "mail_not_sent",
      link: link.id,
      err: expect.objectContaining({
        message: expect.stringMatching(/Try again later.* \(greeted as pay\.shop\.example\)$/s),
      }),
    },
  ]);
});
