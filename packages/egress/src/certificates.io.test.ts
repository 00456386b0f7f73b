import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { openHttpJson } from "@daric/chain/nodes/http-json";
import { channelsOf } from "@daric/console/alerts/channels";
import { plainMessage } from "@daric/console/alerts/message";
import { SELF_SIGNED } from "@daric/testing/tls-certificate";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, it } from "vitest";
import { sendMail } from "./send-mail.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** The port of a server whose certificate is by no authority that this machine knows. */
async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const listenHttps = () => listen(createServer(SELF_SIGNED, (_, response) => response.end("{}")));
const ADVICE = /name the file of its CA in NODE_EXTRA_CA_CERTS/;

it("a node with a certificate by an unknown authority: the fault names NODE_EXTRA_CA_CERTS", async () => {
  const url = `https://127.0.0.1:${await listenHttps()}`;
  const node = openHttpJson({ url, timeoutMs: 2_000, maxBodyBytes: 1_000 });
  await expect(node.get("/wallet/getnowblock")).rejects.toThrow(ADVICE);
  await node.close();
});

it("a webhook of alerts likewise", async () => {
  const [webhook] = channelsOf({
    alerts: {
      webhookUrl: `https://127.0.0.1:${await listenHttps()}/hook`,
      mailTo: [],
      telegramToken: undefined,
      telegramChat: undefined,
    },
    mail: { smtpUrl: undefined, mailFrom: undefined },
    http: { publicBaseUrl: undefined },
  });
  const message = plainMessage("test", { summary: "A test", lines: [] }, { network: "nile" });
  await expect(webhook?.send(message)).rejects.toThrow(ADVICE);
});

it("the mail server likewise, although its library drops the code of the fault", async () => {
  const smtp = new SMTPServer({ ...SELF_SIGNED, secure: true, authOptional: true });
  smtp.on("error", () => undefined);
  const port = await listen(smtp.server);
  const settings = {
    smtpUrl: `smtps://127.0.0.1:${port}`,
    mailFrom: "shop@shop.example",
    publicBaseUrl: undefined,
  };
  await expect(sendMail(settings, { to: ["a@shop.example"], subject: "s", text: "t" })).rejects.toThrow(
    ADVICE,
  );
});
