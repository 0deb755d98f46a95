import { readYaml } from '../../flow/yaml/readYaml.ts';
import { expected, type InputRule } from './inputRule.ts';

/** Text is read; anything already structured is taken as it is. */
export const json: InputRule = (value) => {
  if (typeof value !== 'string') return { value };
  try {
    return { value: JSON.parse(value) };
  } catch {
    return expected('JSON');
  }
};

export const yaml: InputRule = (value) => {
  if (typeof value !== 'string') return { value };
  const reading = readYaml(value);
  if ('problem' in reading || reading.keyProblems.length > 0) return expected('YAML');
  return { value: reading.data };
};
