import { afterEach, expect, it, vi } from "vitest";
import { reportProgress } from "./init-progress.ts";

afterEach(() => void vi.restoreAllMocks());

it.each<{ readonly json?: true }>([{ json: true }, {}])(
  "a signal waits until a new key is printed: %j",
  async (options) => {
    const seen: string[] = [];
    // The process's own signal would end the tests.
    vi.spyOn(process, "kill").mockImplementation((_, signal) => {
      seen.push(String(signal));
      return true;
    });
    const terminal = {
      variables: {},
      readInput: async () => "",
      readLines: async function* () {},
      write: (text: string) => seen.push(text.includes("the key") ? "the key" : text),
      writeError: () => undefined,
    };
    await reportProgress(terminal, options, async ({ add, finishing }) => {
      const makeKey = async () => {
        process.emit("SIGINT", "SIGINT");
        await Promise.resolve();
        add({ apiKey: "the key" }, "the key");
      };
      // The step begins before it is passed to `finishing`.
      await finishing(Promise.resolve().then(makeKey));
      await vi.waitFor(() => expect(seen).toContain("SIGINT"));
    });
    expect(seen).toEqual(["the key", "SIGINT"]);
  },
);
