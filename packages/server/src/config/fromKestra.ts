import { parseDuration } from '@millrace/engine';
import { isMap } from './isMap.ts';

interface KestraSettings {
  readonly settings: Record<string, unknown>;
  readonly warnings: readonly string[];
}

type Settings = Readonly<Record<string, unknown>>;

/** Root keys of such a file. None of them is a setting of this server. */
const rootKeys = ['kestra', 'datasources', 'micronaut'];

export const isKestraConfiguration = (value: Settings): boolean => rootKeys.some((key) => isMap(value[key]));

/**
 * Reads a configuration of Kestra (`application.yaml`, `KESTRA_CONFIGURATION`) as settings of this server.
 * Settings without a counterpart are named in one warning, because ignoring them may change what flows do.
 * A storage of an unknown type prevents the start, because files would be written elsewhere.
 */
export function fromKestra(
  written: Settings,
  env: Readonly<Record<string, string | undefined>>,
  fail: (message: string) => never,
): KestraSettings {
  const reader = new Reader(withoutPlaceholders(written, env, fail));
  const warnings: string[] = [];
  const settings =
    withoutGaps({
      server: {
        port: reader.take('micronaut.server.port'),
        basePath: reader.take('micronaut.server.contextPath'),
        managementPort: reader.take('endpoints.all.port'),
        graceMs: milliseconds(reader.take('kestra.server.terminationGracePeriod')),
      },
      management: withoutGaps({
        username: reader.take('endpoints.all.basicAuth.username'),
        password: reader.take('endpoints.all.basicAuth.password'),
      }),
      auth: readAuth(reader),
      url: reader.take('kestra.url'),
      database: readDatabase(reader, warnings, fail),
      storage: readStorage(reader, fail),
      variables: { globals: reader.take('kestra.variables.globals') },
      encryption: { secretKey: reader.take('kestra.encryption.secretKey') },
      environment: {
        name: reader.take('kestra.environment.name'),
        color: reader.take('kestra.environment.color'),
      },
      plugins: { configurations: readConfigurations(reader) },
      flows: readFlows(reader),
      preview: {
        initialRows: reader.take('kestra.server.preview.initialRows'),
        maxRows: reader.take('kestra.server.preview.maxRows'),
      },
      templates: { enabled: reader.take('kestra.templates.enabled') },
      tutorial: { enabled: reader.take('kestra.tutorialFlows.enabled') },
      systemNamespace: reader.take('kestra.systemFlows.namespace'),
    }) ?? {};
  const prefix = reader.take('kestra.variables.envVarsPrefix') ?? 'ENV_';
  if (prefix !== 'ENV_')
    warnings.push(
      `kestra.variables.env-vars-prefix "${prefix}" is not used: "envs" has the variables that begin with ENV_.`,
    );
  const left = reader.left(withoutEffect);
  if (left.length > 0) warnings.push(`These settings of Kestra have no effect here: ${left.join(', ')}.`);
  return { settings, warnings };
}

/** Settings that this server does not need, or handles differently. */
const withoutEffect = [
  'kestra.repository',
  'kestra.queue',
  'kestra.serverType',
  'kestra.anonymousUsageReport',
  'kestra.uiAnonymousUsageReport',
  'kestra.tutorialFlows',
  'kestra.tasks.tmpDir',
  'kestra.jdbc',
  'kestra.server.basicAuth.enabled',
];

function readAuth(reader: Reader): Settings | undefined {
  const auth = {
    username: reader.take('kestra.server.basicAuth.username'),
    password: reader.take('kestra.server.basicAuth.password'),
    realm: reader.take('kestra.server.basicAuth.realm'),
  };
  const isOff = String(reader.take('kestra.server.basicAuth.enabled')) === 'false';
  return isOff || auth.username === undefined ? undefined : auth;
}

function readDatabase(reader: Reader, warnings: string[], fail: (message: string) => never): Settings {
  const url = reader.take('datasources.postgres.url');
  for (const name of ['driverClassName', 'maximumPoolSize', 'minimumIdle'])
    reader.take(`datasources.postgres.${name}`);
  for (const name of ['h2', 'mysql', 'sqlserver']) {
    if (reader.take(`datasources.${name}`) === undefined || name === 'h2') continue;
    warnings.push(`datasources.${name} is not used: data is kept in SQLite below "data", or in PostgreSQL.`);
  }
  if (url === undefined) return {};
  const [, address] = /^jdbc:(postgresql:\/\/.+)$/.exec(String(url)) ?? [];
  if (address === undefined || !URL.canParse(address))
    return fail('datasources.postgres.url must be such as jdbc:postgresql://host:5432/name.');
  const target = new URL(address);
  target.username = encodeURIComponent(String(reader.take('datasources.postgres.username') ?? ''));
  target.password = encodeURIComponent(String(reader.take('datasources.postgres.password') ?? ''));
  const sslMode = target.searchParams.get('sslmode');
  target.search = sslMode === null ? '' : `?sslmode=${encodeURIComponent(sslMode)}`;
  return { url: target.href };
}

function readStorage(reader: Reader, fail: (message: string) => never): Settings {
  const type = reader.take('kestra.storage.type');
  const at = (name: string) => reader.take(`kestra.storage.${String(type)}.${name}`);
  if (type === undefined) return {};
  if (type === 'local') return { type, path: at('basePath') };
  if (type !== 's3' && type !== 'minio')
    return fail(
      `kestra.storage.type "${type}" has no counterpart; expected local, s3 or minio. See "storage" in the documentation of the configuration.`,
    );
  const host = at('endpoint');
  const scheme = String(at('secure')) === 'true' ? 'https' : 'http';
  const port = at('port');
  const endpoint =
    host === undefined || /^https?:/.test(String(host))
      ? host
      : `${scheme}://${host}${port === undefined ? '' : `:${port}`}`;
  return {
    type: 's3',
    endpoint,
    region: at('region'),
    bucket: at('bucket'),
    prefix: at('path'),
    accessKeyId: at('accessKey') ?? at('accessKeyId'),
    secretAccessKey: at('secretKey') ?? at('secretKeyId'),
  };
}

/** `[{ type, values: { volume-enabled: true } }]`: the names of values are those of the type's settings. */
function readConfigurations(reader: Reader): unknown[] | undefined {
  const list = reader.take('kestra.plugins.configurations');
  if (!Array.isArray(list)) return undefined;
  return list.map((one) =>
    isMap(one) && isMap(one.values)
      ? { ...one, values: Object.fromEntries(Object.entries(one.values).map(([k, v]) => [camel(k), v])) }
      : one,
  );
}

function readFlows(reader: Reader): Settings | undefined {
  const paths = reader.take('micronaut.io.watch.paths');
  const isOn = String(reader.take('micronaut.io.watch.enabled')) === 'true';
  const [path] = Array.isArray(paths) ? paths : [paths];
  return isOn && path !== undefined ? { path, watch: true } : undefined;
}

function milliseconds(duration: unknown): number | undefined {
  if (duration === undefined) return undefined;
  const [, amount, unit] = /^(\d+)(ms|s|m|h)$/.exec(String(duration)) ?? [];
  if (amount === undefined) return parseDuration(String(duration));
  return Number(amount) * { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit as 'ms' | 's' | 'm' | 'h'];
}

/** Takes settings out of nested maps whose keys may be written as `base-path` or as `basePath`. */
class Reader {
  readonly #root: Settings;
  readonly #taken = new Set<string>();

  constructor(root: Settings) {
    this.#root = root;
  }

  take(path: string): unknown {
    this.#taken.add(path);
    let value: unknown = this.#root;
    for (const name of path.split('.')) {
      if (!isMap(value)) return undefined;
      value = Object.entries(value).find(([key]) => camel(key) === name)?.[1];
    }
    return value === null || value === '' ? undefined : value;
  }

  /** The settings that were not taken, as they are written. */
  left(ignored: readonly string[]): string[] {
    const found: string[] = [];
    const visit = (value: unknown, names: readonly string[], written: readonly string[]) => {
      const path = names.join('.');
      if (this.#taken.has(path) || ignored.includes(path)) return;
      if (!isMap(value) || Object.keys(value).length === 0) found.push(written.join('.'));
      else
        for (const [key, inner] of Object.entries(value))
          visit(inner, [...names, camel(key)], [...written, key]);
    };
    for (const [key, value] of Object.entries(this.#root)) visit(value, [camel(key)], [key]);
    return found;
  }
}

const camel = (name: string) => name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `${NAME}` and `${NAME:default}` are replaced by variables of the environment. */
function withoutPlaceholders(
  value: Settings,
  env: Readonly<Record<string, string | undefined>>,
  fail: (message: string) => never,
): Settings {
  const replace = (inner: unknown): unknown => {
    if (typeof inner === 'string')
      return inner.replace(/\$\{([\w.-]+?)(?::-?([^}]*))?\}/g, (_, name: string, fallback?: string) => {
        const found = env[name] ?? fallback;
        return found ?? fail(`The environment variable ${name}, which the configuration uses, is not set.`);
      });
    if (Array.isArray(inner)) return inner.map(replace);
    if (!isMap(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, replace(one)]));
  };
  return replace(value) as Settings;
}

/** Without undefined values and the maps that have no others. */
function withoutGaps(value: Settings): Record<string, unknown> | undefined {
  const kept = Object.entries(value).flatMap(([key, inner]) => {
    const one = isMap(inner) && key !== 'globals' ? withoutGaps(inner) : inner;
    return one === undefined ? [] : [[key, one] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
