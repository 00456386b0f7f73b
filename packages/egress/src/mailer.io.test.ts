import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { type MailBehaviour, type MailServer, openMailServer } from "@daric/testing/mail-server";
import { until } from "@daric/testing/until";
import { expect, it, onTestFinished } from "vitest";
import type { Mail } from "./mail-content.ts";
import { MailFailure } from "./mail-failure.ts";
import type { MailSettings } from "./mail-settings.ts";
import { createMailer, greetMailServer, type Mailer, type MailLimits, sendMail } from "./send-mail.ts";

const SHORT: MailLimits = { connectMs: 300, answerMs: 400, mailMs: 5_000 };
const FAST = 60_000;

async function serve(options: Parameters<typeof openMailServer>[0] = {}): Promise<MailServer> {
  const server = await openMailServer(options);
  onTestFinished(() => server.close());
  return server;
}

const settingsOf = (smtpUrl: string): MailSettings => ({
  smtpUrl,
  mailFrom: "till@shop.example",
  publicBaseUrl: "https://pay.shop.example",
});

function mailerFor({ url }: { url: string }, limits: MailLimits = SHORT, perMinute = FAST): Mailer {
  const mailer = createMailer({ ...settingsOf(url), perMinute }, limits);
  onTestFinished(() => mailer.close());
  return mailer;
}

const mailTo = (...to: string[]): Mail => ({ to, subject: "Paid", text: "An order is paid." });

async function failureOf(sent: Promise<void>): Promise<MailFailure> {
  const failure = await sent.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(MailFailure);
  return failure as MailFailure;
}

it("50 mails go over one kept connection, which greets by the host of the base URL", async () => {
  const server = await serve();
  const mailer = mailerFor(server);
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => mailer.send(mailTo(`ada${index}@shop.example`))),
  );
  expect(server.received.flatMap(({ to }) => to)).toEqual(
    Array.from({ length: 50 }, (_, index) => `ada${index}@shop.example`),
  );
  expect([server.connections, server.received[0]?.greetedAs]).toEqual([1, "pay.shop.example"]);
});

it("the greeting is MAIL_GREETING_NAME where that is set", async () => {
  const server = await serve();
  await sendMail({ ...settingsOf(server.url), greetingName: "mx.shop.example" }, mailTo("ada@shop.example"));
  expect(server.received[0]?.greetedAs).toBe("mx.shop.example");
});

it("no more mails than MAIL_PER_MINUTE are sent, however many wait", async () => {
  const server = await serve();
  const mailer = mailerFor(server, SHORT, 600);
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: 6 }, () => mailer.send(mailTo("ada@shop.example"))));
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(490);
});

it("a pause between mails closes the connection, and the next mail opens another", async () => {
  const server = await serve();
  const mailer = mailerFor(server);
  await mailer.send(mailTo("ada@shop.example"));
  await until("the connection has ended", () => server.openConnections() === 0);
  await mailer.send(mailTo("ada@shop.example"));
  expect([server.connections, server.received.length]).toEqual([2, 2]);
});

it("a mail after the server closed the kept connection goes over a new one", async () => {
  const server = await serve();
  const mailer = mailerFor(server);
  await mailer.send(mailTo("ada@shop.example"));
  server.drop();
  await mailer.send(mailTo("ada@shop.example"));
  expect([server.connections, server.received.length]).toEqual([2, 2]);
});

const failures: [MailBehaviour, MailFailure["of"], RegExp][] = [
  ["hang at connect", "server", /Greeting never received/],
  ["hang at data", "server", /Timeout/],
  ["busy", "server", /421 4\.\d\.\d .*: it is busy/],
  ["close in data", "server", /closed/],
  [
    "refuse sender",
    "server",
    /refused the sender: 550 5\.7\.1 Refused by policy: .*SPF, DKIM, DMARC of shop\.example/,
  ],
  ["refuse content", "message", /refused the mail: 554 5\.7\.1 Message refused/],
  ["greylist", "message", /refused the receiver: 450 4\.2\.0 Greylisted/],
  [
    { refuse: "ada@shop.example" },
    "receiver",
    /refused the receiver: 550 5\.1\.1 <\[address\]>: .*: no mailbox/,
  ],
  [
    { refuse: "ada@shop.example", words: "550 5.7.1 SPF fail" },
    "message",
    /: name the mail server in the SPF record/,
  ],
];

it.each(failures)(
  "a server that does %j is a failure of the %s; the next mail passes",
  async (behaviour, of, words) => {
    const server = await serve();
    const mailer = mailerFor(server);
    await mailer.send(mailTo("bob@shop.example"));
    server.behaviour = behaviour;
    if (behaviour === "hang at connect") server.drop();
    const failure = await failureOf(mailer.send(mailTo("ada@shop.example")));
    expect([failure.of, failure.message]).toEqual([
      of,
      expect.stringMatching(new RegExp(`${words.source}.* \\(greeted as pay\\.shop\\.example\\)$`)),
    ]);
    expect(failure.pauseMs).toBe(behaviour === "greylist" ? 60_000 : undefined);
    expect(failure.message).not.toContain("ada@");
    server.behaviour = "accept";
    await mailer.send(mailTo("ada@shop.example"));
    expect(server.received.map(({ to }) => to)).toEqual([["bob@shop.example"], ["ada@shop.example"]]);
  },
);

it("a whole mail has a limit, also while the server answers a little at a time", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    const timer = setInterval(() => socket.write("220-wait\r\n"), 50);
    socket.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?tls=none`;
  const mailer = mailerFor({ url }, { connectMs: 60_000, answerMs: 60_000, mailMs: 300 });
  const failure = await failureOf(mailer.send(mailTo("ada@shop.example")));
  expect([failure.of, failure.message]).toEqual(["server", "the mail server took longer than 0.3 s"]);
});

it("no server at the port, and a refused login, are failures of the server with what to correct", async () => {
  const server = await openMailServer();
  await server.close();
  const away = await failureOf(mailerFor(server).send(mailTo("ada@shop.example")));
  expect([away.of, away.message]).toEqual([
    "server",
    expect.stringMatching(/is the mail server running, and SMTP_URL/),
  ]);
  const strict = await serve({ login: { user: "till", password: "a word" } });
  const wrong = mailerFor({ url: strict.url.replace("a%20word", "other") });
  const refused = await failureOf(wrong.send(mailTo("ada@shop.example")));
  expect([refused.of, refused.message]).toEqual([
    "server",
    expect.stringMatching(/refused the login: 535 5\.7\.8 .*: correct user and password in SMTP_URL/),
  ]);
  const none = mailerFor({ url: strict.url.replace("till:a%20word@", "") });
  expect((await failureOf(none.send(mailTo("ada@shop.example")))).message).toMatch(/: it wants a login/);
  await mailerFor(strict).send(mailTo("ada@shop.example"));
  expect(strict.received).toHaveLength(1);
});

it("one refused receiver among several: the others get the mail, and the failure names the place of the refused one", async () => {
  const server = await serve({ behaviour: { refuse: "bob@shop.example" } });
  const failure = await failureOf(
    sendMail(settingsOf(server.url), mailTo("ada@shop.example", "bob@shop.example")),
  );
  expect([failure.of, failure.message]).toEqual([
    "receiver",
    expect.stringMatching(/refused receiver 2 of 2, and took it for others: 550 5\.1\.1/),
  ]);
  expect(server.received.map(({ to }) => to)).toEqual([["ada@shop.example"]]);
});

it("a refusal by the server for alerts names ALERT_SMTP_URL", async () => {
  const server = await serve({ login: { user: "till", password: "word" } });
  const url = server.url.replace("word", "other");
  const failure = await failureOf(
    sendMail({ ...settingsOf(url), urlFrom: "ALERT_SMTP_URL" }, mailTo("ada@shop.example")),
  );
  expect(failure.message).toContain("correct user and password in ALERT_SMTP_URL");
});

it("a closed mailer sends nothing more, and its waiting mails fail", async () => {
  const server = await serve();
  const mailer = mailerFor(server, SHORT, 1);
  await mailer.send(mailTo("ada@shop.example"));
  const waiting = failureOf(mailer.send(mailTo("ada@shop.example")));
  mailer.close();
  expect((await waiting).of).toBe("server");
  await failureOf(mailer.send(mailTo("ada@shop.example")));
  expect(server.received).toHaveLength(1);
  await until("the connection has ended", () => server.openConnections() === 0);
});

it("a trial of the server connects and logs in, and sends no mail", async () => {
  const server = await serve({ login: { user: "till", password: "word" } });
  await greetMailServer(settingsOf(server.url), SHORT);
  const wrong = failureOf(greetMailServer(settingsOf(server.url.replace("word", "other")), SHORT));
  expect((await wrong).message).toMatch(/refused the login/);
  server.behaviour = "hang at connect";
  expect((await failureOf(greetMailServer(settingsOf(server.url), SHORT))).of).toBe("server");
  server.behaviour = "busy";
  expect((await failureOf(greetMailServer(settingsOf(server.url), SHORT))).message).toMatch(/: it is busy/);
  expect(server.received).toEqual([]);
});
