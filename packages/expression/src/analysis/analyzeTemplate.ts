import { ExpressionError } from '../error.ts';
import { GenerationCache } from '../generationCache.ts';
import type { AppliedFilter, Arguments, Expression, Statement } from '../syntax/nodes.ts';
import { parseTemplate } from '../syntax/parseTemplate.ts';
import type { Analysis, CallUse, Print, Step, TextArgument, Use, VariableUse } from './use.ts';

const nothing: Analysis = { uses: [], prints: [] };
/** Long texts are scripts, which are seldom analyzed twice. */
const maxCached = 5000;
const known = new GenerationCache<string, Analysis>(1000);

/** Everything that a template reads and calls, in the order of the text, with offsets. Never throws. */
export function analyzeTemplate(source: string): Analysis {
  if (!source.includes('{')) return nothing;
  const before = known.get(source);
  if (before) return before;
  const analysis = analyze(source);
  if (source.length <= maxCached) known.set(source, analysis);
  return analysis;
}

function analyze(source: string): Analysis {
  try {
    const statements = parseTemplate(source);
    const analyzer = new Analyzer(localsOf(statements));
    analyzer.visitStatements(statements);
    return { uses: analyzer.settledUses(), prints: analyzer.prints };
  } catch (error) {
    if (error instanceof ExpressionError) return { ...nothing, problem: locate(error, source) };
    if (error instanceof RangeError) return nothing;
    throw error;
  }
}

/** The word at the offset of the error; without an offset the whole template is meant. */
function locate({ message, offset }: ExpressionError, source: string) {
  if (offset === undefined) return { message, start: 0, end: source.length };
  const start = Math.min(offset, Math.max(0, source.length - 1));
  const [word = ''] = /^\w+/.exec(source.slice(start)) ?? [];
  return { message, start, end: start + Math.max(1, word.length) };
}

/** Names that the template itself assigns. They count everywhere, because branches and loops may assign them. */
interface Locals {
  readonly variables: Set<string>;
  readonly macros: Set<string>;
}

function localsOf(statements: readonly Statement[], locals?: Locals): Locals {
  const found = locals ?? { variables: new Set(), macros: new Set() };
  for (const statement of statements) {
    if (statement.type === 'set' || statement.type === 'for') found.variables.add(statement.name);
    if (statement.type === 'for') found.variables.add('loop');
    if (statement.type === 'macro') {
      found.macros.add(statement.name);
      for (const { name } of statement.parameters) found.variables.add(name);
    }
    for (const body of bodiesOf(statement)) localsOf(body, found);
  }
  return found;
}

function bodiesOf(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.type) {
    case 'if':
      return [...statement.branches.map(({ body }) => body), statement.otherwise];
    case 'for':
      return [statement.body, statement.otherwise];
    case 'macro':
    case 'block':
    case 'filter':
      return [statement.body];
    default:
      return [];
  }
}

/** Tests that ask whether there is a value at all. */
const guardingTests = new Set(['defined', 'null', 'empty']);

class Analyzer {
  readonly prints: Print[] = [];
  readonly #uses: Use[] = [];
  readonly #locals: Locals;
  /** Above 0 while inside an operand whose missing value the template handles. */
  #guards = 0;

  constructor(locals: Locals) {
    this.#locals = locals;
  }

  /** A variable that is guarded once is optional: `x is defined ? x.y : ''`. */
  settledUses(): Use[] {
    const guarded = this.#uses.filter((use) => use.kind === 'variable' && use.isGuarded) as VariableUse[];
    if (guarded.length === 0) return this.#uses;
    return this.#uses.map((use) =>
      use.kind === 'variable' && guarded.some((other) => reaches(use, other))
        ? { ...use, isGuarded: true }
        : use,
    );
  }

  visitStatements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#visitStatement(statement);
  }

  #visitStatement(statement: Statement): void {
    switch (statement.type) {
      case 'text':
        return;
      case 'print':
        this.prints.push({ start: statement.start, end: statement.end });
        return this.#visit(statement.value);
      case 'set':
        return this.#visit(statement.value);
      case 'if':
        for (const { condition, body } of statement.branches) {
          this.#visit(condition);
          this.visitStatements(body);
        }
        return this.visitStatements(statement.otherwise);
      case 'for':
        this.#visit(statement.source);
        this.visitStatements(statement.body);
        return this.visitStatements(statement.otherwise);
      case 'macro':
        // A macro sees its parameters only, so what it reads says nothing about the flow.
        return this.#guarded(() => this.visitStatements(statement.body));
      case 'block':
        return this.visitStatements(statement.body);
      case 'filter':
        for (const filter of statement.filters) this.#call('filter', filter);
        return this.visitStatements(statement.body);
    }
  }

  #visit(node: Expression): void {
    switch (node.type) {
      case 'variable':
      case 'attribute':
        return this.#visitVariable(node);
      case 'method':
        // `map.getOrDefault(…)` and the like take what is missing for an empty answer.
        this.#guarded(() => this.#visit(node.target));
        return this.#visitArguments(node.args);
      case 'list':
        for (const item of node.items) this.#visit(item);
        return;
      case 'map':
        for (const part of node.entries.flat()) this.#visit(part);
        return;
      case 'interpolation':
        for (const part of node.parts) if (typeof part !== 'string') this.#visit(part);
        return;
      case 'unary':
        return this.#visit(node.operand);
      case 'binary':
        if (node.operator === '??' || node.operator === '???') this.#guarded(() => this.#visit(node.left));
        else this.#visit(node.left);
        return this.#visit(node.right);
      case 'filter':
        if (node.name === 'default') this.#guarded(() => this.#visit(node.input));
        else this.#visit(node.input);
        return this.#call('filter', node);
      case 'test':
        if (guardingTests.has(node.name)) this.#guarded(() => this.#visit(node.input));
        else this.#visit(node.input);
        return this.#call('test', node);
      case 'ternary':
        for (const part of [node.condition, node.then, node.otherwise]) this.#visit(part);
        return;
      case 'call':
        return this.#call('function', node);
    }
  }

  #visitVariable(node: Expression): void {
    const steps: Step[] = [];
    const keys: Expression[] = [];
    let at = node;
    while (at.type === 'attribute') {
      const { key } = at;
      const text = key.type === 'literal' ? String(key.value) : undefined;
      const isDotted = key.type === 'literal' && key.end - key.start === text?.length;
      steps.unshift({ key: text, isDotted, start: at.start, end: at.end });
      if (text === undefined) keys.unshift(key);
      at = at.target;
    }
    if (at.type !== 'variable') this.#visit(at);
    else if (!this.#locals.variables.has(at.name)) {
      const { name, start, end } = at;
      this.#uses.push({ kind: 'variable', name, steps, isGuarded: this.#guards > 0, start, end });
    }
    for (const key of keys) this.#visit(key);
  }

  #call(kind: CallUse['kind'], { name, start, end, args }: AppliedFilter): void {
    const isMacro = kind === 'function' && this.#locals.macros.has(name);
    const named = args.named.map((argument) => ({
      name: argument.name,
      start: argument.start,
      end: argument.end,
    }));
    const positional = args.positional.length;
    this.#uses.push({ kind, name, positional, named, texts: textsOf(args), isMacro, start, end });
    this.#visitArguments(args);
  }

  #visitArguments(args: Arguments): void {
    for (const value of args.positional) this.#visit(value);
    for (const { value } of args.named) this.#visit(value);
  }

  #guarded(visit: () => void): void {
    this.#guards += 1;
    visit();
    this.#guards -= 1;
  }
}

function textsOf({ positional, named }: Arguments): TextArgument[] {
  const texts: TextArgument[] = [];
  const add = (value: Expression, index: number, name: string | undefined) => {
    if (value.type === 'literal' && typeof value.value === 'string')
      texts.push({ name, index, text: value.value, start: value.start, end: value.end });
  };
  for (const [index, value] of positional.entries()) add(value, index, undefined);
  for (const [index, { name, value }] of named.entries()) add(value, positional.length + index, name);
  return texts;
}

/** Whether a use reads the other one or something below it. */
function reaches(use: VariableUse, other: VariableUse): boolean {
  if (use.name !== other.name || use.steps.length < other.steps.length) return false;
  return other.steps.every(({ key }, index) => key !== undefined && key === use.steps[index]?.key);
}
