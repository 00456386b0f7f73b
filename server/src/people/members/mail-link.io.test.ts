import { freePort } from "@daric/testing/free-port";
import { SMTPServer } from "smtp-server";
import { expect, it } from "vitest";
import { idOf } from "../../domain/ids.ts";
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
  expect(await mailLink({ ...config, mail }, link, url)).toBe(true);
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
  expect(await mailLink({ ...alone, mail }, link, url)).toBe(true);
  expect(mails.pop()?.text).toContain("Subject: Set a new password at office.example");
  expect(await mailLink({ ...config, mail }, { ...link, email: "bob@shop.example" }, url)).toBe(false);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  expect(await mailLink({ ...config, mail }, link, url)).toBe(false);
  expect(await mailLink(config, link, url)).toBe(false);
  expect(mails).toHaveLength(1);
});

it("an answer has the link only if it was not mailed", () => {
  expect(toIssuedInvitation({ link, url, isMailed: true })).toMatchObject({ link: null, is_mailed: true });
  expect(toIssuedInvitation({ link, url, isMailed: false })).toMatchObject({ link: url, is_mailed: false });
});
