import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A proxy of a local TCP server. While shut, it cuts connections and refuses new ones. While held, it keeps
 * connections open and passes nothing.
 */
export type TcpGate = {
  /** the same URL, through the proxy */
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  hold(): void;
  release(): void;
};

export async function openTcpGate(target: string): Promise<TcpGate> {
  const url = new URL(target);
  const sockets = new Set<Socket>();
  let isHeld = false;
  const server = createServer((caller) => {
    const answerer = connect(Number(url.port), url.hostname);
    for (const [socket, other] of [
      [caller, answerer],
      [answerer, caller],
    ] as const) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
      socket.pipe(other);
      if (isHeld) socket.pause();
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const through = new URL(url);
  through.port = String(port);
  through.hostname = "127.0.0.1";
  return {
    url: through.href,
    shut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    open: () => listen(port),
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    release: () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
