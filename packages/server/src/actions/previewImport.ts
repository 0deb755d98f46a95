import type { flowTransfer, Issue } from '@millrace/contract';
import { isSameSource, onlyUnknownTypes, parseFlow } from '@millrace/engine';
import { readTestSuite } from '@millrace/engine/flow-test';
import type { Document } from '../archives/readUpload.ts';
import { isTestDocument } from './importFlows.ts';
import type { SaveParts } from './saveFlow.ts';

type Preview = Omit<flowTransfer.ImportPreview, 'document' | 'problems'> & { issues: readonly Issue[] };
type Parts = Pick<SaveParts, 'store' | 'catalogue'>;

const mostProblems = 10;

/** What an import would do with each document. Nothing is saved. */
export async function previewImport(
  documents: readonly Document[],
  parts: Parts,
): Promise<flowTransfer.ImportPreview[]> {
  const previews: flowTransfer.ImportPreview[] = [];
  for (const document of documents) {
    const { name, text, line } = document;
    const preview = isTestDocument(document) ? previewTests(text, parts) : previewFlow(text, parts);
    const { issues, ...rest } = await preview;
    previews.push({
      document: name,
      ...rest,
      problems: issues.slice(0, mostProblems).map(({ message, path, range }) => ({
        message: path === '' ? message : `${path}: ${message}`,
        ...(range && { line: line + range.start.line - 1 }),
      })),
    });
  }
  return previews;
}

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
  if (errors.length > 0) return { ...named, change: onlyUnknownTypes(issues) ? 'DISABLED' : 'REFUSED' };
  if (!present) return { ...named, change: 'CREATE' };
  return { ...named, change: isSameSource(present.source, text) ? 'NONE' : 'UPDATE' };
}

async function previewTests(text: string, { store }: Parts): Promise<Preview> {
  const { suite, issues } = readTestSuite(text);
  if (!suite || issues.length > 0) return { change: 'REFUSED', issues };
  const present = await store.getFlowTest(suite.namespace, suite.id);
  if (!present || present.test.deleted) return { change: 'CREATE', issues };
  return { change: present.test.source === text ? 'NONE' : 'UPDATE', revision: present.test.version, issues };
}
