import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFlow } from '../../packages/engine/src/index.ts';
import { checkProperties } from '../../packages/plugin-kit/src/index.ts';
import { toBlueprints } from '../../packages/server/src/content/blueprints.ts';
import { toDocs } from '../../packages/server/src/content/docs.ts';
import { readFrontMatter } from '../../packages/server/src/content/frontMatter.ts';
import { toPosts } from '../../packages/server/src/content/news.ts';
import { typesPage } from '../../packages/server/src/content/typesPage.ts';
import { createFullCatalogue } from '../../plugins/all/src/testing.ts';
import { inRoot } from '../setup/root.mjs';

const filesOf = (part: string, ending: string) =>
  readdirSync(inRoot('content', part), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((path) => ({ path, text: readFileSync(inRoot('content', part, path), 'utf8') }));

const catalogue = createFullCatalogue();
const docs = filesOf('docs', '.md');
const tutorial = filesOf('tutorial', '.yaml');
const blueprints = toBlueprints(filesOf('blueprints/flow', '.md'), 'flow');
const dashboards = toBlueprints(filesOf('blueprints/dashboard', '.md'), 'dashboard');

/** Fences marked `yaml` are whole flows; other YAML is marked `yml`. */
const flowsIn = ({ path, text }: { path: string; text: string }) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, source = '']) => ({ path, source }));

const flows = [
  ...docs.flatMap(flowsIn),
  ...tutorial.map(({ path, text }) => ({ path, source: text })),
  ...blueprints.map(({ id, source }) => ({ path: id, source })),
].map(({ path, source }) => ({ name: `${path}: ${/^id: (.*)$/m.exec(source)?.[1]}`, source }));

/** The only page about a deprecated type has to show that type. */
const isAboutOldType = (name: string) => name.startsWith('build/templates.md:');

describe('flows in the content', () => {
  it.each(flows)('are valid, without warnings: $name', ({ name, source }) => {
    const { issues } = parseFlow(source, catalogue);
    const unexpected = issues.filter(({ severity }) => severity !== 'deprecation' || !isAboutOldType(name));
    expect(unexpected).toEqual([]);
  });

  it('have a namespace of their own in the tutorial, a description and unique ids', () => {
    const parsed = tutorial.map(({ path, text }) => ({ path, flow: parseFlow(text, catalogue).flow }));
    for (const { path, flow } of parsed) {
      expect(flow?.namespace).toBe('tutorial');
      expect(`${flow?.id}.yaml`).toBe(path);
      expect(flow?.description?.length).toBeGreaterThan(80);
    }
    expect(parsed.length).toBeGreaterThanOrEqual(6);
  });
});

describe('documentation', () => {
  const pages = toDocs(docs);
  const paths = new Set([...docs, typesPage(catalogue)].map(({ path }) => path));

  it('has its four sections and an index in every folder', () => {
    const folders = new Set(docs.map(({ path }) => dirname(path)));
    expect([...folders].filter((folder) => !paths.has(posix.join(folder, 'index.md')))).toEqual([]);
    for (const section of ['get-started', 'build', 'scale', 'manage'])
      expect([...folders]).toContain(section);
    expect(pages.length).toBeGreaterThanOrEqual(30);
  });

  it('marks exactly the index pages as such', () => {
    const wrong = docs.filter(
      ({ path, text }) => /^isIndex: true$/m.test(text) !== (posix.basename(path) === 'index.md'),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('links only to pages that exist', () => {
    const broken = docs.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
        .map(([, link = '']) => posix.join(posix.dirname(path), link))
        .filter((target) => !paths.has(target))
        .map((target) => `${path} → ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('uses each doc id and each place in a folder once', () => {
    const ids = pages.flatMap(({ metadata }) => metadata.docId ?? []);
    expect(ids).toEqual([...new Set(ids)]);
    const places = docs.map(({ path, text }) => {
      // An index page is ordered among the siblings of its folder.
      const folder = path.endsWith('/index.md') ? dirname(dirname(path)) : dirname(path);
      return `${folder} ${/^order: (\d+)$/m.exec(text)?.[1]}`;
    });
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });

  it('embeds only widgets that the viewer knows', () => {
    const known = ['child-card', 'child-toc', 'release-list', 'logo-pack', 'swagger', 'alert'];
    const used = docs.flatMap(({ text }) =>
      [...text.matchAll(/^:{2,3}([a-z-]+)\{/gm)].map(([, name]) => name),
    );
    expect(used.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  it('sends readers to the one page about what is missing', () => {
    const elsewhere = docs.filter(
      ({ path, text }) =>
        /not (?:in|offered by) this build yet/i.test(text) && !path.endsWith('whats-planned.md'),
    );
    const withoutLink = elsewhere.filter(({ text }) => !text.includes('whats-planned.md'));
    expect(withoutLink.map(({ path }) => path)).toEqual([]);
  });
});

describe('blueprints', () => {
  it('have unique ids and included tasks', () => {
    const ids = [...blueprints, ...dashboards].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(blueprints.filter(({ includedTasks }) => includedTasks.length === 0)).toEqual([]);
    expect(blueprints.length).toBeGreaterThanOrEqual(15);
  });

  it('run in the live test, or stand there with the reason why not', () => {
    const folder = inRoot('packages', 'server', 'src', 'testing', 'blueprints');
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    expect(blueprints.map(({ id }) => id).filter((id) => !text.includes(`'${id}':`))).toEqual([]);
  });

  it.each(dashboards)('draw charts that exist: $title', ({ source }) => {
    // A dashboard is only YAML: front matter without a body.
    const { charts } = readFrontMatter(`---\n${source}\n---`).data as { charts: Record<string, unknown>[] };
    for (const { id: _, type, ...properties } of charts) {
      const definition = catalogue.find(String(type))?.definition;
      expect(definition?.kind).toBe('chart');
      expect(definition && checkProperties(definition.input, properties)).toEqual([]);
      const { type: dataType, ...data } = (properties.data ?? {}) as Record<string, unknown>;
      if (dataType === undefined) continue;
      const filter = catalogue.find(String(dataType))?.definition;
      expect(filter?.kind).toBe('dataFilter');
      expect(filter && checkProperties(filter.input, data)).toEqual([]);
    }
  });
});

describe('news', () => {
  const images = filesOf('news', '.svg');

  it('have dates and images that exist', () => {
    expect(toPosts(filesOf('news', '.md'), images).length).toBeGreaterThanOrEqual(5);
  });

  it.each(images)('draw nothing but shapes: $path', ({ path, text }) => {
    expect(text).toMatch(/^<svg xmlns=/);
    expect(text).not.toMatch(/<script|<foreignObject|<image|\son[a-z]+=|href=|javascript:|url\(|<!/i);
    expect(existsSync(join(inRoot('content', 'news'), path))).toBe(true);
  });
});
