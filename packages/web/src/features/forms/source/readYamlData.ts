import { readYaml } from '@millrace/engine';

let last: { readonly source: string; readonly data: unknown } | undefined;

/** The data of a text; undefined for one that is no YAML. The last result is kept: edits ask for it several times. */
export function readYamlData(source: string): unknown {
  if (last?.source === source) return last.data;
  const reading = readYaml(source);
  last = { source, data: 'problem' in reading ? undefined : reading.data };
  return last.data;
}
