import { expect, it } from "vitest";
import { cleanSnippet } from "./post-json.ts";

const clean = (text: string) => cleanSnippet(Buffer.from(text));

it("plain text stays unchanged", () => {
  expect(clean('{"ok":true,\n\t"note":"Café ☕ 支付"}')).toBe('{"ok":true,\n\t"note":"Café ☕ 支付"}');
  expect(clean("")).toBe("");
});

it("control characters are left out, NUL and escape sequences included", () => {
  expect(clean("a\0b\u001b[31mc\r\u007f\u0085d")).toBe("ab[31mcd");
});

it("marks that reorder the displayed text are removed", () => {
  expect(clean("a\u202eb\u2066c\ufeffd\u200fe")).toBe("abcde");
});

it("invalid UTF-8 becomes the replacement character", () => {
  expect(cleanSnippet(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]))).toBe("a\ufffd\ufffd(b");
});

it("at most 2048 bytes are kept, and no character is cut in two", () => {
  expect(clean("x".repeat(5_000))).toBe("x".repeat(2_048));
  expect(clean("€".repeat(5_000))).toBe("€".repeat(682));
  const replaced = cleanSnippet(Buffer.alloc(5_000, 0xff));
  expect(replaced).toBe("\ufffd".repeat(682));
  expect(Buffer.byteLength(replaced)).toBeLessThanOrEqual(2_048);
});
