import { type Endpoint, JsonError, listEndpoints, type NamedEndpoint } from '@millrace/contract';
import { pathOf } from '../mount.ts';
import { type JsonSchema, Schemas } from './schemas.ts';

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { schema: JsonSchema }>>;

export interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: { required: boolean; content: Content };
  readonly responses: Readonly<Record<string, { description: string; content?: Content }>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { title: string; version: string; description: string; license: { name: string } };
  readonly tags: readonly { name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: JsonSchema;
  };
}

/** The contract as an OpenAPI document. It is fully generated, so it cannot differ from the contract. */
export function describeApi(version: string): OpenApiDocument {
  const endpoints = listEndpoints();
  const schemas = new Schemas();
  const errorSchema = schemas.of(JsonError, 'output');
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const named of endpoints) {
    const path = pathOf(named.endpoint);
    paths[path] = {
      ...paths[path],
      [named.endpoint.method.toLowerCase()]: describeOperation(named, schemas, errorSchema),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version,
      description:
        'Every path below `/api/v1` may also be written with the tenant: `/api/v1/main/flows/search`.',
      license: { name: 'Apache-2.0' },
    },
    tags: [...new Set(endpoints.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
    },
  };
}

function describeOperation(
  { group, name, endpoint }: NamedEndpoint,
  schemas: Schemas,
  errorSchema: JsonSchema,
): OpenApiOperation {
  const body = bodyOf(endpoint, schemas);
  return {
    operationId: name,
    tags: [group],
    summary: endpoint.summary,
    parameters: [
      ...parametersOf(endpoint.params && schemas.of(endpoint.params, 'input'), 'path'),
      ...parametersOf(endpoint.query && schemas.of(endpoint.query, 'input'), 'query'),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: {
      [String(endpoint.status)]: replyOf(endpoint, schemas),
      ...(endpoint.plainTextStatus === undefined
        ? {}
        : {
            [String(endpoint.plainTextStatus)]: {
              description: 'What went wrong, in a sentence',
              content: { 'text/plain': { schema: { type: 'string' } } },
            },
          }),
      default: { description: 'What went wrong', content: { 'application/json': { schema: errorSchema } } },
    },
    ...(endpoint.access === undefined || endpoint.access === 'credentials'
      ? { security: [{ basic: [] }] }
      : {}),
  };
}

function parametersOf(schema: JsonSchema | undefined, place: 'path' | 'query'): OpenApiParameter[] {
  const required = new Set((schema?.required as string[] | undefined) ?? []);
  const properties = (schema?.properties ?? {}) as Record<string, JsonSchema>;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: property,
  }));
}

function bodyOf(
  { bodyKind, body }: Endpoint,
  schemas: Schemas,
): { required: boolean; content: Content } | undefined {
  switch (bodyKind) {
    case 'none':
      return undefined;
    case 'json':
      return {
        required: true,
        content: { 'application/json': { schema: body ? schemas.of(body, 'input') : {} } },
      };
    case 'yaml':
      return { required: true, content: { 'application/x-yaml': { schema: { type: 'string' } } } };
    case 'text':
      return { required: false, content: { 'text/plain': { schema: { type: 'string' } } } };
    case 'multipart':
      return {
        required: false,
        content: {
          'multipart/form-data': {
            schema: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
      };
  }
}

function replyOf(
  { replyKind, reply }: Endpoint,
  schemas: Schemas,
): { description: string; content?: Content } {
  switch (replyKind) {
    case 'none':
      return { description: 'Done' };
    case 'json':
      return {
        description: 'The answer',
        content: { 'application/json': { schema: reply ? schemas.of(reply, 'output') : {} } },
      };
    case 'text':
      return { description: 'The text', content: { 'text/plain': { schema: { type: 'string' } } } };
    case 'stream':
      return {
        description: 'Server-sent events',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      };
    case 'file':
      return {
        description: 'The file',
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      };
  }
}
