import { AppError, tokens as api } from '@millrace/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Product } from '../../product.ts';
import { mount } from '../mount.ts';

/** API tokens of the user who signed in. */
export function mountTokens(app: FastifyInstance, { auth: { tokens }, log }: Product): void {
  mount(app, api.listTokens, async ({ request }) => ({
    results: request.user ? await tokens.list(request.user.username) : [],
  }));
  mount(app, api.createToken, async ({ body, request }) => {
    const username = ownerOf(request);
    const created = await tokens.create(body, username);
    log.info('An API token was created.', { username, token: created.name });
    return created;
  });
  mount(app, api.revokeToken, async ({ params, request }) => {
    const username = ownerOf(request);
    await tokens.revoke(params.tokenId, username);
    log.info('An API token was revoked.', { username, tokenId: params.tokenId });
  });
}

/** A token cannot create or revoke tokens: a leaked one must not be able to outlive its revocation. */
function ownerOf({ user }: FastifyRequest): string {
  if (!user) throw new AppError('illegal-state', 'API tokens need authentication, which is off');
  if (user.token !== undefined)
    throw new AppError('illegal-state', 'API tokens are managed with the password, not with a token');
  return user.username;
}
