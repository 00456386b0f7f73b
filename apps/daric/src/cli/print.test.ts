import { expect, it } from "vitest";
import { printable, tableOf, textOfOne } from "./print.ts";

it("control and format characters of stored texts are shown, so that none moves the cursor, hides text or turns its direction", () => {
  expect(printable("a\u001b[2Jb\u0007\u009bc\u202Ed\rforged\n")).toBe(
    "a\\u001b[2Jb\\u0007\\u009bc\\u202ed\\u000dforged\n",
  );
  expect(printable("tag \u{E0041}")).toBe("tag \\udb40\\udc41");
});

it("line ends, tabs, the mark of a CSV and the joiners of Persian and emoji stay", () => {
  const plain = "\uFEFFa;b\r\nc\td\nمی\u200Cروم 👩\u200D🚀 語";
  expect(printable(plain)).toBe(plain);
});

it("JSON with such characters stays JSON with the same values", () => {
  const value = { ref: "x\u001b]0;y\u0007\u202Ez" };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

it("a stored text begins no line of its own in a record or a table", () => {
  const view = { ref: "A-1\nstatus  paid", note: "a\u2028b" };
  expect(textOfOne("order A-1\r\nstatus  paid", view)).toBe(
    "order A-1\\u000d\\u000astatus  paid\n  ref   A-1\\u000astatus  paid\n  note  a\\u2028b\n",
  );
  expect(tableOf([view], ["ref"])).toBe("REF\nA-1\\u000astatus  paid\n");
});
