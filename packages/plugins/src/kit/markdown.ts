import type { Definition, MetricInfo } from './definition.ts';
import type { JsonSchema } from './jsonSchema.ts';

interface Parts {
  readonly definition: Definition;
  readonly properties: JsonSchema;
  readonly outputs?: JsonSchema;
  /** Said before everything else, for an old name or a deprecated type. */
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
    ...section('Outputs', outputs ? describeAll(outputs) : []),
    ...section('Metrics', metrics.map(describeMetric)),
  ]
    .join('\n\n')
    .concat('\n');
}

const section = (title: string, entries: readonly string[]): string[] =>
  entries.length > 0 ? [`## ${title}`, ...entries] : [];

const describeAll = (schema: JsonSchema): string[] =>
  Object.entries((schema.properties as Record<string, JsonSchema> | undefined) ?? {}).map(describeOne);

function describeOne([name, property]: [string, JsonSchema]): string {
  const facts = [
    `**Type:** ${typeName(property)}`,
    ...(property.$dynamic === true ? ['**Dynamic:** yes'] : []),
    ...(property.$required === true ? ['**Required:** yes'] : []),
    ...(property.default === undefined ? [] : [`**Default:** \`${JSON.stringify(property.default)}\``]),
    ...(Array.isArray(property.enum)
      ? [`**Values:** ${property.enum.map((v) => `\`${v}\``).join(', ')}`]
      : []),
  ];
  const text = typeof property.description === 'string' ? `\n\n${property.description}` : '';
  return `### \`${name}\`\n\n${facts.map((fact) => `* ${fact}`).join('\n')}${text}`;
}

function typeName(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? 'object';
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches))
    return [...new Set(branches.map((branch) => typeName(branch as JsonSchema)))].join(' or ');
  if (schema.type === 'array') return `list of ${typeName((schema.items as JsonSchema | undefined) ?? {})}`;
  if (schema.format === 'duration') return 'duration';
  return typeof schema.type === 'string' ? schema.type : 'any value';
}

const describeMetric = ({ name, type, unit, description }: MetricInfo): string =>
  `### \`${name}\`\n\n* **Type:** ${type}${unit ? `\n* **Unit:** ${unit}` : ''}\n\n${description}`;
