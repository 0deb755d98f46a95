import { join } from 'node:path';
import { type Blueprint, type BlueprintKind, toBlueprints } from './blueprints.ts';
import { type DocFile, listDocFiles } from './docFiles.ts';
import { type DocPage, toDocs } from './docs.ts';
import { type Post, toPosts } from './news.ts';
import { readTextFiles, type TextFile } from './textFiles.ts';

/** Static content of the product. Each part is loaded on first use. */
export interface Content {
  docs(): Promise<readonly DocPage[]>;
  /** Images and other files next to the pages, by path. */
  docFiles(): Promise<ReadonlyMap<string, DocFile>>;
  posts(): Promise<readonly Post[]>;
  blueprints(kind: BlueprintKind): Promise<readonly Blueprint[]>;
  /** The files of the logo. */
  brand(): Promise<readonly TextFile[]>;
  /** The sources of the tutorial flows, by file name. */
  tutorialFlows(): Promise<readonly string[]>;
}

/**
 * The content below a folder, and pages that the product makes itself. Nothing is read yet; a folder that is missing is
 * empty content.
 */
export function readContent(folder: string, made: () => readonly TextFile[] = () => []): Content {
  const read = (part: string, ending: string) => readTextFiles(join(folder, part), ending);
  const flows = once(async () => toBlueprints(await read('blueprints/flow', '.md'), 'flow'));
  const dashboards = once(async () => toBlueprints(await read('blueprints/dashboard', '.md'), 'dashboard'));
  return {
    docs: once(async () => toDocs([...(await read('docs', '.md')), ...made()])),
    docFiles: once(() => listDocFiles(join(folder, 'docs'))),
    posts: once(async () => toPosts(await read('news', '.md'), await read('news', '.svg'))),
    blueprints: (kind) => (kind === 'flow' ? flows() : dashboards()),
    brand: once(() => read('brand', '.svg')),
    tutorialFlows: once(async () => (await read('tutorial', '.yaml')).map(({ text }) => text)),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}
