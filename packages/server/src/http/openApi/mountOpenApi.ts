import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import type { Product } from '../../product.ts';
import { describeApi, type OpenApiDocument } from './openApi.ts';
import { viewApi } from './viewer.ts';

/** The OpenAPI document and its page. Generated on the first request, because most servers never need it. */
export function mountOpenApi(app: FastifyInstance, { version }: Product): void {
  let made: OpenApiDocument | undefined;
  const document = () => {
    made ??= describeApi(version);
    return made;
  };
  app.get('/swagger/openapi.json', (_request, reply) => reply.send(document()));
  app.get('/swagger/openapi.yml', (_request, reply) =>
    reply
      .type('application/yaml; charset=utf-8')
      .send(stringify(document(), { aliasDuplicateObjects: false })),
  );
  const view = () => viewApi(document());
  app.get('/api', (_request, reply) => reply.type('text/html; charset=utf-8').send(view()));
}
