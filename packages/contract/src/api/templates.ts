import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FlowValidation } from '../flow.ts';
import { flag, Paging, pagedOf } from '../paging.ts';
import { Template } from '../template.ts';

const TemplateKey = z.object({ namespace: z.string(), id: z.string() });
const Keys = z.array(z.looseObject(TemplateKey.shape));
const Filters = z.looseObject({ q: z.string().optional(), namespace: z.string().optional() });
const Count = z.object({ count: z.number().int() });

export const searchTemplates = endpoint({
  method: 'GET',
  path: '/templates/search',
  summary: 'Lists templates',
  query: z.looseObject({ ...Paging.shape, ...Filters.shape }),
  reply: pagedOf(Template),
});

export const listTemplateNamespaces = endpoint({
  method: 'GET',
  path: '/templates/distinct-namespaces',
  summary: 'Lists the namespaces that hold templates',
  query: z.looseObject({ q: z.string().optional() }),
  reply: z.array(z.string()),
});

export const getTemplate = endpoint({
  method: 'GET',
  path: '/templates/{namespace}/{id}',
  summary: 'Reads a template',
  params: TemplateKey,
  reply: Template,
});

/** The text is JSON or YAML; both are read the same way. */
export const createTemplate = endpoint({
  method: 'POST',
  path: '/templates',
  summary: 'Creates a template',
  body: z.string(),
  bodyKind: 'yaml',
  reply: Template,
});

export const updateTemplate = endpoint({
  method: 'PUT',
  path: '/templates/{namespace}/{id}',
  summary: 'Changes a template',
  params: TemplateKey,
  body: z.string(),
  bodyKind: 'yaml',
  reply: Template,
});

export const deleteTemplate = endpoint({
  method: 'DELETE',
  path: '/templates/{namespace}/{id}',
  summary: 'Deletes a template',
  params: TemplateKey,
});

export const replaceTemplates = endpoint({
  method: 'POST',
  path: '/templates/{namespace}',
  summary: 'Makes a list of templates those of a namespace',
  params: z.object({ namespace: z.string() }),
  query: z.looseObject({ delete: flag(true) }),
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.array(Template),
});

export const validateTemplates = endpoint({
  method: 'POST',
  path: '/templates/validate',
  summary: 'Validates one or more templates, one answer per document',
  body: z.string(),
  bodyKind: 'yaml',
  reply: z.array(FlowValidation),
});

export const exportTemplatesByQuery = endpoint({
  method: 'GET',
  path: '/templates/export/by-query',
  summary: 'Downloads the templates of a query as a zip archive',
  query: Filters,
  replyKind: 'file',
});

export const exportTemplatesByIds = endpoint({
  method: 'POST',
  path: '/templates/export/by-ids',
  summary: 'Downloads templates as a zip archive',
  body: Keys,
  replyKind: 'file',
});

/** The part is called `fileUpload`. */
export const importTemplates = endpoint({
  method: 'POST',
  path: '/templates/import',
  summary: 'Imports templates from YAML or a zip archive',
  bodyKind: 'multipart',
});

export const deleteTemplatesByIds = endpoint({
  method: 'DELETE',
  path: '/templates/delete/by-ids',
  summary: 'Deletes templates, by a list',
  body: Keys,
  reply: Count,
});

export const deleteTemplatesByQuery = endpoint({
  method: 'DELETE',
  path: '/templates/delete/by-query',
  summary: 'Deletes templates, by a query; without a filter every one',
  query: Filters,
  reply: Count,
});
