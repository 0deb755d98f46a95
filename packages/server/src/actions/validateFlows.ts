import type { FlowValidation } from '@millrace/contract';
import { parseFlow } from '@millrace/engine';
import type { Product } from '../product.ts';
import { describeIssue } from './saveFlow.ts';

/** Says of each document what saving it would say, without saving anything. */
export async function validateFlows(
  source: string,
  parts: Pick<Product, 'store' | 'catalogue'>,
): Promise<FlowValidation[]> {
  return Promise.all(splitDocuments(source).map((text, index) => validate(text, index, parts)));
}

async function validate(
  text: string,
  index: number,
  { store, catalogue }: Pick<Product, 'store' | 'catalogue'>,
): Promise<FlowValidation> {
  const { flow, issues, sourceRevision } = parseFlow(text, catalogue);
  const of = (severity: string) => issues.filter((issue) => issue.severity === severity);
  const constraints = of('error').map(describeIssue).join(', ');
  const latest = flow?.namespace && flow.id ? await store.getFlow(flow.namespace, flow.id) : undefined;
  const isOutdated = sourceRevision !== undefined && sourceRevision !== (latest?.revision ?? 0) + 1;
  return {
    ...(flow?.id ? { flow: flow.id } : {}),
    ...(flow?.namespace ? { namespace: flow.namespace } : {}),
    index,
    ...(constraints === '' ? {} : { constraints }),
    outdated: isOutdated,
    deprecationPaths: of('deprecation').map((issue) => issue.path),
    warnings: of('warning').map((issue) => issue.message),
    infos: of('info').map((issue) => issue.message),
  };
}

/** Documents end at lines that read `---` and nothing else; the same characters inside a text do not count. */
function splitDocuments(source: string): string[] {
  const documents = source.split(/^---[ \t]*\r?$/m);
  const filled = documents.filter((text) => text.trim() !== '');
  return filled.length === 0 ? [source] : filled;
}
