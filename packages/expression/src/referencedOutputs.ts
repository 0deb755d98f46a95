import { ExpressionError } from './error.ts';
import type { Arguments, Expression, Statement } from './syntax/nodes.ts';
import { parseTemplate } from './syntax/parseTemplate.ts';

/** Functions that may read any variable, or any output, without naming it. */
const reachesEverything = new Set(['printContext', 'fetchContext', 'parentOutput', 'render', 'renderOnce']);

/** The `outputs.<taskId>` that a template can read, so that only those are loaded; `'all'` when unknown. */
export function referencedOutputs(source: string): string[] | 'all' {
  if (!source.includes('{')) return [];
  const finder = new OutputFinder();
  try {
    finder.visitStatements(parseTemplate(source));
  } catch (error) {
    // A template that does not parse reads nothing, because rendering fails first.
    if (error instanceof ExpressionError || error instanceof RangeError) return [];
    throw error;
  }
  return finder.isOpen ? 'all' : [...finder.taskIds];
}

class OutputFinder {
  readonly taskIds = new Set<string>();
  isOpen = false;

  visitStatements(statements: readonly Statement[]): void {
    for (const statement of statements) this.visitStatement(statement);
  }

  private visitStatement(statement: Statement): void {
    switch (statement.type) {
      case 'print':
      case 'set':
        this.visit(statement.value);
        break;
      case 'if':
        for (const { condition, body } of statement.branches) {
          this.visit(condition);
          this.visitStatements(body);
        }
        this.visitStatements(statement.otherwise);
        break;
      case 'for':
        this.visit(statement.source);
        this.visitStatements([...statement.body, ...statement.otherwise]);
        break;
      case 'macro':
        for (const { fallback } of statement.parameters) if (fallback) this.visit(fallback);
        this.visitStatements(statement.body);
        break;
      case 'block':
        this.visitStatements(statement.body);
        break;
      case 'filter':
        for (const { args } of statement.filters) this.visitArguments(args);
        this.visitStatements(statement.body);
    }
  }

  private visit(node: Expression): void {
    switch (node.type) {
      case 'variable':
        // A bare `outputs` may be read anywhere, and parents have outputs too.
        if (['outputs', 'parent', 'parents', '_context'].includes(node.name)) this.isOpen = true;
        break;
      case 'attribute':
        if (node.target.type === 'variable' && node.target.name === 'outputs') this.visitOutput(node.key);
        else {
          this.visit(node.target);
          this.visit(node.key);
        }
        break;
      case 'method':
        this.visit(node.target);
        this.visitArguments(node.args);
        break;
      case 'list':
        for (const item of node.items) this.visit(item);
        break;
      case 'map':
        for (const part of node.entries.flat()) this.visit(part);
        break;
      case 'interpolation':
        for (const part of node.parts) if (typeof part !== 'string') this.visit(part);
        break;
      case 'unary':
        this.visit(node.operand);
        break;
      case 'binary':
        this.visit(node.left);
        this.visit(node.right);
        break;
      case 'filter':
      case 'test':
        this.visit(node.input);
        this.visitArguments(node.args);
        break;
      case 'ternary':
        for (const part of [node.condition, node.then, node.otherwise]) this.visit(part);
        break;
      case 'call':
        this.visitCall(node);
    }
  }

  private visitOutput(key: Expression): void {
    if (key.type === 'literal') this.taskIds.add(String(key.value));
    else this.isOpen = true;
  }

  private visitCall(node: Extract<Expression, { type: 'call' }>): void {
    this.visitArguments(node.args);
    if (reachesEverything.has(node.name)) this.isOpen = true;
    if (node.name === 'iterationOutput') {
      const taskId = node.args.positional[0] ?? node.args.named.find(({ name }) => name === 'taskId')?.value;
      if (taskId) this.visitOutput(taskId);
      else this.isOpen = true;
    }
  }

  private visitArguments(args: Arguments): void {
    for (const value of args.positional) this.visit(value);
    for (const { value } of args.named) this.visit(value);
  }
}
