import type { Definition, MetricInfo } from './definition.ts';
import type { JsonSchema } from './jsonSchema.ts';

interface Parts {
  readonly definition: Definition;
  readonly properties: JsonSchema;
  readonly outputs?: JsonSchema;
  /** A note at the top of the page, for an alias or a deprecated type. */
  readonly note?: string;
}

/** The page of a type as text: title, description, the line to write, examples, properties, outputs, metrics. */
export function documentMarkdown({ definition, properties, outputs, note }: Parts): string {
  const metrics = 'metrics' in definition ? (definition.metrics ?? []) : [];
  return [
    `# ${definition.type.split('.').at(-1)}`,
    ...(note ? [`> ${note}`] : []),
    `**${definition.title}**`,
    definition.description,
    `\`\`\`yaml\ntype: "${definition.type}"\n\`\`\``,
    ...section(
      'Examples',
      definition.examples.map(({ title, code }) => `> ${title}\n\n\`\`\`yaml\n${code.trim()}\n\`\`\``),
    ),
    ...section('Properties', describeAll(properties)),
    ...section('Outputs', outputs ? describeOutputs(outputs) : []),
    ...section('Metrics', metrics.map(describeMetric)),
  ]
    .join('\n\n')
    .concat('\n');
}

const section = (title: string, entries: readonly string[]): string[] =>
  entries.length > 0 ? [`## ${title}`, ...entries] : [];

const describeAll = (schema: JsonSchema): string[] =>
  propertiesOf(schema).map(([name, property]) => describeOne(name, property, factsOf(property)));

/** Users do not write outputs, so their descriptions mention neither expressions nor required values. */
const describeOutputs = (schema: JsonSchema): string[] =>
  propertiesOf(schema).map(([name, output]) => describeOne(name, output, [`**Type:** ${plainType(output)}`]));

const propertiesOf = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries((schema.properties as Record<string, JsonSchema> | undefined) ?? {});

function describeOne(name: string, property: JsonSchema, facts: readonly string[]): string {
  const text = typeof property.description === 'string' ? `\n\n${property.description}` : '';
  const inner = describeInner(name, property);
  const parts = inner.length > 0 ? `\n\n${inner.join('\n')}` : '';
  return `### \`${name}\`\n\n${facts.map((fact) => `* ${fact}`).join('\n')}${text}${parts}`;
}

const factsOf = (property: JsonSchema): string[] => [
  `**Type:** ${typeName(property)}`,
  ...(property.$dynamic === true ? ['**Dynamic:** yes'] : []),
  ...(property.$required === true ? ['**Required:** yes'] : []),
  ...(property.default === undefined ? [] : [`**Default:** \`${JSON.stringify(property.default)}\``]),
  ...(Array.isArray(property.enum) ? [`**Values:** ${valuesOf(property.enum)}`] : []),
];

const valuesOf = (values: readonly unknown[]): string => values.map((value) => `\`${value}\``).join(', ');

/** The nested properties of a property, one line each, by path. */
function describeInner(path: string, { items, additionalProperties, ...property }: JsonSchema): string[] {
  const own = propertiesOf(property).flatMap(([name, inner]) => [
    describeLine(`${path}.${name}`, inner),
    ...describeInner(`${path}.${name}`, inner),
  ]);
  return [
    ...own,
    ...(isMap(items) ? describeInner(`${path}[]`, items) : []),
    ...(isMap(additionalProperties) ? describeInner(`${path}.*`, additionalProperties) : []),
  ];
}

const isMap = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

function describeLine(path: string, property: JsonSchema): string {
  const facts = [
    plainType(property),
    ...(property.$required === true ? ['required'] : []),
    ...(property.default === undefined ? [] : [`default \`${JSON.stringify(property.default)}\``]),
    ...(Array.isArray(property.enum) ? [`one of ${valuesOf(property.enum)}`] : []),
  ];
  return `* \`${path}\` (${facts.join(', ')}): ${property.description ?? ''}`.trimEnd();
}

/** The type without the expression alternative that a form offers for a number or switch. */
function plainType({ oneOf, ...schema }: JsonSchema): string {
  const [native] = Array.isArray(oneOf) ? oneOf : [];
  return typeName(isMap(native) ? { ...schema, ...native } : schema);
}

function typeName(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'object';
  const [whole] = Array.isArray(schema.allOf) ? schema.allOf : [];
  if (isMap(whole)) return typeName(whole);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches))
    return [...new Set(branches.map((branch) => typeName(branch as JsonSchema)))].join(' or ');
  if (schema.type === 'array') return `list of ${typeName((schema.items as JsonSchema | undefined) ?? {})}`;
  if (schema.format === 'duration') return 'duration';
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return typeof schema.type === 'string' ? schema.type : 'any value';
}

const describeMetric = ({ name, type, unit, description }: MetricInfo): string =>
  `### \`${name}\`\n\n* **Type:** ${type}${unit ? `\n* **Unit:** ${unit}` : ''}\n\n${description}`;
