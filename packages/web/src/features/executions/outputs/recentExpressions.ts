import { z } from 'zod';
import { readStored, useStored, writeStored } from '../../../storage/storage.ts';

const most = 20;
const Recent = z.array(z.string()).catch([]);

const parse = (stored: string | undefined): string[] => {
  try {
    return Recent.parse(JSON.parse(stored ?? '[]'));
  } catch {
    return [];
  }
};

/** The last expressions that were evaluated in this browser, newest first. */
export const useRecentExpressions = (): string[] => parse(useStored('expressionsRecent'));

export function rememberExpression(expression: string): void {
  const others = parse(readStored('expressionsRecent')).filter((one) => one !== expression);
  writeStored('expressionsRecent', JSON.stringify([expression, ...others].slice(0, most)));
}
