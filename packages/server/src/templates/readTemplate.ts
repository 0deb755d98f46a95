import { AppError, type FlowValidation, mainTenant, type Template, tellViolations } from '@millrace/contract';
import { type Catalogue, parseFlow, readYaml, violationsOf } from '@millrace/engine';
import { stringify } from 'yaml';

const properties = new Set(['id', 'namespace', 'description', 'tasks', 'errors']);
/** Fields of responses that clients send back and the server ignores. */
const ignored = new Set(['tenantId', 'deleted', 'revision', 'disabled']);

type Reading =
  | { readonly template: Template; readonly validation: FlowValidation }
  | { readonly template?: undefined; readonly validation: FlowValidation };

/** Reads one template from JSON or YAML. A template is a flow of which only the tasks are allowed. */
export function readTemplate(source: string, catalogue: Catalogue, index = 0): Reading {
  const reading = readYaml(source);
  const data = 'problem' in reading ? undefined : reading.data;
  const known: Record<string, unknown> = {};
  const unknown: { path: string; message: string }[] = [];
  for (const [key, value] of isMap(data) ? Object.entries(data) : []) {
    if (properties.has(key)) known[key] = value;
    else if (!ignored.has(key)) unknown.push({ path: key, message: 'is not a property of a template' });
  }
  // Without the properties that are not a template's, so that only its own ones are judged.
  const { flow, issues } = parseFlow(isMap(data) ? JSON.stringify(known) : source, catalogue);
  const told = tellViolations([...violationsOf(issues), ...unknown]);
  const validation = {
    ...(flow?.id ? { flow: flow.id } : {}),
    ...(flow?.namespace ? { namespace: flow.namespace } : {}),
    index,
    outdated: false,
    ...told,
  };
  if (!flow || told.violations) return { validation };
  const { id, namespace, description, tasks, errors } = flow;
  return {
    validation,
    template: {
      tenantId: mainTenant,
      namespace,
      id,
      ...(description === undefined ? {} : { description }),
      tasks,
      ...(errors === undefined ? {} : { errors }),
      deleted: false,
    },
  };
}

/** The template of a text that has no errors. */
export function fitTemplate(source: string, catalogue: Catalogue): Template {
  const { template, validation } = readTemplate(source, catalogue);
  if (template) return template;
  const problem = validation.constraints ?? 'the text is not a template';
  throw new AppError('invalid-entity', problem, {
    errors: validation.violations ?? [{ message: problem }],
  });
}

/** The texts of a list of templates: a JSON or YAML list, or documents. */
export function splitTemplates(source: string, documents: readonly string[]): string[] {
  const reading = readYaml(source);
  const data = 'problem' in reading ? undefined : reading.data;
  return Array.isArray(data) ? data.map((item) => JSON.stringify(item)) : [...documents];
}

/** The YAML of a template. */
export function writeTemplate({ id, namespace, description, tasks, errors }: Template): string {
  return stringify({
    id,
    namespace,
    ...(description === undefined ? {} : { description }),
    tasks,
    ...(errors === undefined ? {} : { errors }),
  });
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
