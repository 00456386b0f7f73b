import { startPostgres } from "../src/embedded.ts";

/** Starts PostgreSQL, prints one line of JSON and waits for "stop" (stops the server) or "exit" (leaves it). */
const [home = "", mode = "demo"] = process.argv.slice(2);
try {
  const server = await startPostgres({ home, mode: mode === "test" ? "test" : "demo" });
  const { url, pid, adopted } = server;
  process.stdout.write(`${JSON.stringify({ url, pid, adopted })}\n`);
  process.stdin.setEncoding("utf8").on("data", async (line: string) => {
    if (line.trim() === "stop") await server.stop();
    process.exit(0);
  });
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
}
