import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { runOnCommand } from "./serve-commands.ts";

/** A bare WebSocket server, which sends one message to each client. */
const GREETING = JSON.stringify({ type: "checkout", data: { state: "awaiting", filler: "x".repeat(700) } });
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false, backlog: 4_096 });
server.on("connection", (socket) => socket.send(GREETING));
server.on("listening", () => {
  const { port } = server.address() as AddressInfo;
  runOnCommand(async () => ({ done: 0, elapsedMs: 0 }), port);
});
