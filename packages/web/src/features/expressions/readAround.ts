import { readYaml } from '@millrace/engine';

/** A line of YAML up to where its value begins. */
const beforeValue = /^\s*(?:- )*(?:[\w.-]+:)?/;

/** What a text says. A line that is still being written is seldom right: without its value the others can be read. */
export function readAround(text: string, offset: number): unknown {
  const whole = readYaml(text);
  if (!('problem' in whole)) return whole.data;
  const from = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const to = end < 0 ? text.length : end;
  const [kept = ''] = beforeValue.exec(text.slice(from, to)) ?? [];
  const others = readYaml(text.slice(0, from) + kept + text.slice(to));
  return 'problem' in others ? undefined : others.data;
}
