import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findMergeMarks } from "../../../lint/merge-marks.ts";

const [ours, base, split, theirs] = ["<", "|", "=", ">"].map((sign) => sign.repeat(7));

it("merge conflict markers and leftover files of a merge are found, and an underlined heading is no marker", () => {
  const root = mkdtempSync(join(tmpdir(), "merge-marks-"));
  try {
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    const files = {
      "a.ts": `${ours} HEAD\nconst a = 1;\n${base} base\n${split}\nconst a = 2;\n${theirs} other\n`,
      "b.md": `Title\n${split}\n\nText\n${split}\n\na\nb\n${split}\nc\n`,
      "c.md.orig": "Title\n",
      "c.ts": `const a = 1;\n${split}\nconst b = "${split}";\n${split}=\n`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    const places = findMergeMarks(root).map((line) => line.split(":").slice(0, 2).join(":"));
    expect(places).toEqual(["a.ts:1", "a.ts:3", "a.ts:4", "a.ts:6", "b.md:9", "c.ts:2", "c.md.orig"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
