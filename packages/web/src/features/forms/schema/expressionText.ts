import { readYaml } from '@millrace/engine';
import { print } from '../source/print.ts';

export type ReadText = { readonly value: unknown } | { readonly problem: string };

/** A text that begins with a template expression is meant as that text; any other is YAML. */
export function readExpressionText(text: string): ReadText {
  if (text.trimStart().startsWith('{{')) return { value: text };
  if (text.trim() === '') return { value: undefined };
  const reading = readYaml(text);
  if ('problem' in reading) return { problem: reading.problem.message };
  const [duplicate] = reading.keyProblems;
  return duplicate ? { problem: duplicate.message } : { value: reading.data };
}

/** The same the other way round: what would be read as this very value. */
export function showExpressionText(value: unknown): string {
  if (value === undefined || value === '') return '';
  if (typeof value === 'string') {
    const read = readExpressionText(value);
    if ('value' in read && read.value === value) return value;
  }
  return print(value);
}
