import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { PluginIcon } from './plugins.ts';

/**
 * Static content of the product: news, documentation, icons. The server serves it from its own files; `base`
 * says that the paths do not lie below `/api/v1`.
 */
const base = 'provider' as const;

export const Feed = z.object({
  id: z.string(),
  title: z.string(),
  image: z.string().optional(),
  /** Markdown. */
  description: z.string(),
  publicationDate: z.string(),
  href: z.string().optional(),
  link: z.string().optional(),
});
export type Feed = z.infer<typeof Feed>;

export const getFeeds = endpoint({
  base,
  method: 'GET',
  path: '/v1/feeds',
  summary: 'Reads the news, newest first',
  query: z.looseObject({
    iid: z.string().optional(),
    uid: z.string().optional(),
    version: z.string().optional(),
  }),
  reply: z.object({ feeds: z.array(Feed), version: z.object({ latest: z.string().optional() }) }),
});

export const getProviderConfig = endpoint({
  base,
  method: 'GET',
  path: '/v1/config',
  summary: 'Reads where the web app may send usage statistics; this server names no place',
  reply: z.object({
    id: z.string(),
    posthog: z.object({ token: z.string(), apiHost: z.string() }).optional(),
  }),
});

/** Accepted and dropped: the server collects no usage events. */
export const reportEvent = endpoint({
  base,
  method: 'POST',
  path: '/v1/reports/events',
  summary: 'Takes an event of the web app and drops it',
  bodyKind: 'text',
});

export const getProviderIcons = endpoint({
  base,
  method: 'GET',
  path: '/v1/plugins/icons',
  summary: 'Reads icons for types that the server does not have',
  reply: z.record(z.string(), PluginIcon),
});

export const DocMetadata = z.object({
  title: z.string(),
  description: z.string().optional(),
  icon: z.string().optional(),
  docId: z.string().optional(),
  isIndex: z.boolean().optional(),
  hideSidebar: z.boolean().optional(),
  release: z.string().optional(),
  /** The path of the page; only in the header, because a client may request a page by its screen. */
  path: z.string().optional(),
});
export type DocMetadata = z.infer<typeof DocMetadata>;

/** The response header of a page with its metadata as JSON, each character beyond ASCII as `\uXXXX`. */
export const docMetadataHeader = 'x-kestra-metadata';

const Version = z.object({ version: z.string() });
const Page = Version.extend({ path: z.string() });
const Children = z.record(z.string(), DocMetadata);

/** `path` may hold slashes, encoded or not: `/v1/docs/build/inputs/versions/0.1.0`. */
export const getDocPage = endpoint({
  base,
  method: 'GET',
  path: '/v1/docs/{path}/versions/{version}',
  summary: 'Reads a page of the documentation as Markdown; its metadata is in a header',
  params: Page,
  reply: z.string(),
  replyKind: 'text',
});

export const getDocHome = endpoint({
  base,
  method: 'GET',
  path: '/v1/docs/versions/{version}',
  summary: 'Reads the first page of the documentation',
  params: Version,
  reply: z.string(),
  replyKind: 'text',
});

export const listDocChildren = endpoint({
  base,
  method: 'GET',
  path: '/v1/docs/{path}/versions/{version}/children',
  summary: 'Lists the pages below a page, by path, in reading order',
  params: Page,
  reply: Children,
});

export const listDocs = endpoint({
  base,
  method: 'GET',
  path: '/v1/docs/versions/{version}/children',
  summary: 'Lists all pages of the documentation, by path, in reading order',
  params: Version,
  reply: Children,
});

export const getDocOfScreen = endpoint({
  base,
  method: 'GET',
  path: '/v1/docs/versions/{version}/doc/{id}',
  summary: 'Reads the page that belongs to a screen of the web app',
  params: Version.extend({ id: z.string() }),
  reply: z.string(),
  replyKind: 'text',
});

/** A file that the documentation of a version shows or offers: logos, and descriptions of the API. */
export const getDocResource = endpoint({
  base,
  method: 'GET',
  path: '/v1/resources/{file}/versions/{version}',
  summary: 'Reads a file of the documentation: a logo, all logos, or a description of the API',
  params: Version.extend({ file: z.string() }),
  replyKind: 'file',
});

export const searchDocs = endpoint({
  base,
  method: 'GET',
  path: '/v1/docs/versions/{version}/search',
  summary: 'Searches the documentation, best matches first',
  params: Version,
  query: z.looseObject({ q: z.string().optional() }),
  reply: z.array(
    z.object({ parsedUrl: z.string(), title: z.string(), description: z.string(), excerpt: z.string() }),
  ),
});
