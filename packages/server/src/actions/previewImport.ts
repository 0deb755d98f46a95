import type { flowTransfer, Issue } from '@millrace/contract';
import { isSameSource, onlyUnknownTypes, parseFlow, withoutPlace } from '@millrace/engine';
import { readTestSuite } from '@millrace/engine/flow-test';
import type { Document } from '../archives/readUpload.ts';
import { isTestDocument } from './importFlows.ts';
import type { SaveParts } from './saveFlow.ts';

type Preview = Omit<flowTransfer.ImportPreview, 'document' | 'problems'> & { issues: readonly Issue[] };
type Parts = Pick<SaveParts, 'store' | 'catalogue'>;

const mostProblems = 10;

/** The texts of one response: an archive may hold thousands of flows. */
const mostCharacters = 4_000_000;

/** What an import would do with each document. Nothing is saved. */
export async function previewImport(
  documents: readonly Document[],
  parts: Parts,
): Promise<flowTransfer.ImportPreview[]> {
  const previews: flowTransfer.ImportPreview[] = [];
  let characters = 0;
  for (const document of documents) {
    const { name, text, line } = document;
    const preview = isTestDocument(document) ? previewTests(text, parts) : previewFlow(text, parts);
    const { issues, texts, ...rest } = await preview;
    if (texts) characters += texts.before.length + texts.after.length;
    previews.push({
      document: name,
      ...rest,
      ...(texts && characters <= mostCharacters && { texts }),
      problems: issues
        .toSorted(byLine)
        .slice(0, mostProblems)
        .map(({ message, path, range }) => ({
          message: path === '' ? message : `${path}: ${range ? withoutPlace(message) : message}`,
          ...(range && { line: line + range.start.line - 1 }),
        })),
    });
  }
  return previews;
}

const byLine = (a: Issue, b: Issue): number => (a.range?.start.line ?? 0) - (b.range?.start.line ?? 0);

async function previewFlow(text: string, { store, catalogue }: Parts): Promise<Preview> {
  const { flow, issues } = parseFlow(text, catalogue);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (!flow) return { change: 'REFUSED', issues: errors };
  const latest = await store.getFlow(flow.namespace, flow.id);
  const present = latest && !latest.deleted ? latest : undefined;
  const named = {
    namespace: flow.namespace,
    flowId: flow.id,
    ...(present && { revision: present.revision }),
    issues: errors,
  };
  const texts = present && { texts: { before: present.source, after: text } };
  if (errors.length > 0)
    return onlyUnknownTypes(issues)
      ? { ...named, ...texts, change: 'DISABLED' }
      : { ...named, change: 'REFUSED' };
  if (!present) return { ...named, change: 'CREATE' };
  if (isSameSource(present.source, text)) return { ...named, change: 'NONE' };
  return { ...named, ...texts, change: 'UPDATE' };
}

async function previewTests(text: string, { store }: Parts): Promise<Preview> {
  const { suite, issues } = readTestSuite(text);
  if (!suite || issues.length > 0) return { change: 'REFUSED', issues };
  const present = await store.getFlowTest(suite.namespace, suite.id);
  if (!present || present.test.deleted) return { change: 'CREATE', issues };
  const { source, version: revision } = present.test;
  if (source === text) return { change: 'NONE', revision, issues };
  return { change: 'UPDATE', revision, texts: { before: source, after: text }, issues };
}
