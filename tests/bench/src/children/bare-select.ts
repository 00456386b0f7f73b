import { processVariables } from "@daric/server/process/config";
import fastify from "fastify";
import pg from "pg";
import { serveCommands } from "./serve-commands.ts";

/** The minimum that returns a row over HTTP: one route, one named select by a unique text, a pool of 10. */
const pool = new pg.Pool({ connectionString: processVariables().DATABASE_URL, max: 10 });
const text = { type: "string" };
const answer = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    message: text,
    data: {
      type: "object",
      properties: { token: text, name: text, address: text, amount: text, state: text, made: text },
    },
  },
};

const app = fastify();
app.get<{ Params: { token: string } }>(
  "/v1/checkout/:token",
  { schema: { response: { 200: answer } } },
  async ({ params }) => {
    const { rows } = await pool.query({
      name: "by-token",
      text: "select token, name, address, amount, state, made from ceiling where token = $1",
      values: [params.token],
    });
    return { success: true, message: "Success", data: rows[0] };
  },
);
await serveCommands(app);
