import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "@daric/testing/until";
import { startProgram } from "./programs.ts";

export type Front = {
  readonly port: number;
  readonly mode: "tcp" | "http";
  /** the path that a server answers with 200 while it accepts connections */
  readonly check: string;
  /** in HAProxy's syntax: address, port and options */
  readonly servers: readonly string[];
};

/** HAProxy, which checks each server every second. */
export async function startProxy(
  folder: string,
  { port, mode, check, servers }: Front,
): Promise<ChildProcess> {
  const lines = [
    "defaults",
    `  mode ${mode}`,
    "  timeout connect 2s",
    "  timeout client 1h",
    "  timeout server 1h",
    "listen front",
    `  bind 127.0.0.1:${port}`,
    `  option httpchk ${check}`,
    "  default-server check inter 1s fall 1 rise 1",
    ...servers.map((server, number) => `  server s${number} ${server}`),
  ];
  const file = join(folder, `haproxy-${port}.cfg`);
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o644 });
  const process = startProgram("haproxy", ["-db", "-f", file], folder);
  await until("HAProxy listens", () => isListening(port));
  return process;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
