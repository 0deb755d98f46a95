import { listOf, part, type TaskContext, text } from '@millrace/plugin-kit';
import type { z } from 'zod';

const rules = (checks: string) =>
  listOf(
    part({
      expression: text().describe('An expression that must be truthy, over `message`.'),
      message: text().describe('What to say when it is not.'),
    }),
  )
    .optional()
    .describe(`Rules that ${checks}.`);

export const guardrailsProperty = () =>
  part({
    input: rules('the prompt must pass before the model is called'),
    output: rules('the response must pass'),
  })
    .optional()
    .describe(
      'Rules for the prompt and the response. When one does not hold, the task succeeds with `guardrailViolated` and without a response. Expressions see the text as `message`.',
    );

export type Guardrails = z.infer<ReturnType<typeof guardrailsProperty>>;

export interface Violation {
  readonly guardrailViolated: true;
  readonly guardrailViolationMessage: string;
}

/** The first rule that the text does not pass. The rules are rendered here, so the task declares them as raw. */
export async function findViolation(
  context: TaskContext,
  list: NonNullable<Guardrails>['input'],
  message: string,
): Promise<Violation | undefined> {
  for (const rule of list ?? []) {
    const held = String(await context.render(rule.expression, { message })).trim();
    if (!['', 'false', '0', 'null'].includes(held.toLowerCase())) continue;
    const guardrailViolationMessage = String(await context.render(rule.message, { message }));
    await context.log('WARN', `A guardrail does not hold: ${guardrailViolationMessage}`);
    return { guardrailViolated: true, guardrailViolationMessage };
  }
  return undefined;
}
