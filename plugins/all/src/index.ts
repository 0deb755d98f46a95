import { compressFamily } from '@millrace/plugin-compress';
import { coreFamily } from '@millrace/plugin-core';
import { elasticsearchFamily } from '@millrace/plugin-elasticsearch';
import { emailFamily } from '@millrace/plugin-email';
import { fsFamily } from '@millrace/plugin-fs';
import { gitFamily } from '@millrace/plugin-git';
import { jdbcFamily } from '@millrace/plugin-jdbc';
import { kestraFamily } from '@millrace/plugin-kestra';
import type { Family } from '@millrace/plugin-kit';
import { ldapFamily } from '@millrace/plugin-ldap';
import { mongodbFamily } from '@millrace/plugin-mongodb';
import { notificationsFamily } from '@millrace/plugin-notifications';
import { redisFamily } from '@millrace/plugin-redis';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { serdesFamily } from '@millrace/plugin-serdes';
import { transformFamily } from '@millrace/plugin-transform';

/** The families that the product ships with. A new package under `plugins/` adds one line here. */
export const families: readonly Family[] = [
  coreFamily,
  scriptsFamily,
  serdesFamily,
  gitFamily,
  jdbcFamily,
  compressFamily,
  notificationsFamily,
  emailFamily,
  fsFamily,
  redisFamily,
  transformFamily,
  kestraFamily,
  elasticsearchFamily,
  mongodbFamily,
  ldapFamily,
];
