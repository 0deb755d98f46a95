import { type FlowValidation, tellViolations } from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import { Findings } from './findings.ts';
import { isData } from './read/fields.ts';
import { readFlow } from './read/readFlow.ts';
import { validateFlow } from './validateFlow.ts';
import { describeInfos, describeWarnings, violationsOf } from './validation.ts';
import { readYaml } from './yaml/readYaml.ts';

/** [E167] Validates one task or trigger alone, as a form does before it is put into a flow. JSON is YAML too. */
export function validateTask(
  source: string,
  section: 'TASKS' | 'TRIGGERS',
  catalogue?: Catalogue,
): FlowValidation {
  const reading = readYaml(source);
  if ('problem' in reading)
    return {
      index: 0,
      outdated: false,
      ...tellViolations([{ path: 'yaml', message: reading.problem.message }]),
    };
  if (!isData(reading.data))
    return {
      index: 0,
      outdated: false,
      ...tellViolations([{ path: '', message: 'expected a map with an id and a type' }]),
    };
  const findings = new Findings();
  for (const { message } of reading.keyProblems) findings.error([], message);
  const list = section === 'TASKS' ? 'tasks' : 'triggers';
  // Wrapping it in a flow applies every rule; only findings about the task or trigger itself are kept.
  const { flow } = readFlow({ id: 'flow', namespace: 'namespace', [list]: [reading.data] }, findings);
  validateFlow(flow, findings, catalogue ? { catalogue } : {});
  const prefix = `${list}[0]`;
  const own = findings.all
    .filter(({ path }) => path === '' || path.startsWith(prefix))
    .map((finding) => ({ ...finding, path: finding.path.slice(prefix.length).replace(/^\./, '') }));
  const warnings = describeWarnings(own);
  const infos = describeInfos(own);
  const deprecationPaths = own.filter((it) => it.severity === 'deprecation').map((it) => it.path);
  return {
    index: 0,
    outdated: false,
    ...tellViolations(violationsOf(own)),
    ...(deprecationPaths.length > 0 && { deprecationPaths }),
    ...(warnings.length > 0 && { warnings }),
    ...(infos.length > 0 && { infos }),
  };
}
