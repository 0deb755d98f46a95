import { UsageError } from '../command.ts';

/** `['a=1', 'b=x=y']` → `[['a', '1'], ['b', 'x=y']]`. */
export function readPairs(option: string, texts: readonly string[] = []): [string, string][] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at <= 0) throw new UsageError(`--${option} ${text} is not understood; expected NAME=VALUE.`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}
