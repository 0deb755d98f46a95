/** A host returns a value or a promise; a promise makes the rendering asynchronous. */
export type Answer<T> = T | Promise<T>;

/**
 * The caller's functions for everything outside of an expression. A function whose host part is absent fails
 * with "is not available here". The result `undefined` means that the secret, key or file does not exist.
 */
export interface Host {
  /** Milliseconds since the epoch. */
  now(): number;
  /** At least 0, below 1. */
  random(): number;
  /** A new identifier in the scheme of execution ids. */
  id(): string;
  /** Bytes for keys and initialisation vectors; derived from `random` when absent. */
  randomBytes?(count: number): Uint8Array;
  /** Zone and locale of the server; UTC and en-US when absent. */
  readonly timeZone?: string;
  readonly locale?: string;
  /** The whole secret text; the expression language extracts a subkey. */
  secret?(key: string, namespace?: string): Answer<string | null | undefined>;
  /** Called with every text that was read from a secret, so that logs can mask it. */
  mask?(text: string): void;
  /** Secrets are looked up, so that a missing secret is an error, but the expression gets no text. */
  readonly hidesSecrets?: boolean;
  /** The typed value of a key; without a namespace the flow's and then its parents are searched. */
  kv?(key: string, namespace?: string): Answer<unknown>;
  read?(path: string, namespace?: string, version?: number): Answer<string>;
  fileSize?(path: string, namespace?: string): Answer<number>;
  fileExists?(path: string, namespace?: string): Answer<boolean>;
  isFileEmpty?(path: string, namespace?: string): Answer<boolean>;
  fileURI?(path: string, namespace?: string): Answer<string>;
  errorLogs?(): Answer<readonly unknown[]>;
  http?(request: HttpRequest): Answer<unknown>;
  subflow?(request: SubflowRequest): Answer<unknown>;
  randomPort?(): Answer<number>;
  isPublicHoliday?(date: string, countryCode?: string, subDivision?: string): Answer<boolean>;
  /** Evaluates a condition of a type that the engine does not implement; undefined for unknown types. */
  holds?(condition: ForeignCondition, about: ConditionSubject): Answer<boolean> | undefined;
}

/** A condition as written. */
export type ForeignCondition = Readonly<Record<string, unknown>> & { readonly type: string };

/** The subject of a condition. */
export interface ConditionSubject {
  readonly variables: Variables;
  /** The flow that the condition is written in. */
  readonly flow: { readonly namespace: string; readonly id: string };
  /** The execution that it tests, for a flow trigger the upstream one. */
  readonly execution?: Readonly<Record<string, unknown>>;
  /** The date of a schedule, in milliseconds. */
  readonly date?: number;
}

export interface HttpRequest {
  readonly uri: string;
  readonly method: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly contentType: string;
  readonly headers: unknown;
  readonly options: unknown;
  readonly accept: string;
}

export interface SubflowRequest {
  readonly namespace: string;
  readonly id: string;
  readonly inputs: unknown;
  readonly revision: number | null;
  readonly labels: unknown;
  readonly timeout: string;
}

/** The variables of an expression, by root name; an entry may be `lazy(…)`. */
export type Variables = { readonly [name: string]: unknown };

/** A root variable that is computed when it is first used, at most once per rendering. */
export class Lazy {
  readonly compute: () => unknown;

  constructor(compute: () => unknown) {
    this.compute = compute;
  }
}

/** `{ outputs: lazy(() => buildOutputs()) }` costs nothing for the templates that never mention outputs. */
export function lazy(compute: () => unknown): Lazy {
  return new Lazy(compute);
}
