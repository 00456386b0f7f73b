/** Whether `npm run generate` has written this source file, as its first line says. */
export function isGenerated(source: string): boolean {
  return /^\/\/ Written from .* by `npm run generate`\.\n/.test(source);
}
