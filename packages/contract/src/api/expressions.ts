import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Without an execution only constants and functions are available. Secrets are resolved but never shown. */
export const renderExpressions = endpoint({
  method: 'POST',
  path: '/expressions/render',
  summary: 'Renders expressions that need no execution',
  body: z.looseObject({ expressions: z.array(z.string().max(100_000)).max(1_000) }),
  status: 200,
  reply: z.object({ rendered: z.record(z.string(), z.string()) }),
});
