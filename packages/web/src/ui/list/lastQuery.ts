import { z } from 'zod';
import { readSession, writeSession } from '../../storage/session.ts';

const Query = z.record(z.string(), z.unknown());
const nameOf = (pathname: string): string => `list:${pathname}`;

/** What a list showed last in this tab of the browser. */
export const lastQueryOf = (pathname: string): Record<string, unknown> | undefined =>
  readSession(nameOf(pathname), Query);

export const rememberQuery = (pathname: string, query: Record<string, unknown> | undefined): void =>
  writeSession(nameOf(pathname), query);
