let knownSecond = Number.NaN;
let knownText = '';

/** Same result as `Date.toISOString`, several times as fast for dates close together, as in an execution. */
export function isoDate(at: number): string {
  return `${upToMillis(at)}Z`;
}

/** The same with six digits, as expressions have always seen it. */
export function isoMicros(at: number): string {
  return `${upToMillis(at)}000Z`;
}

function upToMillis(at: number): string {
  const second = Math.floor(at / 1_000);
  if (second !== knownSecond) {
    knownText = new Date(second * 1_000).toISOString().slice(0, -4);
    knownSecond = second;
  }
  const ms = Math.trunc(at - second * 1_000);
  return `${knownText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}`;
}
