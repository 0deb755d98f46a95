import type { Surroundings, Values } from '../command.ts';
import { UsageError } from '../command.ts';
import { Client } from './client.ts';

/** The options of every command that calls a server. */
export const clientOptions = {
  server: {
    type: 'string',
    short: 's',
    value: 'URL',
    help: 'the server to talk to (MILLRACE_SERVER, default http://localhost:8080)',
  },
  user: { type: 'string', short: 'u', value: 'NAME:PASSWORD', help: 'sign in (MILLRACE_USER)' },
  'api-token': {
    type: 'string',
    value: 'TOKEN',
    help: 'sign in with an API token (MILLRACE_API_TOKEN)',
  },
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    choices: ['table', 'json'],
    help: 'how to print (MILLRACE_OUTPUT)',
  },
} as const;

type Given = Values<typeof clientOptions>;

export function connect(given: Given, { env }: Surroundings): Client {
  const url = given.server ?? env.MILLRACE_SERVER ?? 'http://localhost:8080';
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`"${url}" is not the address of a server; expected http://host:port.`);
  }
  const user = given.user ?? env.MILLRACE_USER;
  const token = given['api-token'] ?? env.MILLRACE_API_TOKEN;
  if (user !== undefined && !user.includes(':')) {
    throw new UsageError('--user needs a name and a password with a colon in between.');
  }
  return new Client(url.replace(/\/+$/, ''), authorizationOf(user, token));
}

export const isJson = (given: Given, { env }: Surroundings): boolean =>
  (given.output ?? env.MILLRACE_OUTPUT) === 'json';

function authorizationOf(user: string | undefined, token: string | undefined): string | undefined {
  if (user !== undefined) return `Basic ${Buffer.from(user).toString('base64')}`;
  return token === undefined ? undefined : `Bearer ${token}`;
}
