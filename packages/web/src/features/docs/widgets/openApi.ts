import { z } from 'zod';

/** The parts of an OpenAPI document that the viewer shows. */
const Schema = z.record(z.string(), z.unknown());
const Content = z.record(z.string(), z.looseObject({ schema: Schema.optional() }));

const Parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema.optional(),
});

const OperationObject = z.looseObject({
  summary: z.string().optional(),
  tags: z.array(z.string()).optional(),
  parameters: z.array(Parameter).optional(),
  requestBody: z.looseObject({ content: Content.optional() }).optional(),
  responses: z
    .record(z.string(), z.looseObject({ description: z.string().optional(), content: Content.optional() }))
    .optional(),
});

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const OpenApi = z.looseObject({
  info: z.looseObject({ title: z.string() }),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), OperationObject)),
});
export type OpenApi = z.infer<typeof OpenApi>;

export interface ApiOperation extends z.infer<typeof OperationObject> {
  readonly method: (typeof methods)[number];
  readonly path: string;
}

/** The operations by their first tag, in the order of the document. */
export function groupsOf({ paths }: OpenApi): { tag: string; operations: ApiOperation[] }[] {
  const groups = new Map<string, ApiOperation[]>();
  for (const [path, item] of Object.entries(paths))
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? 'API';
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, method, path }]);
    }
  return [...groups].map(([tag, operations]) => ({ tag, operations }));
}
