import type { Blueprint } from './blueprints.ts';

export interface BlueprintQuery {
  readonly q?: string;
  /** Ids of tags; a blueprint needs one of them. */
  readonly tags?: readonly string[];
  readonly sort?: string;
  readonly page?: number;
  readonly size?: number;
}

export type BlueprintItem = Omit<Blueprint, 'source' | 'kind'>;

export interface BlueprintTag {
  readonly id: string;
  readonly name: string;
  readonly publishedAt: string;
}

/** One page of the blueprints that match. */
export function findBlueprints(
  blueprints: readonly Blueprint[],
  { q, tags = [], sort = 'title:asc', page = 1, size = 10 }: BlueprintQuery,
): { readonly results: BlueprintItem[]; readonly total: number } {
  const found = blueprints.filter(
    (blueprint) =>
      matches(blueprint, q) && (tags.length === 0 || tags.some((tag) => blueprint.tags.includes(tag))),
  );
  const sorted = sortBlueprints(found, sort);
  const results = sorted
    .slice((page - 1) * size, page * size)
    .map(({ source: _, kind: __, ...item }) => item);
  return { results, total: found.length };
}

/** The tags of the blueprints that match, by name. */
export function tagsOf(blueprints: readonly Blueprint[], q?: string): BlueprintTag[] {
  const newest = new Map<string, string>();
  for (const { tags, publishedAt } of blueprints.filter((blueprint) => matches(blueprint, q))) {
    for (const tag of tags) {
      const known = newest.get(tag);
      if (known === undefined || known < publishedAt) newest.set(tag, publishedAt);
    }
  }
  return [...newest]
    .map(([id, publishedAt]) => ({ id, name: nameOf(id), publishedAt }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function matches({ title, description, tags, includedTasks }: Blueprint, q: string | undefined): boolean {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const text = [title, description, ...tags, ...includedTasks].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

const keys: Readonly<Record<string, (blueprint: Blueprint) => string>> = {
  title: ({ title }) => title.toLowerCase(),
  publishedAt: ({ publishedAt }) => publishedAt,
  tags: ({ tags }) => tags.join(' '),
};

/** An order that is not known leaves them as they are, by title. */
function sortBlueprints(blueprints: readonly Blueprint[], sort: string): readonly Blueprint[] {
  const [field = '', direction] = sort.split(':');
  const key = Object.hasOwn(keys, field) ? keys[field] : undefined;
  if (!key) return blueprints;
  const sign = direction === 'desc' ? -1 : 1;
  return [...blueprints].sort((a, b) => sign * key(a).localeCompare(key(b), 'en'));
}

/** Names that are not just the words of the tag. */
const names = new Map([
  ['ai', 'AI'],
  ['api', 'API'],
  ['aws', 'AWS'],
  ['csv', 'CSV'],
  ['etl', 'ETL'],
  ['gcp', 'Google Cloud'],
  ['google-workspace', 'Google Workspace'],
  ['http', 'HTTP'],
  ['kv', 'KV'],
  ['microsoft365', 'Microsoft 365'],
  ['postgresql', 'PostgreSQL'],
  ['sql', 'SQL'],
]);

/** `getting-started` → `Getting started`. */
function nameOf(id: string): string {
  const words = id.replaceAll('-', ' ');
  return names.get(id) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
