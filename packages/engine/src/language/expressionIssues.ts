import type { ShapeOf } from '../check/checkContext.ts';
import { checkExpressions } from '../check/checkExpressions.ts';
import { type Finding, Findings } from '../flow/findings.ts';
import { Lines } from '../flow/yaml/lines.ts';
import { readDocument } from './document.ts';

/** The mistakes in the expressions of a flow; none when the text cannot be read. */
export function expressionIssues(text: string, shapeOf: ShapeOf): readonly Finding[] {
  const document = readDocument(text, 0);
  if (document?.text !== text) return [];
  const lines = new Lines(text);
  const findings = new Findings(undefined, ({ start, end }) => ({
    start: lines.positionOf(start),
    end: lines.positionOf(end),
  }));
  checkExpressions(document, shapeOf, findings);
  return findings.all;
}
