import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { flag } from '../paging.ts';

export const Configuration = z.looseObject({
  uuid: z.string(),
  version: z.string(),
  commitId: z.string().optional(),
  commitDate: z.string().optional(),
  environment: z.object({ name: z.string().optional(), color: z.string().optional() }).optional(),
  url: z.string().optional(),
  isBasicAuthEnabled: z.boolean(),
  isAnonymousUsageEnabled: z.boolean(),
  isTaskRunEnabled: z.boolean(),
  isTemplateEnabled: z.boolean(),
  systemNamespace: z.string(),
  hiddenLabelsPrefixes: z.array(z.string()),
});
export type Configuration = z.infer<typeof Configuration>;

export const getConfiguration = endpoint({
  method: 'GET',
  path: '/configs',
  summary: 'Reads what the web app needs to know of the server',
  reply: Configuration,
});

export const getFlowSchema = endpoint({
  method: 'GET',
  path: '/plugins/schemas/{type}',
  summary: 'Reads the JSON Schema of flows, tasks or triggers for editors',
  params: z.object({ type: z.string() }),
  query: z.looseObject({ arrayOf: flag(false) }),
  reply: z.record(z.string(), z.unknown()),
});

export const PluginIcon = z.object({ name: z.string(), icon: z.string(), flowable: z.boolean() });

export const getPluginIcons = endpoint({
  method: 'GET',
  path: '/plugins/icons',
  summary: 'Reads the icon of every task and trigger type',
  reply: z.record(z.string(), PluginIcon),
});

export const getPluginDocumentation = endpoint({
  method: 'GET',
  path: '/plugins/{cls}',
  summary: 'Reads the documentation of one type',
  params: z.object({ cls: z.string() }),
  query: z.looseObject({ all: flag(false) }),
  reply: z.looseObject({ markdown: z.string(), schema: z.record(z.string(), z.unknown()) }),
});
