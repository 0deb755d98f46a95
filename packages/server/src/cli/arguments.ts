import { parseArgs } from 'node:util';

export type Command =
  | { readonly command: 'help' }
  | { readonly command: 'version' }
  | { readonly command: 'server'; readonly file?: string; readonly settings: Record<string, unknown> };

/** A command line that cannot be understood; the message is a sentence for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const roles = ['standalone', 'local'];

const options = {
  config: { type: 'string', short: 'c' },
  data: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'management-port': { type: 'string' },
  'database-url': { type: 'string' },
  'worker-thread': { type: 'string' },
  insecure: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** `server local --port 9000` → what to do and which settings were given. */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parse(argv);
  if (values.help) return { command: 'help' };
  if (values.version) return { command: 'version' };
  const [verb = 'server', role = 'standalone', ...rest] = positionals;
  if (verb !== 'server') throw new UsageError(`"${verb}" is not a command; "server" is the one there is.`);
  if (!roles.includes(role)) {
    throw new UsageError(`"server ${role}" does not exist; expected one of ${roles.join(', ')}.`);
  }
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one argument too many.`);
  return {
    command: 'server',
    ...(values.config === undefined ? {} : { file: values.config }),
    settings: dropEmpty({
      data: values.data,
      server: dropEmpty({
        host: values.host,
        port: values.port,
        managementPort: values['management-port'],
        insecure: values.insecure,
      }),
      database: dropEmpty({ url: values['database-url'] }),
      worker: dropEmpty({ threads: values['worker-thread'] }),
    }),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('. ')[0] : String(cause);
    throw new UsageError(`${reason}. See millrace --help.`, { cause });
  }
}

function dropEmpty(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
