import type { Template } from '../context.ts';
import { ExpressionError, locateError } from '../error.ts';
import { GenerationCache } from '../generationCache.ts';
import { defaultLimits } from '../limits.ts';
import { parseTemplate } from '../syntax/parseTemplate.ts';
import { compileStatements, type Declarations } from './compileStatements.ts';

const templates = new GenerationCache<string, Template>(1000);

/** The template of a source text, compiled at its first use. Throws ExpressionError with the line of the mistake. */
export function compile(source: string): Template {
  return templates.get(source) ?? compileNew(source);
}

function compileNew(source: string): Template {
  if (source.length > defaultLimits.maxSource) {
    const message = `The expression is longer than ${defaultLimits.maxSource} characters`;
    // The error quotes only the start of the source.
    throw locateError(new ExpressionError(message, 'limit'), `${source.slice(0, 100)}…`, 1);
  }
  try {
    const declared: Declarations = { macros: new Map(), blocks: new Map() };
    const body = compileStatements(parseTemplate(source), declared);
    const template = { source, body, ...declared };
    templates.set(source, template);
    return template;
  } catch (error) {
    throw locateError(error, source, 1);
  }
}
