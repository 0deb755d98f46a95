import { serviceType } from '../cluster/services.ts';
import type { Product } from '../product.ts';
import { json, type Page } from './page.ts';

const startedAt = Date.now() - Math.round(process.uptime() * 1_000);

export const readVersion = ({ version, roles }: Pick<Product, 'version' | 'roles'>): Page =>
  json(200, { version: `${version}-oss`, type: serviceType(roles) });

/** The build and its runtime; nothing of the configuration or the environment. */
export const readInfo = ({ version, instanceId, config }: Product): Page =>
  json(200, {
    name: 'millrace',
    version,
    instance: instanceId,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    database: config.database.url === undefined ? 'SQLite' : 'PostgreSQL',
    startedAt: new Date(startedAt).toISOString(),
  });
