import type { Daric } from "@daric/sdk";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { KeyScope } from "./key-check.ts";
import { failureOf } from "./tool-failure.ts";

/** The inputs of every tool: the client of one merchant, and what the program was started with. */
export type ToolShop = {
  readonly daric: Daric;
  readonly apiKey: string;
  readonly scopes: readonly KeyScope[];
  readonly showsPayerTexts: boolean;
};

type Definition<Input extends z.ZodObject, Output extends z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** without them the key cannot do its work, and the tool is not offered */
  readonly needs: readonly KeyScope[];
  /** it makes something: offered with `--create` alone */
  readonly creates?: true | undefined;
  readonly input: Input;
  readonly output: Output;
  readonly run: (
    shop: ToolShop,
    input: z.infer<Input>,
    options: { readonly signal: AbortSignal },
  ) => Promise<z.infer<Output>>;
};

export type Tool = Pick<Definition<z.ZodObject, z.ZodObject>, "name" | "needs" | "creates"> & {
  offer(server: McpServer, shop: ToolShop): void;
};

/** A tool that answers an object and the same as JSON text, or a failure as JSON text. The key is in neither. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool {
  const { name, title, description, needs, creates, input, output, run } = definition;
  const annotations = {
    readOnlyHint: !creates,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  return {
    ...{ name, needs, creates },
    offer: (server, shop) => {
      const config = {
        title,
        description,
        inputSchema: input as z.ZodObject,
        outputSchema: output,
        annotations,
      };
      server.registerTool(name, config, async (sent, { signal }): Promise<CallToolResult> => {
        try {
          const text = jsonOf(shop, await run(shop, sent as z.infer<Input>, { signal }));
          return { content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
        } catch (error) {
          // Clients compare structured content with the schema of an answer, also that of a failure.
          return { content: [{ type: "text", text: jsonOf(shop, failureOf(error)) }], isError: true };
        }
      });
    },
  };
}

/** A key that stands in a text of a row, or in an answer of another server, goes no further. */
function jsonOf({ apiKey }: ToolShop, value: object): string {
  return JSON.stringify(value).replaceAll(apiKey, "[API key]");
}
