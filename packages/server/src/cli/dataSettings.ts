import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { Options, Values } from './command.ts';

/** How commands that work on the data of a server answer. */
export const outputOption = {
  output: { type: 'string', short: 'o', value: 'FORMAT', choices: ['table', 'json'], help: 'how to print' },
} as const satisfies Options;

/** What commands that work on the data of a server are told about it, as the server is. */
export const dataOptions = {
  config: { type: 'string', short: 'c', value: 'FILE', help: 'settings as a YAML file' },
  data: { type: 'string', value: 'DIR', help: 'where everything is kept (default ./data)' },
} as const satisfies Options;

export function readDataSettings(
  values: Values<typeof dataOptions>,
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const file = values.config ?? env.MILLRACE_CONFIG;
  return loadConfig({
    ...(file === undefined ? {} : { file }),
    env,
    flags: values.data === undefined ? {} : { data: values.data },
  }).config;
}
