import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toBlueprints } from './blueprints.ts';
import { childrenOf, findPage, findPageOfScreen, normalizeDocPath, toDocs } from './docs.ts';
import { findBlueprints, tagsOf } from './findBlueprints.ts';
import { readFrontMatter } from './frontMatter.ts';
import { toPosts } from './news.ts';
import { readContent } from './readContent.ts';
import { searchDocs } from './searchDocs.ts';

const page = (path: string, order: number, more = '', body = 'Words.') => ({
  path,
  text: `---\ntitle: About ${path}\ndescription: A page\nicon: book\norder: ${order}\n${more}---\n\n${body}\n`,
});

const docs = toDocs([
  page('build/flows.md', 2, 'docId: flows\n', '# Flows\n\nA webhook starts one.'),
  page('build/index.md', 2, 'isIndex: true\n'),
  page('build/control/index.md', 1, 'isIndex: true\n'),
  page('build/control/loops.md', 1, '', 'A loop and a webhook.\n\n## Webhooks in loops\n'),
  page('start/index.md', 1, 'isIndex: true\n'),
  page('index.md', 0, 'isIndex: true\n'),
]);

describe('documentation', () => {
  it('comes in reading order, an index before what is below it', () => {
    expect(docs.map(({ path }) => path)).toEqual([
      '',
      'start',
      'build',
      'build/control',
      'build/control/loops',
      'build/flows',
    ]);
  });

  it('answers what is below a path', () => {
    expect(Object.keys(childrenOf(docs, 'build'))).toEqual([
      'build/control',
      'build/control/loops',
      'build/flows',
    ]);
    expect(childrenOf(docs, '')['build/flows']).toEqual({
      title: 'About build/flows.md',
      description: 'A page',
      icon: 'book',
      docId: 'flows',
    });
    expect(childrenOf(docs, 'buil')).toEqual({});
  });

  it('finds a page by its path and by its screen', () => {
    expect(findPage(docs, 'build')?.metadata.isIndex).toBe(true);
    expect(findPageOfScreen(docs, 'flows')?.path).toBe('build/flows');
    expect(findPageOfScreen(docs, 'constructor')).toBeUndefined();
  });

  it.each([
    ['/build/flows', 'build/flows'],
    ['02.build/1. flows.md', 'build/flows'],
    ['build/index.md', 'build'],
    ['index.md', ''],
    ['/', ''],
  ])('reads the address %s as %s', (address, path) => {
    expect(normalizeDocPath(address)).toBe(path);
  });

  it('puts headings before mentions and needs every word', () => {
    expect(searchDocs(docs, 'Webhook').map(({ parsedUrl }) => parsedUrl)).toEqual([
      'build/control/loops',
      'build/flows',
    ]);
    expect(searchDocs(docs, 'webhook starts')).toEqual([
      {
        parsedUrl: 'build/flows',
        title: 'About build/flows.md',
        description: 'A page',
        excerpt: 'A webhook starts one.',
      },
    ]);
    expect(searchDocs(docs, 'webhook nowhere')).toEqual([]);
    expect(searchDocs(docs, ' (*) ')).toEqual([]);
  });

  it.each([
    ['| a flow | `limit` | its runs |', 'a flow · `limit` · its runs'],
    ['Write {{ limit | upper }}.', 'Write {{ limit | upper }}.'],
    ['- the limit', 'the limit'],
  ])('shows the line %s as %s', (content, excerpt) => {
    const [hit] = searchDocs([{ ...docs[0]!, content }], 'limit');
    expect(hit?.excerpt).toBe(excerpt);
  });

  it('names the file whose front matter is wrong', () => {
    expect(() => toDocs([{ path: 'a.md', text: '---\ntitle: A\n---\n' }])).toThrow(/^a\.md: /);
  });

  it('reads a text without front matter as a body', () => {
    expect(readFrontMatter('Hello\n')).toEqual({ data: {}, body: 'Hello' });
  });
});

describe('news', () => {
  const post = (id: string, date: string, more = '') => ({
    path: `${id}.md`,
    text: `---\nid: ${id}\ntitle: T\npublicationDate: ${date}\n${more}---\nBody\n`,
  });

  it('puts the newest post first and its image inside', () => {
    const posts = toPosts(
      [post('old', '2026-01-01T00:00:00Z'), post('new', '2026-02-01T00:00:00Z', 'image: images/a.svg\n')],
      [{ path: 'images/a.svg', text: '<svg/>' }],
    );
    expect(posts).toEqual([
      {
        id: 'new',
        title: 'T',
        publicationDate: '2026-02-01T00:00:00Z',
        image: 'data:image/svg+xml;base64,PHN2Zy8+',
        description: 'Body',
      },
      { id: 'old', title: 'T', publicationDate: '2026-01-01T00:00:00Z', description: 'Body' },
    ]);
  });

  it('says that an image is missing', () => {
    expect(() => toPosts([post('a', '2026-01-01T00:00:00Z', 'image: b.svg\n')], [])).toThrow(
      /no image "b.svg"/,
    );
  });
});

describe('blueprints', () => {
  const blueprint = (id: string, tags: string, source: string, date = '2026-01-01T00:00:00Z') => ({
    path: `${id}.md`,
    text: `---\nid: ${id}\ntitle: The ${id}\ndescription: Short\ntags: [${tags}]\npublishedAt: ${date}\n---\n\nLonger.\n\n\`\`\`yaml\n${source}\`\`\`\n`,
  });
  const loop = `id: a
namespace: b
tasks:
  - id: each
    type: core.flow.ForEach
    values: [1]
    tasks:
      - id: one
        type: core.log.Log
        message: x
      - id: two
        type: core.log.Log
        message: y
triggers:
  - id: hook
    type: core.trigger.Webhook
    key: k
`;
  const flows = toBlueprints(
    [blueprint('zebra', 'data', loop, '2026-02-01T00:00:00Z'), blueprint('ant', 'data, small-things', loop)],
    'flow',
  );

  it('derives the types inside, each once', () => {
    expect(flows[0]?.includedTasks).toEqual(['core.flow.ForEach', 'core.log.Log', 'core.trigger.Webhook']);
    const chart = 'charts:\n  - id: a\n    type: c.Pie\n    data:\n      type: d.Logs\n';
    expect(toBlueprints([blueprint('d', 'x', chart)], 'dashboard')[0]?.includedTasks).toEqual([
      'c.Pie',
      'd.Logs',
    ]);
  });

  it('keeps the source as it is and the words before it', () => {
    expect(flows[0]).toMatchObject({ kind: 'flow', source: loop, description: 'Short\n\nLonger.' });
  });

  it('filters, sorts and pages', () => {
    const ids = (query: Parameters<typeof findBlueprints>[1]) => {
      const { results, total } = findBlueprints(flows, query);
      return [results.map(({ id }) => id), total];
    };
    expect(ids({})).toEqual([['ant', 'zebra'], 2]);
    expect(ids({ sort: 'publishedAt:desc', size: 1 })).toEqual([['zebra'], 2]);
    expect(ids({ size: 1, page: 2 })).toEqual([['zebra'], 2]);
    expect(ids({ tags: ['small-things'] })).toEqual([['ant'], 1]);
    expect(ids({ q: 'foreach ZEBRA' })).toEqual([['zebra'], 1]);
    expect(ids({ sort: '__proto__:asc' })).toEqual([['ant', 'zebra'], 2]);
    expect(findBlueprints(flows, {}).results[0]).not.toHaveProperty('source');
  });

  it('lists the tags of what matches', () => {
    expect(tagsOf(flows)).toEqual([
      { id: 'data', name: 'Data', publishedAt: '2026-02-01T00:00:00Z' },
      { id: 'small-things', name: 'Small things', publishedAt: '2026-01-01T00:00:00Z' },
    ]);
    expect(tagsOf(flows, 'zebra').map(({ id }) => id)).toEqual(['data']);
  });

  it('refuses one without a source', () => {
    const text = blueprint('a', 'x', '').text.replace(/```[\s\S]*$/, '');
    expect(() => toBlueprints([{ path: 'a.md', text }], 'flow')).toThrow(/holds no source/);
  });
});

describe('readContent', () => {
  it('reads what the product ships', async () => {
    const content = readContent(fileURLToPath(new URL('../../../../content', import.meta.url)));
    expect((await content.docs()).length).toBeGreaterThanOrEqual(30);
    expect((await content.posts()).length).toBeGreaterThanOrEqual(5);
    expect((await content.tutorialFlows()).length).toBeGreaterThanOrEqual(6);
    expect((await content.blueprints('flow')).length).toBeGreaterThanOrEqual(15);
    expect((await content.blueprints('dashboard')).length).toBeGreaterThanOrEqual(3);
    expect(await content.docs()).toBe(await content.docs());
  });

  it('is empty where there is no folder', async () => {
    const content = readContent('no-such-folder');
    expect(await content.docs()).toEqual([]);
    expect(await content.tutorialFlows()).toEqual([]);
  });
});
