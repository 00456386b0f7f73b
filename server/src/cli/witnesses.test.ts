import { expect, it } from "vitest";
import { runDaric } from "./daric.ts";

it.each([[[]], [["pin"]], [["pin", "--json"]], [["list"]], [["list", "--json"]]])(
  "`daric witnesses` with %j names its replacement in one line, and exits with 1",
  async (rest) => {
    let output = "";
    let errors = "";
    const code = await runDaric(["witnesses", ...rest], {
      variables: {},
      readInput: async () => "",
      readLines: async function* () {},
      write: (text) => {
        output += text;
      },
      writeError: (text) => {
        errors += text;
      },
    });
    expect([code, output, errors]).toEqual([
      1,
      "",
      expect.stringMatching(/^daric: .*no key is pinned any more.*block headers\n$/),
    ]);
  },
);
