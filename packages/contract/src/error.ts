import { z } from 'zod';

/** The body of every error response. Clients split `message` ("<reason>: <detail>") at the first colon. */
export const JsonError = z.object({
  message: z.string(),
  /** Stable, for programs; the message is for people and may change. */
  code: z.string().optional(),
  _links: z.object({ self: z.array(z.object({ href: z.string(), templated: z.boolean() })) }).optional(),
  _embedded: z
    .object({ errors: z.array(z.object({ message: z.string(), path: z.string().optional() })) })
    .optional(),
});
export type JsonError = z.infer<typeof JsonError>;

export const errorCodes = [
  'invalid-entity',
  'illegal-argument',
  'illegal-state',
  'not-found',
  'conflict',
  'bad-request',
  'unauthorized',
  'gone',
  'locked',
  'too-many-requests',
  'unavailable',
  'maintenance',
  'insufficient-storage',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** A failure the caller can understand. `code` is stable; the HTTP layer alone knows which status it means. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly { message: string; path?: string }[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; errors?: readonly { message: string; path?: string }[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors ?? [];
  }
}
