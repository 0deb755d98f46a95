const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units: "340 ms", "4.2 s", "2 m 5 s", "1 d 3 h". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.max(0, Math.round(durationMs))} ms`;
  if (durationMs < 60_000) return `${(Math.floor(durationMs / 100) / 10).toFixed(1)} s`;
  const index = units.findIndex(([, ms]) => durationMs >= ms);
  const [name, ms] = units[index] ?? units[3];
  const next = units[index + 1];
  const whole = `${Math.floor(durationMs / ms)} ${name}`;
  const rest = next ? Math.floor((durationMs % ms) / next[1]) : 0;
  return next && rest > 0 ? `${whole} ${rest} ${next[0]}` : whole;
}

const isoPattern = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds of an ISO duration of days and below, or undefined when the text is none. */
export function parseIsoDuration(text: string): number | undefined {
  const match = isoPattern.exec(text);
  if (!match || text.endsWith('P') || text.endsWith('T')) return undefined;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = match;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
}
