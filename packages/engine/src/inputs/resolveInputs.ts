import type { Input } from '@millrace/contract';
import { type Answer, type Host, renderDeep, renderTyped, type Variables } from '@millrace/expression';
import { getNested, setNested } from './nesting.ts';
import { type BacktrackingPattern, compilePattern } from './pattern.ts';
import { hiddenText, sealed } from './sealed.ts';
import { inputRules } from './types/index.ts';
import { asText } from './types/inputRule.ts';

export interface InputContext {
  /** Variables of conditions, defaults and choices: flow, execution, vars, envs, globals. Not `inputs`. */
  readonly variables: Variables;
  readonly host: Host;
  /** Encrypts a SECRET for storage; without it such inputs are refused. */
  encrypt?(text: string): Answer<string>;
  /** Matches a pattern that may take exponential time; throws when the time limit is exceeded. */
  matchBacktracking?(pattern: BacktrackingPattern, text: string): Promise<boolean>;
}

export interface ResolvedInput {
  /** The definition, with the choices of an expression filled in. */
  readonly input: Input;
  /** Absent when there is none. */
  readonly value?: unknown;
  readonly enabled: boolean;
  readonly isDefault: boolean;
  readonly errors: readonly string[];
}

export interface InputResolution {
  readonly inputs: readonly ResolvedInput[];
  /** The values of the enabled inputs as an execution stores them, with dotted ids nested. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Every error as `<id>: <text>`; an execution may be created only when there is none. */
  readonly errors: readonly string[];
}

/**
 * Resolves the inputs of a flow, or of a resume, from the caller's values. Every input is checked: a form
 * shows all errors, creating an execution stops at the first.
 */
export async function resolveInputs(
  inputs: readonly Input[],
  supplied: Readonly<Record<string, unknown>>,
  context: InputContext,
): Promise<InputResolution> {
  const resolver = new Resolver(inputs, supplied, context);
  const resolved: ResolvedInput[] = [];
  const values: Record<string, unknown> = {};
  for (const input of inputs) {
    const result = await resolver.resolve(input);
    resolved.push(result);
    if (result.enabled && result.errors.length === 0) setNested(values, input.id, result.value ?? null);
  }
  const errors = resolved.flatMap(({ input, errors: texts }) => texts.map((text) => `${input.id}: ${text}`));
  return { inputs: resolved, values, errors };
}

export function inputError(id: string, reason: string, value: unknown): string {
  return `Invalid input for \`${id}\`, ${reason}, but received \`${value === null ? 'null' : asText(value)}\``;
}

class Resolver {
  readonly #byId: ReadonlyMap<string, Input>;
  readonly #supplied: Readonly<Record<string, unknown>>;
  readonly #context: InputContext;
  readonly #done = new Map<string, Promise<ResolvedInput>>();

  constructor(inputs: readonly Input[], supplied: Readonly<Record<string, unknown>>, context: InputContext) {
    this.#byId = new Map(inputs.map((input) => [input.id, input]));
    this.#supplied = supplied;
    this.#context = context;
  }

  resolve(input: Input, waiting: readonly string[] = []): Promise<ResolvedInput> {
    let result = this.#done.get(input.id);
    if (!result) {
      result = this.#resolve(input, [...waiting, input.id]);
      this.#done.set(input.id, result);
    }
    return result;
  }

  async #resolve(input: Input, waiting: readonly string[]): Promise<ResolvedInput> {
    const off: ResolvedInput = { input, enabled: false, isDefault: false, errors: [] };
    const { dependencies, allEnabled } = await this.#dependencies(input, waiting);
    if (!allEnabled) return off;
    const variables = { ...this.#context.variables, inputs: dependencies };
    try {
      if (!(await this.#isWanted(input, variables))) return off;
      const concrete = await this.#withChoices(input, variables);
      return await this.#read(concrete, variables);
    } catch (error) {
      // An expression of the flow failed; the caller's value is not at fault but cannot be used either.
      const reason = error instanceof Error ? error.message : String(error);
      const value = getNested(this.#supplied, input.id) ?? null;
      return {
        input,
        enabled: true,
        isDefault: false,
        errors: [inputError(input.id, reason, secret(input, value))],
      };
    }
  }

  /** [E203] Inputs that this one depends on are resolved first; unknown ones and cycles are skipped. */
  async #dependencies(input: Input, waiting: readonly string[]) {
    const dependencies: Record<string, unknown> = {};
    let allEnabled = true;
    for (const id of input.dependsOn?.inputs ?? []) {
      const other = this.#byId.get(id);
      if (!other || waiting.includes(id)) continue;
      const result = await this.resolve(other, waiting);
      allEnabled &&= result.enabled;
      if (result.enabled) setNested(dependencies, id, result.value ?? null);
    }
    return { dependencies, allEnabled };
  }

  /** [E204] A condition enables an input only when it renders to true. */
  async #isWanted(input: Input, variables: Variables): Promise<boolean> {
    const condition = input.dependsOn?.condition;
    if (condition === undefined) return true;
    const result = await renderTyped(condition, variables, this.#context.host);
    return result === true || result === 'true';
  }

  async #withChoices(input: Input, variables: Variables): Promise<Input> {
    const { expression } = input;
    if (typeof expression !== 'string' || (input.type !== 'SELECT' && input.type !== 'MULTISELECT'))
      return input;
    const rendered = await renderTyped(expression, variables, this.#context.host);
    const values = typeof rendered === 'string' ? parseList(rendered) : rendered;
    if (!Array.isArray(values)) throw new TypeError(`the expression \`${expression}\` must give a list`);
    return { ...input, values: values.map(asText) };
  }

  async #read(input: Input, variables: Variables): Promise<ResolvedInput> {
    const given = getNested(this.#supplied, input.id) ?? undefined;
    const isDefault = given === undefined;
    // Only values from the flow are rendered, never values from a caller.
    const raw = isDefault ? await this.#defaultOf(input, variables) : given;
    if (raw === undefined || raw === null) {
      const errors = input.required === false ? [] : [inputError(input.id, 'missing required input', null)];
      return { input, enabled: true, isDefault, errors };
    }
    const read = inputRules[input.type](raw, input);
    const parsed = 'reason' in read ? read : ((await this.#refusedByPattern(input, read.value)) ?? read);
    if ('reason' in parsed) {
      return {
        input,
        enabled: true,
        isDefault,
        errors: [inputError(input.id, parsed.reason, secret(input, raw))],
      };
    }
    if (input.type !== 'SECRET') return { input, value: parsed.value, enabled: true, isDefault, errors: [] };
    return { input, enabled: true, isDefault, ...(await this.#encrypted(input, String(parsed.value))) };
  }

  #defaultOf(input: Input, variables: Variables): Answer<unknown> {
    const { defaults } = input;
    if (typeof defaults === 'string') return renderTyped(defaults, variables, this.#context.host);
    if (typeof defaults === 'object' && defaults !== null) {
      return renderDeep(defaults, variables, this.#context.host);
    }
    return defaults;
  }

  /** [E202] Matches a validator that needs a backtracking engine. */
  async #refusedByPattern(input: Input, value: unknown): Promise<{ reason: string } | undefined> {
    if (typeof input.validator !== 'string' || (input.type !== 'STRING' && input.type !== 'SECRET'))
      return undefined;
    const pattern = compilePattern(input.validator);
    if (!('backtracking' in pattern)) return undefined;
    if (!this.#context.matchBacktracking)
      return { reason: `the pattern \`${input.validator}\` cannot be checked here` };
    const isMatch = await this.#context.matchBacktracking(pattern.backtracking, String(value));
    return isMatch ? undefined : { reason: `it must match the pattern \`${input.validator}\`` };
  }

  async #encrypted(input: Input, text: string): Promise<{ value?: unknown; errors: string[] }> {
    if (!this.#context.encrypt) {
      const reason = 'a SECRET cannot be stored because no encryption key is configured';
      return { errors: [inputError(input.id, reason, secret(input, text))] };
    }
    return { value: sealed(await this.#context.encrypt(text)), errors: [] };
  }
}

/** A secret is never repeated in a message. */
const secret = (input: Input, value: unknown): unknown =>
  input.type === 'SECRET' && value !== null ? hiddenText : value;

function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
