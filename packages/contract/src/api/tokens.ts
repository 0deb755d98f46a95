import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** A token that a program signs in with. The token itself is returned once, when it is created. */
export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** Absent for a token that never expires. */
  expiresAt: z.iso.datetime().optional(),
  /** Accurate to an hour. */
  lastUsedAt: z.iso.datetime().optional(),
});
export type ApiToken = z.infer<typeof ApiToken>;

export const maxTokenNameLength = 100;

const NewApiToken = z.strictObject({
  name: z.string().trim().min(1).max(maxTokenNameLength),
  /** Absent or null: the token never expires. */
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});

/** Expired tokens are listed until they are revoked. */
export const listTokens = endpoint({
  method: 'GET',
  path: '/me/api-tokens',
  summary: 'Lists the API tokens of the user',
  reply: z.object({ results: z.array(ApiToken) }),
});

/** 409 while authentication is off, and for a request that is itself signed in with a token. */
export const createToken = endpoint({
  method: 'POST',
  path: '/me/api-tokens',
  summary: 'Creates an API token; only this response contains the token',
  body: NewApiToken,
  reply: ApiToken.extend({ token: z.string() }),
});

export const revokeToken = endpoint({
  method: 'DELETE',
  path: '/me/api-tokens/{tokenId}',
  summary: 'Revokes an API token at once',
  params: z.object({ tokenId: z.string() }),
});
