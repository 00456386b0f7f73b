import type { MerchantId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { freePort } from "@daric/testing/free-port";
import { amplePeopleLimits, aPerson, signedIn } from "@daric/testing/people";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

const PATH = "/dashboard/v1/settings/support-email/confirm";
const mails: { greeting: string; to: string; text: string }[] = [];
let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let server: SMTPServer;
let merchantId: MerchantId;
let number = 0;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: async (stream, { envelope, hostNameAppearsAs: greeting }, callback) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      // Long lines of quoted-printable go on in the next one.
      const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "");
      mails.push({ greeting, to: envelope.rcptTo.map(({ address }) => address).join(), text });
      callback();
    },
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  context = await createTestContext({
    ...amplePeopleLimits,
    SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`,
    MAIL_FROM: "pay@pay.example",
    MAIL_GREETING_NAME: "mail.pay.example",
  });
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await context.close();
});
beforeEach(async () => {
  mails.length = 0;
  number += 1;
  merchantId = (await aMerchant(context.db, { supportEmail: `help${number}@shop.example` })).id;
});

const as = async (role: MerchantRole, by = app) =>
  signedIn(by, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);

it("a link is mailed to the support address, and its button confirms the address in the settings", async () => {
  const owner = await as("owner");
  expect((await owner.send(PATH, {})).status).toBe(200);
  expect(mails).toMatchObject([{ greeting: "mail.pay.example", to: `help${number}@shop.example` }]);
  const [, path] = /http:\/\/127\.0\.0\.1:3000(\/confirm\/[\w-]+)/.exec(mails[0]?.text ?? "") ?? [];
  const settings = async () => (await owner.send("/dashboard/v1/settings")).body.data;
  expect(await settings()).toMatchObject({ support_email_confirmed: false, mail_configured: true });
  await app.inject({ method: "POST", url: path ?? expect.fail("no link") });
  const after = await settings();
  expect(after.support_email_confirmed).toBe(true);
  await owner.send(
    "/dashboard/v1/settings",
    { updatedAt: after.updated_at, supportEmail: "other@shop.example" },
    { method: "PATCH" },
  );
  expect((await settings()).support_email_confirmed).toBe(false);
  const [entry] = await context.db.query<{ after: object }>(sql`
    select after from audit_log where merchant_id = ${merchantId} and action = 'ask support address'`);
  expect(entry?.after).toEqual({ supportEmail: `help${number}@shop.example` });
});

it("one mail goes to an address in a quarter of an hour, and five a day of a merchant", async () => {
  const owner = await as("owner");
  const ask = async () => (await owner.send(PATH, {})).status;
  expect([await ask(), await ask()]).toEqual([200, 429]);
  const codes: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    await context.owner.query(sql`
      update merchants set support_email = ${`more${number}-${n}@shop.example`} where id = ${merchantId}`);
    codes.push(await ask());
  }
  expect(codes).toEqual([200, 200, 200, 200, 429]);
  expect(mails).toHaveLength(5);
});

it("a viewer asks nothing, and without an address or a mail server there is nothing to ask", async () => {
  expect((await (await as("viewer")).send(PATH, {})).status).toBe(403);
  const mail = { ...context.config.mail, smtpUrl: undefined };
  const quiet = createApp({ ...context, config: { ...context.config, mail } });
  const owner = await as("owner", quiet);
  expect((await owner.send(PATH, {})).status).toBe(404);
  expect((await owner.send("/dashboard/v1/settings")).body.data.mail_configured).toBe(false);
  await quiet.close();
  await context.owner.query(sql`update merchants set support_email = null where id = ${merchantId}`);
  const { status, body } = await (await as("owner")).send(PATH, {});
  expect([status, body.error.details[0].path]).toEqual([422, "supportEmail"]);
  expect(mails).toEqual([]);
});
