import { startPostgres } from "../src/embedded.ts";

/**
 * A process that starts PostgreSQL, says so in one line of JSON, and then waits to be killed or for a line of input:
 * "stop" stops the server, "exit" ends without doing so.
 */
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
