const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** A duration in at most two units. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${Math.floor((whole % HOUR) / MINUTE)} min`;
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}

/** A number with separators for thousands. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}
