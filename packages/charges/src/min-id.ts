const TIME_DIGITS = 12;

/** The least id of a charge that is made at this time: ids begin with their time (UUID version 7). */
export function minIdAt(time: Date): string {
  const digits = Math.max(0, time.getTime()).toString(16).padStart(TIME_DIGITS, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}
