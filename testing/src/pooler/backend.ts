import { connect, type Socket } from "node:net";
import {
  HEADER,
  int32,
  type Message,
  MessageReader,
  startupMessage,
  texts,
  wireMessage,
} from "./messages.ts";
import { scramExchange } from "./scram.ts";

export type Target = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
};

/** An authenticated connection to the server. */
export type ServerConnection = {
  readonly socket: Socket;
  readonly reader: MessageReader;
  /** the server's ParameterStatus messages, unchanged */
  readonly parameters: readonly Buffer[];
  /** process id and secret for cancel requests */
  readonly cancelKey: Buffer;
};

/** The server's own refusal of the connection. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly refusal: Buffer;

  constructor(refusal: Buffer) {
    super(refusal.toString("utf8", 5).replaceAll("\0", " "));
    this.refusal = refusal;
  }
}

/** @throws RefusedError with the server's own refusal; Error when there is no server. */
export async function connectToServer(target: Target, applicationName: string): Promise<ServerConnection> {
  const socket = connect({ host: target.host, port: target.port, noDelay: true });
  const reader = new MessageReader();
  socket.write(
    startupMessage({
      user: target.user,
      database: target.database,
      client_encoding: "UTF8",
      application_name: applicationName,
    }),
  );
  const parameters: Buffer[] = [];
  let cancelKey: Buffer = Buffer.alloc(0);
  const scram = scramExchange(target.password);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on("error", reject).on("close", () => reject(new Error("the server closed the connection")));
      socket.on("data", (chunk: Buffer) => {
        for (const { type, bytes } of reader.read(chunk)) {
          if (type === "R") authenticate(socket, { bytes, scram, password: target.password });
          if (type === "S") parameters.push(Buffer.from(bytes));
          if (type === "K") cancelKey = Buffer.from(bytes.subarray(5));
          if (type === "E") reject(new RefusedError(Buffer.from(bytes)));
          if (type === "Z") resolve();
        }
      });
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.removeAllListeners("data").removeAllListeners("error").removeAllListeners("close");
  return { socket, reader, parameters, cancelKey };
}

function authenticate(
  socket: Socket,
  { bytes, scram, password }: { bytes: Buffer; scram: ReturnType<typeof scramExchange>; password: string },
): void {
  const kind = bytes.readInt32BE(5);
  if (kind === 3) socket.write(wireMessage("p", password));
  if (kind === 10) {
    const first = Buffer.from(scram.first);
    socket.write(wireMessage("p", "SCRAM-SHA-256", int32(first.length), first));
  }
  if (kind === 11) socket.write(wireMessage("p", Buffer.from(scram.answer(bytes.toString("utf8", 9)))));
}

/** An expected response of the server. */
type Expected = {
  /** the type of our message; "fake" if the pooler answers itself */
  readonly kind: string;
  /** sent to the client in place of the server's response; empty to suppress it */
  readonly instead?: Buffer;
  /** forgets a statement whose preparation failed or was skipped */
  readonly undo?: () => void;
};

/** A client's statement: its text and the types of its parameters. */
export type Statement = { readonly key: string; readonly body: Buffer };

const NOTHING = Buffer.alloc(0);
const PARSE_COMPLETE = wireMessage("1");
const CLOSE_COMPLETE = wireMessage("3");
const STATEMENT = 0x53;

/** A server connection, lent to one client per transaction. */
export class Backend {
  readonly connection: ServerConnection;
  /** receives bytes for the client, and the end of its transaction */
  #client: { send(bytes: Buffer): void; done(): void } | undefined;
  readonly #expected: Expected[] = [];
  /** the statements of this backend by text; clients with the same text share one */
  readonly #prepared = new Map<string, string>();
  #isSkipping = false;
  static #names = 0;

  constructor(connection: ServerConnection, onClosed: () => void) {
    this.connection = connection;
    connection.socket
      .on("error", () => {})
      .on("close", onClosed)
      .on("data", (chunk: Buffer) => this.#receive(chunk));
  }

  checkOut(client: { send(bytes: Buffer): void; done(): void } | undefined): void {
    this.#client = client;
  }

  /** Forwards a client's messages, with this backend's names of the statements. */
  forward(messages: readonly Message[], statements: Map<string, Statement>): void {
    this.connection.socket.cork();
    for (const { type, bytes } of messages) {
      if (type === "P") this.#parse(bytes, statements);
      else if (type === "B") this.#bind(bytes, statements);
      else if (type === "D") this.#describe(bytes, statements);
      else if (type === "C") this.#close(bytes, statements);
      else this.#send(bytes, "SQEF".includes(type) ? { kind: type } : undefined);
    }
    this.connection.socket.uncork();
  }

  #parse(bytes: Buffer, statements: Map<string, Statement>): void {
    const {
      texts: [name = ""],
      rest: body,
    } = texts(bytes, 1);
    if (name === "") {
      this.#send(bytes, { kind: "P" });
      return;
    }
    const statement = { key: body.toString("latin1"), body: Buffer.from(body) };
    const own = this.#prepared.get(statement.key);
    if (statements.has(name)) {
      // The statement is sent, because the server itself reports that the name is taken.
      this.#send(wireMessage("P", this.#prepare(statement), statement.body), { kind: "P" });
      return;
    }
    statements.set(name, statement);
    const undo = () => statements.delete(name);
    if (own === undefined) this.#prepare(statement, { instead: PARSE_COMPLETE, undo });
    else this.#expect({ kind: "fake", instead: PARSE_COMPLETE, undo });
  }

  #bind(bytes: Buffer, statements: Map<string, Statement>): void {
    const {
      texts: [portal = "", name = ""],
      rest,
    } = texts(bytes, 2);
    const statement = statements.get(name);
    const own = statement && this.#prepare(statement);
    this.#send(own === undefined ? bytes : wireMessage("B", portal, own, rest), { kind: "B" });
  }

  #describe(bytes: Buffer, statements: Map<string, Statement>): void {
    const statement = statements.get(statementName(bytes));
    const own = statement && this.#prepare(statement);
    this.#send(own === undefined ? bytes : wireMessage("D", Buffer.from("S"), own), { kind: "D" });
  }

  /** A closed statement stays prepared, since other clients may use it. */
  #close(bytes: Buffer, statements: Map<string, Statement>): void {
    if (statements.delete(statementName(bytes))) this.#expect({ kind: "fake", instead: CLOSE_COMPLETE });
    else this.#send(bytes, { kind: "C" });
  }

  #prepare(
    { key, body }: Statement,
    handling: Pick<Expected, "instead" | "undo"> = { instead: NOTHING },
  ): string {
    const known = this.#prepared.get(key);
    if (known !== undefined) return known;
    Backend.#names += 1;
    const name = `pooled_${Backend.#names}`;
    if (!this.#isSkipping) this.#prepared.set(key, name);
    const undo = () => {
      this.#prepared.delete(key);
      handling.undo?.();
    };
    this.#send(wireMessage("P", name, body), { kind: "P", ...handling, undo });
    return name;
  }

  #send(bytes: Buffer, expected: Expected | undefined): void {
    this.connection.socket.write(bytes);
    if (expected !== undefined) this.#expect(expected);
  }

  #expect(expected: Expected): void {
    if (expected.kind === "S") this.#isSkipping = false;
    if (this.#isSkipping) return;
    this.#expected.push(expected);
    const fakes = this.#takeFakes();
    if (fakes.length > 0) this.#client?.send(Buffer.concat(fakes));
  }

  #takeFakes(): Buffer[] {
    const fakes: Buffer[] = [];
    while (this.#expected[0]?.kind === "fake") fakes.push(this.#expected.shift()?.instead ?? Buffer.alloc(0));
    return fakes;
  }

  #receive(chunk: Buffer): void {
    const out: Buffer[] = [];
    let isDone = false;
    for (const { type, bytes } of this.connection.reader.read(chunk)) {
      const head = this.#expected[0];
      if (type === "E" && head !== undefined) this.#skipToSync(head);
      const ends = head !== undefined && endsAnswer(head.kind, type);
      out.push(ends && head.instead !== undefined ? head.instead : bytes);
      if (!ends) continue;
      this.#expected.shift();
      out.push(...this.#takeFakes());
      isDone = type === "Z" && bytes[5] === 0x49 && this.#expected.length === 0;
    }
    const client = this.#client;
    if (out.length > 0) client?.send(out.length === 1 && out[0] ? out[0] : Buffer.concat(out));
    if (isDone) client?.done();
  }

  /** After an error the server skips all messages until the next sync, so their statements are not prepared. */
  #skipToSync(head: Expected): void {
    if (head.kind === "Q" || head.kind === "F" || head.kind === "S") return;
    while (this.#expected[0] !== undefined && this.#expected[0].kind !== "S") {
      this.#expected.shift()?.undo?.();
    }
    this.#isSkipping = this.#expected.length === 0;
  }
}

const ENDS: Readonly<Record<string, string>> = {
  P: "1",
  B: "2",
  C: "3",
  D: "Tn",
  E: "CIs",
  S: "Z",
  Q: "Z",
  F: "Z",
};

/** The statement that a Describe or Close names; "" for a portal. */
function statementName(bytes: Buffer): string {
  return bytes[HEADER] === STATEMENT ? (texts(bytes, 1, HEADER + 1).texts[0] ?? "") : "";
}

function endsAnswer(kind: string, type: string): boolean {
  return ENDS[kind]?.includes(type) === true;
}
