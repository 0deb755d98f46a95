import { parseFlow } from '@millrace/engine';
import type { FlowSource } from './sourceFiles.ts';

/**
 * Where a finding about a flow is written, as editors and terminals link it: `flows/hello.yml:12`. A finding begins with
 * the path of its property; one without a path is about the whole flow.
 */
export function placesIn({ origin, file, firstLine, text }: FlowSource): (finding: string) => string {
  const parsed = parseFlow(text, undefined, { expressions: () => undefined });
  return (finding) => {
    const path = /^[^\s:]+(?=: )/.exec(finding)?.[0];
    if (path === undefined) return origin;
    const known = parsed.issues.find((issue) => `${issue.path}: ${issue.message}` === finding);
    const range = known?.range ?? parsed.markOf(path);
    return range ? `${file}:${firstLine + range.start.line - 1}` : origin;
  };
}
