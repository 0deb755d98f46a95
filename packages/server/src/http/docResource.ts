import { AppError } from '@millrace/contract';
import type { FastifyReply } from 'fastify';
import { sendZip } from '../archives/sendZip.ts';
import type { Product } from '../product.ts';
import { describeApi } from './openApi/openApi.ts';

const logoPack = 'millrace-logos.zip';

/** Sends a file of the documentation. Only files known by name exist; nothing is looked up by path. */
export async function sendDocResource(
  file: string,
  reply: FastifyReply,
  { content, version }: Pick<Product, 'content' | 'version'>,
): Promise<void> {
  if (file === 'oss.json') return void reply.send(describeApi(version));
  // The Enterprise Edition has the same calls, each within a tenant.
  if (file === 'enterprise.json') return void reply.send(withTenant(describeApi(version)));
  const logos = await content.brand();
  if (file === logoPack) {
    const entries = logos.map(({ path, text }) => ({ path: `millrace-logos/${path}`, content: text }));
    return sendZip(reply, logoPack, entries);
  }
  const logo = logos.find(({ path }) => path === file);
  if (!logo) throw new AppError('not-found', `the documentation has no file "${file}"`);
  // Shown as an image; opened on its own, it may still run nothing.
  reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
  reply.type('image/svg+xml').send(logo.text);
}

function withTenant(document: ReturnType<typeof describeApi>): object {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path.replace(/^\/api\/v1\//, '/api/v1/{tenant}/'),
      item,
    ]),
  );
  return { ...document, info: { ...document.info, title: 'Millrace Enterprise' }, paths };
}
