import { analyzeTemplate, type Use } from '@millrace/expression';
import { controlTypeOf } from '../flow/controlType.ts';
import type { Findings } from '../flow/findings.ts';
import { checkCall } from './checkCall.ts';
import type { CheckContext, ShapeOf } from './checkContext.ts';
import { checkVariable } from './checkVariable.ts';
import type { FlowModel, FlowTemplate } from './flowTemplates.ts';
import { scalarOffsets } from './scalarOffsets.ts';
import type { UseProblem } from './useProblem.ts';

/**
 * [E168] Mistakes in expressions that fail when the flow runs, as warnings. Everything that only the run can
 * know is left alone: computed names, values with a fallback, open schemas, unknown types.
 */
export function checkExpressions(model: FlowModel, shapeOf: ShapeOf, findings: Findings): void {
  for (const template of model.templates) {
    const problems = problemsOf(template, model, shapeOf);
    if (problems.length === 0) continue;
    const toOffset = scalarOffsets(model.text, template.node);
    for (const { message, start, end } of problems) {
      const from = toOffset(start);
      // A range ends behind its last character, which may be followed by an escape or a line break.
      const span = { start: from, end: Math.max(toOffset(end - 1) + 1, from + 1) };
      findings.addAt('warning', template.path, message, span);
    }
  }
}

function problemsOf(template: FlowTemplate, model: FlowModel, shapeOf: ShapeOf): UseProblem[] {
  const { scope, source } = template;
  const task = scope.kind === 'task' ? scope.place.task : undefined;
  const shape = task && shapeOf(task.type);
  if (scope.kind === 'task' && shape?.fixed?.includes(scope.property)) return [];
  const { uses, problem } = analyzeTemplate(source);
  if (problem) {
    // Only where it is known that the text will be rendered, because other programs use the same brackets.
    if (!shape || scope.kind !== 'task' || shape.raw?.includes(scope.property)) return [];
    return [{ ...problem, message: `The expression cannot be read: ${problem.message}` }];
  }
  const context: CheckContext = { model, scope, shapeOf };
  // The old `outputs` of a subflow task are rendered by the other flow.
  const isForeign =
    task &&
    scope.kind === 'task' &&
    scope.property === 'outputs' &&
    controlTypeOf(task.type) === 'core.flow.Subflow';
  return uses.flatMap((use) => checkUse(use, context, isForeign === true));
}

function checkUse(use: Use, context: CheckContext, isForeign: boolean): UseProblem[] {
  if (use.kind !== 'variable') return checkCall(use);
  return isForeign ? [] : checkVariable(use, context);
}
