import type { Host } from '@millrace/expression';
import type { Assumption, DryLog, DryRunOptions } from './types.ts';

/** Files that the dry run itself wrote have addresses below this one. */
export const dryFiles = 'millrace:///dry-run/';

/**
 * The outside as a dry run sees it: fixtures, the values that the run itself stored, and placeholders for the rest.
 * Nothing here reads a network, a store or a clock.
 */
export class Outside {
  now: number;
  readonly assumptions = new Map<string, Assumption>();
  readonly kv: Map<string, unknown>;
  readonly files: Map<string, string>;
  readonly #secrets: Readonly<Record<string, string>>;
  readonly #logs: readonly DryLog[];
  #ids = 0;
  /** How often a placeholder was used; a property that raised it is marked as assumed. */
  assumed = 0;

  constructor(options: DryRunOptions, logs: readonly DryLog[]) {
    this.now = options.now;
    this.kv = new Map(Object.entries(options.kv ?? {}));
    this.files = new Map(Object.entries(options.files ?? {}));
    this.#secrets = options.secrets ?? {};
    this.#logs = logs;
  }

  newId(): string {
    this.#ids++;
    return `dryrun${String(this.#ids).padStart(4, '0')}`;
  }

  assume<T>(kind: Assumption['kind'], name: string, value: T): T {
    this.assumed++;
    if (this.assumptions.size < 200) this.assumptions.set(`${kind} ${name}`, { kind, name });
    return value;
  }

  /** Stores a text and returns its address. */
  write(name: string, content: string): string {
    const uri = `${dryFiles}${this.files.size}/${name}`;
    this.files.set(uri, content);
    return uri;
  }

  readonly host: Host = {
    now: () => this.now,
    random: () => 0.5,
    id: () => this.newId(),
    secret: (key) =>
      Object.hasOwn(this.#secrets, key) ? this.#secrets[key] : this.assume('secret', key, `secret(${key})`),
    kv: (key) => (this.kv.has(key) ? this.kv.get(key) : this.assume('kv', key, `kv(${key})`)),
    read: (path) => this.files.get(path) ?? this.assume('file', path, `read(${path})`),
    fileSize: (path) => this.files.get(path)?.length ?? this.assume('file', path, 1),
    fileExists: (path) => this.files.has(path) || this.assume('file', path, true),
    isFileEmpty: (path) => {
      const content = this.files.get(path);
      return content === undefined ? this.assume('file', path, false) : content === '';
    },
    fileURI: (path) => `${dryFiles}${path}`,
    errorLogs: () =>
      this.#logs
        .filter(({ level }) => level === 'ERROR')
        .map(({ taskId, taskRunId, level, message, at }) => ({
          ...(taskId === undefined ? {} : { taskId }),
          ...(taskRunId === undefined ? {} : { taskRunId }),
          level,
          message,
          timestamp: new Date(at).toISOString(),
        })),
    http: ({ uri }) => this.assume('http', uri, `http(${uri})`),
    subflow: ({ namespace, id }) => this.assume('subflow', `${namespace}.${id}`, {}),
    randomPort: () => 49_152,
    isPublicHoliday: (date) => this.assume('holiday', date, false),
    holds: ({ type }) => this.assume('condition', type, true),
  };
}
