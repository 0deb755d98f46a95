import { AppError, type Flow } from '@millrace/contract';

type Values = Readonly<Record<string, unknown>>;

/** INTERIM until the engine resolves inputs. */
export async function readInputs(
  flow: Flow,
  given: Values,
  _executionId: string,
  _parts: unknown,
): Promise<Values> {
  const inputs: Record<string, unknown> = {};
  for (const input of flow.inputs ?? []) {
    const value = given[input.id] ?? input.defaults;
    if (value === undefined && input.required !== false) {
      const message = `Invalid input for \`${input.id}\`, missing required input, but received \`null\``;
      throw new AppError('invalid-entity', `${input.id}: ${message}`, {
        errors: [{ path: input.id, message }],
      });
    }
    if (value !== undefined) inputs[input.id] = value;
  }
  return inputs;
}
