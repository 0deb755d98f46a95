import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The encoding of a body. The endpoint chooses the parser, never the shape of the request. */
export type BodyKind = 'none' | 'json' | 'yaml' | 'text' | 'multipart';
export type ReplyKind = 'json' | 'none' | 'text' | 'stream' | 'file';
/**
 * `product` lies below `/api/v1`; `server` at the root of the server; `provider` calls have their own paths
 * and another host may serve them.
 */
export type Base = 'product' | 'server' | 'provider';

/** `anyone`: no credentials. `key`: the path holds a secret key, and pages of other sites may call it too. */
export type Access = 'credentials' | 'anyone' | 'key';

type Schema = z.ZodType;

/**
 * One call, described once: the server mounts it, the web app calls it, OpenAPI is derived from it.
 * Paths are relative to the base; `{name}` marks a parameter.
 */
export interface Endpoint<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Reply extends Schema = Schema,
> {
  readonly base?: Base;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly bodyKind: BodyKind;
  readonly reply?: Reply;
  readonly replyKind: ReplyKind;
  readonly status: number;
  /** Errors with this status are one plain-text sentence, as existing clients of this call expect. */
  readonly plainTextStatus?: number;
  /** Access when authentication is on; by default the caller needs credentials. */
  readonly access?: Access;
}

type Optional<T extends Schema | undefined> = T extends Schema ? z.infer<T> : undefined;

export type ParamsOf<E> = E extends { params: infer P extends Schema } ? z.infer<P> : Record<string, never>;
export type QueryOf<E> = E extends { query: infer Q extends Schema } ? z.infer<Q> : Record<string, never>;
export type QueryInputOf<E> = E extends { query: infer Q extends Schema }
  ? z.input<Q>
  : Record<string, never>;
export type BodyOf<E> = E extends { body: infer B extends Schema } ? z.infer<B> : undefined;
export type ReplyOf<E> = E extends { reply: infer R }
  ? Optional<R extends Schema ? R : undefined>
  : undefined;

interface Definition {
  readonly base?: Base;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  readonly bodyKind?: BodyKind;
  readonly reply?: Schema;
  readonly replyKind?: ReplyKind;
  readonly status?: number;
  readonly plainTextStatus?: number;
  readonly access?: Access;
}

/** Fills in the defaults, so that a definition only has its special properties. */
export function endpoint<const D extends Definition>(
  definition: D,
): D & { bodyKind: BodyKind; replyKind: ReplyKind; status: number } {
  return {
    bodyKind: definition.body ? 'json' : 'none',
    replyKind: definition.reply ? 'json' : 'none',
    status: definition.reply || definition.replyKind ? 200 : 204,
    ...definition,
  };
}

/** `/flows/{namespace}/{id}` with its parameters filled in, each encoded as one path segment. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The path ${path} needs a value for "${name}".`);
    return encodeURIComponent(String(value));
  });
}
