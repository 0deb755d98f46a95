import * as api from './api/index.ts';
import type { Endpoint } from './endpoint.ts';

export interface NamedEndpoint {
  /** The resource whose file holds it. */
  readonly group: string;
  readonly name: string;
  readonly endpoint: Endpoint;
}

/** Every endpoint. The forms of a bulk call have the form in their name: `restartByIds`. */
export const listEndpoints = (): NamedEndpoint[] =>
  Object.entries(api).flatMap(([group, exported]) =>
    Object.entries(exported).flatMap(([name, value]) =>
      callsOf(name, value).map(([full, endpoint]) => ({ group, name: full, endpoint })),
    ),
  );

function callsOf(name: string, value: unknown): [string, Endpoint][] {
  if (isEndpoint(value)) return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([form, inner]): [string, Endpoint][] =>
    isEndpoint(inner) ? [[`${name}${form.charAt(0).toUpperCase()}${form.slice(1)}`, inner]] : [],
  );
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'replyKind' in value && 'path' in value;
