import type { Context, Execute, Macro } from '../context.ts';
import { Scope } from '../context.ts';
import { nameOf } from '../definition.ts';
import { ExpressionError } from '../error.ts';
import type { Statement } from '../syntax/nodes.ts';
import { entriesOf, itemsOf } from '../values/kind.ts';
import { compileExpression } from './compileExpression.ts';
import { compileApplied } from './compileFilter.ts';
import { truthOf } from './truth.ts';

/** The macros and blocks of a template; filled while its statements are compiled. */
export interface Declarations {
  readonly macros: Map<string, Macro>;
  readonly blocks: Map<string, Execute>;
}

export function compileStatements(statements: readonly Statement[], declared: Declarations): Execute {
  const steps = statements.map((statement) => compileStatement(statement, declared));
  const [only] = steps;
  if (steps.length === 1 && only) return only;
  return (context) => {
    for (let index = 0; index < steps.length; index++) steps[index]?.(context);
  };
}

function compileStatement(statement: Statement, declared: Declarations): Execute {
  switch (statement.type) {
    case 'text': {
      const { text } = statement;
      return (context) => context.write(text);
    }
    case 'print': {
      const value = compileExpression(statement.value);
      const { line } = statement;
      return (context) => {
        context.line = line;
        context.print(value(context));
      };
    }
    case 'set': {
      const value = compileExpression(statement.value);
      const { name, line } = statement;
      return (context) => {
        context.line = line;
        context.assign(name, value(context));
      };
    }
    case 'if':
      return compileIf(statement, declared);
    case 'for':
      return compileFor(statement, declared);
    case 'filter':
      return compileFilterTag(statement, declared);
    case 'macro': {
      const parameters = statement.parameters.map(({ name, fallback }) => ({
        name,
        fallback: fallback && compileExpression(fallback),
      }));
      declared.macros.set(statement.name, { parameters, body: compileStatements(statement.body, declared) });
      return () => {};
    }
    case 'block': {
      const body = compileStatements(statement.body, declared);
      declared.blocks.set(statement.name, body);
      return body;
    }
  }
}

function compileIf(statement: Extract<Statement, { type: 'if' }>, declared: Declarations): Execute {
  const branches = statement.branches.map(({ condition, body, line }) => ({
    condition: compileExpression(condition),
    body: compileStatements(body, declared),
    line,
  }));
  const otherwise = compileStatements(statement.otherwise, declared);
  return (context) => {
    for (const branch of branches) {
      context.line = branch.line;
      if (truthOf(branch.condition(context), 'conditional expression')) return branch.body(context);
    }
    otherwise(context);
  };
}

function compileFor(statement: Extract<Statement, { type: 'for' }>, declared: Declarations): Execute {
  const source = compileExpression(statement.source);
  const body = compileStatements(statement.body, declared);
  const otherwise = compileStatements(statement.otherwise, declared);
  const { name, line } = statement;
  return (context) => {
    context.line = line;
    const value = source(context);
    if (value === null) return;
    const items = itemsOf(value) ?? entriesOf(value)?.map(([key, item]) => ({ key, value: item }));
    if (!items) throw new ExpressionError(`Not an iterable object. Value = [${nameOf(value)}]`);
    if (items.length === 0) otherwise(context);
    else repeat(items, name, body, context);
  };
}

/** All iterations share one scope, so that each sees the variables that earlier ones set. */
function repeat(items: readonly unknown[], name: string, body: Execute, context: Context): void {
  const outer = context.ensureScope();
  const scope = new Scope(outer);
  context.scope = scope;
  const { length } = items;
  try {
    for (let index = 0; index < length; index++) {
      context.session.charge(1);
      scope.values.set('loop', {
        index,
        length,
        first: index === 0,
        last: index === length - 1,
        revindex: length - 1 - index,
      });
      scope.values.set(name, items[index] ?? null);
      body(context);
    }
  } finally {
    context.scope = outer;
  }
}

function compileFilterTag(
  statement: Extract<Statement, { type: 'filter' }>,
  declared: Declarations,
): Execute {
  const body = compileStatements(statement.body, declared);
  const applied = statement.filters.map((filter) => compileApplied(filter, compileExpression));
  const { line } = statement;
  return (context) => {
    let value: unknown = context.capture(body);
    context.line = line;
    for (const apply of applied) value = apply(value, context);
    context.print(value);
  };
}
