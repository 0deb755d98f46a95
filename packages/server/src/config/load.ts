import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { z } from 'zod';
import { roles, rolesOf } from '../cluster/role.ts';
import { readEnvironment } from './environment.ts';
import { fromKestra, isKestraConfiguration } from './fromKestra.ts';
import { isMap } from './isMap.ts';
import { Config } from './schema.ts';

export interface ConfigSources {
  /** Path of the YAML file, if one was named. A file that was named must exist. */
  readonly file?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings given on the command line, in the shape of the configuration. */
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Likely mistakes that do not prevent the start. */
  readonly warnings: readonly string[];
}

/** An invalid configuration; the message is one sentence. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Merges file, environment and command line, in rising priority, and checks the result. */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const environment = readEnvironment(sources.env);
  const warnings = environment.unknownNames.map(
    (name) => `The environment variable ${name} is not a setting of Millrace.`,
  );
  const read = (text: string | undefined, origin: string) => {
    const settings = text === undefined ? {} : parseSettings(text, origin);
    if (!isKestraConfiguration(settings)) return settings;
    const translated = fromKestra(settings, sources.env, (message) => {
      throw new ConfigError(`${origin}: ${message}`);
    });
    warnings.push(...translated.warnings.map((warning) => `${origin}: ${warning}`));
    return translated.settings;
  };
  const layers = [
    read(sources.env.KESTRA_CONFIGURATION, 'KESTRA_CONFIGURATION'),
    sources.file === undefined ? {} : read(readText(sources.file), sources.file),
    read(sources.env.MILLRACE_CONFIGURATION, 'MILLRACE_CONFIGURATION'),
    environment.settings,
    sources.flags,
  ];
  const parsed = Config.safeParse(layers.reduce<Record<string, unknown>>(merge, {}));
  if (!parsed.success) throw new ConfigError(describeIssues(parsed.error.issues));
  refuseLonelyRole(parsed.data);
  return { config: parsed.data, warnings };
}

/** An embedded database belongs to one process, which then has to do everything. */
function refuseLonelyRole({ server, worker, database }: Config): void {
  if (database.url !== undefined) return;
  if (rolesOf(server.roles).size < roles.length) {
    throw new ConfigError(
      `The role "${server.roles.join(', ')}" shares its work with other servers, and that needs PostgreSQL: ` +
        'set database.url, or start the server as "standalone".',
    );
  }
  if (worker.group !== undefined) {
    throw new ConfigError(
      `The worker group "${worker.group}" needs other servers, and those need PostgreSQL: set database.url.`,
    );
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new ConfigError(`The configuration file "${file}" cannot be read (${code}).`, { cause });
  }
}

function parseSettings(text: string, origin: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new ConfigError(`${origin} is not valid YAML: ${reason}`, { cause });
  }
  if (value === null || value === undefined) return {};
  if (!isMap(value)) throw new ConfigError(`${origin} must hold a map of settings.`);
  // Files written for the product's root key keep working.
  return isMap(value.millrace) && Object.keys(value).length === 1 ? value.millrace : value;
}

function merge(
  under: Record<string, unknown>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || key === '__proto__') continue;
    const existing = merged[key];
    merged[key] = isMap(existing) && isMap(value) ? merge(existing, value) : value;
  }
  return merged;
}

function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [`${path}: ${issue.message}`];
    return issue.keys.map((key) => `${path === '' ? key : `${path}.${key}`} is not a known setting`);
  });
  return `The configuration is not valid: ${lines.join('; ')}.`;
}
