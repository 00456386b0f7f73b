import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newerPhp } from "../../lint/newer-php.ts";

const ROOT = join(import.meta.dirname, "../..");
const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "--", "plugins", "clients/php"];
const paths = execFileSync("git", listed, { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((path) => path.endsWith(".php"));

it("every PHP source is in the syntax of PHP 7.4, which the plugin and the client promise", () => {
  expect(paths.length).toBeGreaterThan(25);
  const faults = paths.flatMap((path) =>
    newerPhp(readFileSync(join(ROOT, path), "utf8")).map((fault) => `${path}:${fault}`),
  );
  expect(faults).toEqual([]);
});

it("the syntax of PHP 7.4 passes", () => {
  const source = `<?php
    final class A { private ?int $a = null; function b(): self { return $this; } }
    $f = static fn (array $x): int => $x[0] ?? 1_000;
    function g(
        #[\\SensitiveParameter]
        ?string $key
    ) { $key ??= A::class; return [...[1], ...[2]]; }`;
  expect(newerPhp(source)).toEqual([]);
});

it.each([
  "$a = match (1) { 1 => 2 };",
  "$a?->b();",
  "f(a: 1);",
  "$f = f(...);",
  "enum A { case B; }",
  "$a = $b ?? throw new E();",
  "try { f(); } catch (E) {}",
  "function f(int $a,) {}",
  "class A { public function __construct(private int $a) {} }",
  "function f(int|string $a) {}",
  "function f(A&B $a) {}",
  "class A { public readonly int $a; }",
  "readonly class A {}",
  "class A { const int B = 1; }",
  "function f(mixed $a) {}",
  "function f(): never {}",
  "class A { function f(): static {} }",
  "function f(A $a = new A()) {}",
  "f($a::class);",
  "$a = 0o17;",
  "f(str_contains('a', 'b'));",
  "#[Attribute] class A {}",
])("a newer syntax is found: %s", (code) => {
  expect(newerPhp(`<?php\n${code}`)).toEqual([expect.stringMatching(/^2: /)]);
});
