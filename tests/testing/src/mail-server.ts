import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";

/** How the server answers. It may change while the server runs. */
export type MailBehaviour =
  | "accept"
  /** no greeting */
  | "hang at connect"
  /** no answer to the end of a mail */
  | "hang at data"
  /** 450 to the first mail for an address */
  | "greylist"
  /** 421 to the next command */
  | "busy"
  /** the connection ends within a mail */
  | "close in data"
  /** 550 5.7.1 to MAIL FROM */
  | "refuse sender"
  /** 554 5.7.1 to the end of a mail */
  | "refuse content"
  /** takes a mail, and answers so much later */
  | { readonly answersAfterMs: number }
  /** 550 5.1.1 to this address, or the given words */
  | { readonly refuse: string; readonly words?: string };

export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** headers and body, as they arrived */
  readonly raw: string;
  /** the name of EHLO */
  readonly greetedAs: string;
  /** equal for mails of one connection */
  readonly connection: string;
};

export type MailServer = {
  readonly port: number;
  /** a value for SMTP_URL, with the login if there is one */
  readonly url: string;
  readonly received: ReceivedMail[];
  behaviour: MailBehaviour;
  /** how many connections were opened */
  connections: number;
  /** how many are open now */
  openConnections(): number;
  /** ends all connections, as a server does that is restarted */
  drop(): void;
  close(): Promise<void>;
};

type Options = {
  readonly behaviour?: MailBehaviour;
  /** the only login that it takes; without one it needs none */
  readonly login?: { readonly user: string; readonly password: string };
  readonly port?: number;
};

/** A real mail server on 127.0.0.1, without TLS. */
export async function openMailServer({
  behaviour = "accept",
  login,
  port = 0,
}: Options = {}): Promise<MailServer> {
  const greylisted = new Set<string>();
  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: login === undefined ? ["STARTTLS", "AUTH"] : ["STARTTLS"],
    closeTimeout: 10,
    onConnect: (_, callback) => {
      opened.connections += 1;
      if (opened.behaviour === "busy") callback(refusal(421, "4.7.0 Try again later"));
      else if (opened.behaviour !== "hang at connect") callback();
    },
    onAuth: ({ username, password }, _, callback) => {
      if (username === login?.user && password === login?.password) callback(null, { user: username });
      else callback(refusal(535, "5.7.8 Error: authentication failed"));
    },
    onMailFrom: (_, __, callback) => {
      if (opened.behaviour === "refuse sender") callback(refusal(550, "5.7.1 Refused by policy"));
      else if (opened.behaviour === "busy") callback(refusal(421, "4.3.2 Closing"));
      else callback();
    },
    onRcptTo: ({ address }, _, callback) => callback(receiverRefusal(opened.behaviour, address, greylisted)),
    onData: (stream, session, callback) => void take(stream, session, callback),
  });
  server.on("error", () => undefined);

  async function take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    callback: (error?: Error | null) => void,
  ): Promise<void> {
    if (opened.behaviour === "close in data") {
      connectionOf(session)?._socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    if (opened.behaviour === "hang at data") return;
    if (opened.behaviour === "refuse content") return callback(refusal(554, "5.7.1 Message refused"));
    const { mailFrom, rcptTo } = session.envelope;
    opened.received.push({
      from: mailFrom === false ? "" : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      raw: Buffer.concat(chunks).toString(),
      greetedAs: session.hostNameAppearsAs,
      connection: session.id,
    });
    const answersAfterMs = delayOf(opened.behaviour);
    if (answersAfterMs > 0) await sleep(answersAfterMs);
    callback();
  }

  const connectionOf = ({ id }: SMTPServerSession) => [...server.connections].find((each) => each.id === id);
  const opened: MailServer = {
    port: 0,
    url: "",
    received: [],
    behaviour,
    connections: 0,
    openConnections: () => server.connections.size,
    drop: () => {
      for (const { _socket } of server.connections) _socket.destroy();
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  const { port: bound } = server.server.address() as AddressInfo;
  const user = login === undefined ? "" : `${login.user}:${encodeURIComponent(login.password)}@`;
  return Object.assign(opened, { port: bound, url: `smtp://${user}127.0.0.1:${bound}?tls=none` });
}

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}

function delayOf(behaviour: MailBehaviour): number {
  return typeof behaviour === "object" && "answersAfterMs" in behaviour ? behaviour.answersAfterMs : 0;
}

function receiverRefusal(behaviour: MailBehaviour, address: string, greylisted: Set<string>): Error | null {
  if (behaviour === "greylist" && !greylisted.has(address)) {
    greylisted.add(address);
    return refusal(450, "4.2.0 Greylisted for 60 seconds");
  }
  if (typeof behaviour !== "object" || !("refuse" in behaviour) || behaviour.refuse !== address) return null;
  const [, code, words] = /^(\d{3}) (.*)$/.exec(behaviour.words ?? "") ?? [];
  return refusal(
    Number(code ?? 550),
    words ?? `5.1.1 <${address}>: Recipient address rejected: User unknown`,
  );
}
