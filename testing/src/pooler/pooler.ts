import { randomInt } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Backend, connectToServer, RefusedError, type Statement, type Target } from "./backend.ts";
import {
  CANCEL_REQUEST,
  errorMessage,
  GSS_REQUEST,
  int32,
  MessageReader,
  PROTOCOL_3,
  SSL_REQUEST,
  texts,
  wireMessage,
} from "./messages.ts";

const MAX_BACKENDS = 20;

/** PgBouncer refuses every other start-up parameter. */
const KNOWN_PARAMETERS = new Set(["user", "database", "client_encoding", "application_name"]);

export type Pooler = {
  /** the server's URL, through the pooler */
  readonly url: string;
  close(): Promise<void>;
};

/**
 * A strict pooler in transaction mode: each transaction gets another backend than the client's last, so no session
 * state survives.
 * It tracks named statements through Parse, Bind, Describe and Close, forwards cancel requests, and refuses unknown
 * start-up parameters with 08P01, like PgBouncer 1.21. In session mode a client keeps its backend.
 */
export async function startPooler(
  serverUrl: string,
  options: { backends?: number; mode?: "transaction" | "session" } = {},
): Promise<Pooler> {
  const url = new URL(serverUrl);
  const target = {
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  };
  const state: State = {
    target,
    max: options.backends ?? MAX_BACKENDS,
    isKept: options.mode === "session",
    pools: new Map(),
    clients: new Map(),
    sockets: new Set(),
  };
  const server = createServer({ noDelay: true }, (socket) => {
    state.sockets.add(socket);
    socket.on("error", () => {}).on("close", () => state.sockets.delete(socket));
    greet(state, socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      for (const socket of state.sockets) socket.destroy();
      for (const pool of state.pools.values()) pool.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type State = {
  readonly target: Target;
  readonly max: number;
  /** session mode */
  readonly isKept: boolean;
  /** by application name */
  readonly pools: Map<string, BackendPool>;
  /** each client's current backend, by the client's cancel key */
  readonly clients: Map<string, () => Backend | undefined>;
  readonly sockets: Set<Socket>;
};

/** Reads the untyped messages at the start of a connection. */
function greet(state: State, socket: Socket): void {
  let data = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    data = Buffer.concat([data, chunk]);
    while (data.length >= 8 && data.length >= data.readInt32BE(0)) {
      const length = data.readInt32BE(0);
      const packet = Buffer.from(data.subarray(0, length));
      data = data.subarray(length);
      const kind = packet.readInt32BE(4);
      if (kind === SSL_REQUEST || kind === GSS_REQUEST) {
        socket.write("N");
        continue;
      }
      socket.off("data", onData);
      if (kind === CANCEL_REQUEST) cancel(state, socket, packet);
      else if (kind === PROTOCOL_3) void admit(state, socket, packet).catch(() => socket.destroy());
      else socket.end(errorMessage("08P01", "unsupported protocol"));
      return;
    }
  };
  socket.on("data", onData);
}

/** Forwards a cancel request with the key of the client's current backend. */
function cancel(state: State, socket: Socket, packet: Buffer): void {
  const backend = state.clients.get(packet.toString("hex", 8, 16))?.();
  if (backend === undefined) return void socket.end();
  const { host, port } = state.target;
  const request = connect({ host, port }).on("error", () => {});
  request.on("close", () => socket.end());
  request.end(Buffer.concat([int32(16), int32(CANCEL_REQUEST), backend.connection.cancelKey]));
}

async function admit(state: State, socket: Socket, packet: Buffer): Promise<void> {
  const parameters = parametersOf(packet);
  const { target } = state;
  const unknown = Object.keys(parameters).find((name) => !KNOWN_PARAMETERS.has(name));
  if (unknown !== undefined)
    return void socket.end(errorMessage("08P01", `unsupported startup parameter: ${unknown}`));
  if (parameters.user !== target.user || (parameters.database ?? target.user) !== target.database)
    return void socket.end(errorMessage("28000", "no such user or database here"));
  const name = parameters.application_name ?? "";
  const pool = state.pools.get(name) ?? new BackendPool(state, name);
  state.pools.set(name, pool);
  const key = Buffer.concat([int32(randomInt(1, 2 ** 31)), int32(randomInt(1, 2 ** 31))]);
  try {
    const greeting = await pool.parameters();
    openSession(state, socket, { pool, key });
    socket.write(
      Buffer.concat([
        wireMessage("R", int32(0)),
        ...greeting,
        wireMessage("K", key),
        wireMessage("Z", Buffer.from("I")),
      ]),
    );
  } catch (error) {
    socket.end(error instanceof RefusedError ? error.refusal : errorMessage("08006", String(error)));
  }
}

function parametersOf(packet: Buffer): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (let at = 8; at < packet.length - 1; ) {
    const {
      texts: [name = "", value = ""],
      rest,
    } = texts(packet, 2, at);
    parameters[name] = value;
    at = packet.length - rest.length;
  }
  return parameters;
}

/** Lends a backend from the client's first message to the end of its transaction. */
function openSession(state: State, socket: Socket, { pool, key }: { pool: BackendPool; key: Buffer }): void {
  const reader = new MessageReader();
  const statements = new Map<string, Statement>();
  const waiting: { type: string; bytes: Buffer }[] = [];
  let backend: Backend | undefined;
  let last: Backend | undefined;
  let isBorrowing = false;
  const client = {
    send: (bytes: Buffer) => void socket.write(bytes),
    done: () => {
      if (state.isKept) return;
      const borrowed = backend;
      last = backend;
      backend = undefined;
      if (borrowed) pool.giveBack(borrowed);
    },
    cut: () => socket.end(),
  };
  const forwardWaiting = () => {
    backend?.forward(waiting.splice(0), statements);
  };
  const borrow = async () => {
    isBorrowing = true;
    try {
      const borrowed = await pool.borrow(last);
      if (socket.destroyed) return pool.giveBack(borrowed);
      backend = borrowed;
      pool.use(borrowed, client);
      forwardWaiting();
    } catch (error) {
      socket.end(error instanceof RefusedError ? error.refusal : errorMessage("08006", String(error)));
    } finally {
      isBorrowing = false;
    }
  };
  socket.on("data", (chunk: Buffer) => {
    for (const found of reader.read(chunk)) {
      if (found.type === "X") return void socket.end();
      waiting.push(found);
    }
    if (backend !== undefined) forwardWaiting();
    else if (!isBorrowing && waiting.length > 0) void borrow();
  });
  state.clients.set(key.toString("hex"), () => backend);
  socket.on("close", () => {
    state.clients.delete(key.toString("hex"));
    // The backend is closed, because its open transaction must not reach another client.
    backend?.connection.socket.destroy();
  });
}

class BackendPool {
  readonly #state: State;
  readonly #name: string;
  /** least recently used first */
  readonly #idle: Backend[] = [];
  readonly #all = new Set<Backend>();
  readonly #queue: ((backend: Backend) => void)[] = [];
  readonly #users = new Map<Backend, { cut(): void }>();
  #opening = 0;

  constructor(state: State, name: string) {
    this.#state = state;
    this.#name = name;
  }

  /** The ParameterStatus messages for new clients. */
  async parameters(): Promise<readonly Buffer[]> {
    const [known] = this.#all;
    if (known !== undefined) return known.connection.parameters;
    const opened = await this.#open();
    this.giveBack(opened);
    return opened.connection.parameters;
  }

  /** Another backend than `last`, unless no other is free and the pool is full. */
  async borrow(last: Backend | undefined): Promise<Backend> {
    const mayOpen = this.#all.size + this.#opening < this.#state.max;
    const other = this.#idle.findIndex((backend) => backend !== last);
    const [idle] = other >= 0 ? this.#idle.splice(other, 1) : mayOpen ? [] : this.#idle.splice(0, 1);
    if (idle !== undefined) return idle;
    if (mayOpen) return this.#open();
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  use(backend: Backend, client: { send(bytes: Buffer): void; done(): void; cut(): void }): void {
    this.#users.set(backend, client);
    backend.checkOut(client);
  }

  giveBack(backend: Backend): void {
    this.#users.delete(backend);
    backend.checkOut(undefined);
    if (!this.#all.has(backend)) return;
    const next = this.#queue.shift();
    if (next) next(backend);
    else this.#idle.push(backend);
  }

  close(): void {
    for (const { connection } of this.#all) connection.socket.destroy();
  }

  async #open(): Promise<Backend> {
    this.#opening += 1;
    try {
      const connection = await connectToServer(this.#state.target, this.#name);
      const backend: Backend = new Backend(connection, () => this.#forget(backend));
      this.#all.add(backend);
      return backend;
    } finally {
      this.#opening -= 1;
    }
  }

  /**
   * Removes a backend that the server closed. Its client is disconnected after the last message, and waiting
   * clients get a new backend.
   */
  #forget(backend: Backend): void {
    this.#all.delete(backend);
    const index = this.#idle.indexOf(backend);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#users.get(backend)?.cut();
    this.#users.delete(backend);
    const next = this.#queue.shift();
    if (next) void this.#open().then(next, () => {});
  }
}
