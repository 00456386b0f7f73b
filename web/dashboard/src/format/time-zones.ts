/** The time zones that the browser knows, and the chosen one, as the options of a field. */
export function timeZoneOptions(chosen: string): Readonly<Record<string, string>> {
  const names = new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")]);
  return Object.fromEntries([...names].sort().map((name) => [name, name.replaceAll("_", " ")]));
}
