import { type AddressInfo, connect, createServer, type Socket } from "node:net";

const ASK_EVERY_MS = 1_000;

/** A TCP load balancer like an operator's, which requests `/readyz` of every server each second. */
export type Balancer = {
  readonly url: string;
  /** whether this server's last answer was 200 */
  sendsTo(server: string): boolean;
  stop(): void;
};

/** Passes connections to ready servers in turn. Without one the connection ends. */
export async function startBalancer(
  servers: readonly string[] | (() => readonly string[]),
): Promise<Balancer> {
  const ready = new Set<string>();
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  let turn = 0;

  async function ask(server: string): Promise<void> {
    const signal = AbortSignal.timeout(ASK_EVERY_MS);
    const isReady = await fetch(`${server}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(server);
    else ready.delete(server);
  }

  const listener = createServer((client) => {
    keep(client);
    turn += 1;
    const chosen = [...ready][turn % ready.size];
    if (chosen === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(chosen);
    const server = connect(Number(port), hostname);
    keep(server);
    client.pipe(server).pipe(client);
    server.on("close", () => client.destroySoon());
    client.on("close", () => server.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const listed = () => (typeof servers === "function" ? servers() : servers);
  const askAll = () => {
    for (const server of ready) if (!listed().includes(server)) ready.delete(server);
    return Promise.all(listed().map(ask));
  };
  await askAll();
  const asking = setInterval(askAll, ASK_EVERY_MS);
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    sendsTo: (server) => ready.has(server),
    stop: () => {
      clearInterval(asking);
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
