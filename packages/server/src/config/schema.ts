import { isIP } from 'node:net';
import { sessions } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import { z } from 'zod';
import { roleNames } from '../cluster/role.ts';

const Port = z.coerce
  .number()
  .int()
  .min(0, 'must be a port from 0 to 65535')
  .max(65_535, 'must be a port from 0 to 65535');
const Flag = z.union([z.boolean(), z.stringbool()]);
const Text = z.string().trim().min(1, 'must not be empty');

/** `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`. */
const Network = Text.refine((text) => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const isPrefix =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  return version !== 0 && isPrefix && rest.length === 0;
}, 'must be an address or a network such as 10.0.0.0/8');

/** How long something is kept: a duration such as `P90D`, here in milliseconds, or `forever`. */
const Keep = Text.transform((text, context): number | 'forever' => {
  if (text === 'forever') return text;
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  context.addIssue({ code: 'custom', message: 'must be a duration such as P90D, or forever' });
  return z.NEVER;
});

/** Every setting there is. The environment variable of a setting is derived from its path; see `environment.ts`. */
export const Config = z.strictObject({
  server: z
    .strictObject({
      host: Text.default('127.0.0.1'),
      port: Port.default(8080),
      managementPort: Port.default(8081),
      /** Listen on a public address although authentication is off. */
      insecure: Flag.default(false),
      /** Additional host names under which browsers may reach a server that listens on loopback. */
      allowedHosts: z.array(Text).default([]),
      /**
       * Addresses and networks of proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted. From any
       * other address these headers are ignored.
       */
      trustedProxies: z.array(Network).default([]),
      /** The prefix of every path, `/orchestrator` for example. */
      basePath: z
        .string()
        .transform((path) => path.replace(/\/+$/, ''))
        .refine(
          (path) => path === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(path),
          'must be a path such as /orchestrator',
        )
        .default(''),
      /** The roles of this process; `standalone` is all of them. Several processes need PostgreSQL. */
      roles: z.array(z.enum(roleNames)).min(1).default(['standalone']),
      /** Schedules, triggers and open executions wait until an operator releases them; for copies of data. */
      quietStart: Flag.default(false),
      /** How long a stopping server waits for running tasks. */
      graceMs: z.coerce.number().int().min(0).default(5_000),
    })
    .prefault({}),
  /** Which names responses use for types and files; requests may always use both. */
  compatibility: z.enum(['millrace', 'kestra']).default('millrace'),
  /** The folder that holds the database, the files and the identity of this instance. */
  data: Text.default('./data'),
  database: z
    .strictObject({
      url: z
        .string()
        .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
        .optional(),
    })
    .prefault({}),
  /** The storage of files: a folder on this machine, or a bucket of object storage. */
  storage: z
    .strictObject({
      /** `local`, `s3`, or the type of a storage plugin. */
      type: z
        .union([z.enum(['local', 's3']), Text.regex(/^[a-z][\w-]*(\.[\w-]+)+$/)], {
          error: 'must be local, s3 or the type of a storage such as acme.Archive',
        })
        .default('local'),
      /** The settings of a storage plugin. */
      settings: z.record(z.string(), z.unknown()).default({}),
      /** The folder; `storage` in the data folder unless given. */
      path: Text.optional(),
      /** The address of a service other than AWS. */
      endpoint: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
      region: Text.default('us-east-1'),
      bucket: Text.optional(),
      /** The prefix of every object's name. */
      prefix: Text.optional(),
      accessKeyId: Text.optional(),
      secretAccessKey: Text.optional(),
      /** Namespaces whose executions' files the flows of all other namespaces may use; `*` is all of them. */
      sharedNamespaces: z.array(Text).default([]),
    })
    .refine(({ type, bucket }) => type !== 's3' || bucket !== undefined, {
      path: ['bucket'],
      message: 'is needed for object storage',
    })
    .prefault({}),
  executions: z
    .strictObject({
      /** The most iterations that the loops of one execution may have together. */
      maxIterations: z.coerce.number().int().min(1).default(100_000),
      /** Executions in memory above which the server refuses new ones. */
      maxOpen: z.coerce.number().int().min(1).default(50_000),
      /** Task runs of idle executions that stay in memory, so that a result or a resume needs no read. */
      maxIdleTaskRuns: z.coerce.number().int().min(0).default(30_000),
    })
    .prefault({}),
  worker: z
    .strictObject({
      /** Task attempts that run at the same time in this process; 8 per core unless given. */
      threads: z.coerce.number().int().min(1).max(10_000).optional(),
      /** This worker runs only tasks of this worker group. */
      group: Text.max(100).optional(),
      /** The number of log lines of one attempt that are stored; later lines go to a file. */
      maxLogLines: z.coerce.number().int().min(100).default(50_000),
      maxLogCharacters: z.coerce.number().int().min(10_000).default(16_777_216),
    })
    .prefault({}),
  /** Servers that share a PostgreSQL database: the heartbeat interval, and when a server counts as dead. */
  cluster: z
    .strictObject({
      heartbeatMs: z.coerce.number().int().min(100).max(60_000).default(2_000),
      deadAfterMs: z.coerce.number().int().min(500).max(600_000).default(10_000),
    })
    .refine(({ heartbeatMs, deadAfterMs }) => deadAfterMs >= 3 * heartbeatMs, {
      error: 'deadAfterMs must be at least three times heartbeatMs',
    })
    .prefault({}),
  /** Flows that are saved when the server starts, and again when their files change. */
  flows: z
    .strictObject({
      path: Text.optional(),
      watch: Flag.default(false),
      /**
       * Namespaces whose flows, and those of their children, may be read and changed only by tasks of their
       * own flows and of the namespaces listed for them.
       */
      restricted: z.record(Text, z.array(Text)).default({}),
    })
    .prefault({}),
  auth: z
    .strictObject({
      username: Text.max(256),
      password: sessions.NewPassword,
      realm: Text.default('Millrace'),
    })
    .optional(),
  /** The public address of the web app; links in responses start with it. */
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  provider: z
    .strictObject({
      /** The host that serves news and documentation; this server unless given. */
      url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    })
    .prefault({}),
  /** Covers SECRET inputs at rest: the base64 of 16, 24 or 32 bytes. Without it such inputs are refused. */
  encryption: z.strictObject({ secretKey: Text }).optional(),
  environment: z.strictObject({ name: Text.optional(), color: Text.optional() }).optional(),
  /** Where tasks may send requests: networks, addresses and host names such as `*.internal`. */
  outbound: z
    .strictObject({
      allow: z.array(Text).default([]),
      deny: z.array(Text).default([]),
      denyPrivate: Flag.default(false),
      allowMetadata: Flag.default(false),
    })
    .prefault({}),
  /** The `globals` variable of expressions. */
  variables: z.strictObject({ globals: z.record(z.string(), z.unknown()).default({}) }).prefault({}),
  plugins: z
    .strictObject({
      /** Which plugin families of the product flows may use, such as core and scripts; all of them by default. */
      families: z.array(Text).optional(),
      /** Where plugins of one's own lie: files and packages of JavaScript. */
      folder: Text.optional(),
      /** How long one of them may take to load. */
      loadTimeoutMs: z.coerce.number().int().min(100).default(10_000),
      /** Settings of single types, such as whether the Docker runner may mount volumes. */
      configurations: z
        .array(z.strictObject({ type: Text, values: z.record(z.string(), z.unknown()).default({}) }))
        .default([]),
    })
    .prefault({}),
  kv: z
    .strictObject({
      /**
       * Namespaces whose key-value entries, and those of their children, only their own flows may use, and the flows of the
       * namespaces that are listed for them. All others are open to every flow.
       */
      restricted: z.record(Text, z.array(Text)).default({}),
    })
    .prefault({}),
  /** Processes that tasks start. */
  tasks: z
    .strictObject({
      /** The user they run as, by name or number; needs a server that runs as root. */
      user: z.coerce.string().trim().min(1).optional(),
    })
    .prefault({}),
  /** Whether flows and screens may still use templates. */
  templates: z.strictObject({ enabled: Flag.default(true) }).prefault({}),
  /** Retention of ended executions with their logs, metrics and files, and of log entries of triggers. */
  retention: z
    .strictObject({
      enabled: Flag.default(true),
      /** Counted from the end of an execution. */
      keep: Keep.prefault('P90D'),
      /** For a namespace and its children, instead of the general one. */
      namespaces: z.record(Text, Keep).default({}),
      /** How long nothing is removed from data that was restored from a backup. */
      afterRestore: Keep.prefault('P7D'),
      /** How long the janitor rests between two rounds. */
      everyMs: z.coerce.number().int().min(1_000).default(600_000),
    })
    .prefault({}),
  /** How much of a file is shown: rows at first, and at most. */
  preview: z
    .strictObject({
      initialRows: z.coerce.number().int().min(1).default(100),
      maxRows: z.coerce.number().int().min(1).default(5_000),
    })
    .prefault({}),
  /** Whether the flows of the tutorial are put into a new installation. */
  tutorial: z.strictObject({ enabled: Flag.default(true) }).prefault({}),
  systemNamespace: Text.default('system'),
  /** `requests` writes a line for every request. */
  log: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
      requests: Flag.default(false),
    })
    .prefault({}),
  /**
   * Credentials of the management port, required by all of its routes. Without them its probes and metrics
   * are public, and the other routes need the credentials of the product.
   */
  management: z
    .strictObject({ username: Text.max(256).optional(), password: sessions.NewPassword.optional() })
    .refine(
      ({ username, password }) => (username === undefined) === (password === undefined),
      'needs both a username and a password',
    )
    .prefault({}),
  metrics: z
    .strictObject({
      /** The prefix of the names of our meters. */
      prefix: z
        .string()
        .regex(/^[a-z][a-z0-9_]*$/, 'must be lower case letters, digits and underscores')
        .default('millrace'),
      /** Whether meters are there under the names of another product, too, for boards that were made for it. */
      knownNames: Flag.default(true),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;
