import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BrokenPart } from '../../ui/ErrorBoundary.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { CodeBlock } from '../../ui/markdown/CodeBlock.tsx';
import { useDocPlace } from './DocContext.tsx';
import { resourceUrl } from './queries.ts';
import styles from './widgets/widgets.module.css';

/** The calls of the API, to read only: nothing to sign in with, no server to choose, nothing to send. */
export function ApiViewer({ spec }: { spec: 'oss' | 'enterprise' }) {
  const { t } = useTranslation();
  const { version } = useDocPlace();
  const { data, error, refetch } = useQuery({
    queryKey: ['docs', version, 'api', spec],
    queryFn: async ({ signal }) => {
      const response = await fetch(resourceUrl(version, `${spec}.json`), { signal });
      if (!response.ok) throw new Error(t('docs.noApi', { status: response.status }));
      return OpenApi.parse(await response.json());
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error) return <BrokenPart error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <section className={styles.api} aria-label={data.info.title}>
      {groupsOf(data).map(({ tag, operations }) => (
        <details key={tag}>
          <summary>
            {tag} ({operations.length})
          </summary>
          {operations.map((operation) => (
            <Operation key={`${operation.method} ${operation.path}`} operation={operation} />
          ))}
        </details>
      ))}
    </section>
  );
}

/** One call: its parameters, request and responses. The details render when they are opened. */
function Operation({ operation }: { operation: ApiOperation }) {
  const [isOpen, setOpen] = useState(false);
  const { method, path, summary } = operation;
  return (
    <details className={styles.operation} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.method} data-method={method}>
          {method.toUpperCase()}
        </span>
        <span>
          <span className={styles.path}>{path}</span>
          <br />
          <span className={styles.cardText}>{summary}</span>
        </span>
      </summary>
      {isOpen && <Details operation={operation} />}
    </details>
  );
}

function Details({ operation }: { operation: ApiOperation }) {
  const { t } = useTranslation();
  const { parameters = [], requestBody, responses = {} } = operation;
  return (
    <div className={styles.operationBody}>
      {parameters.length > 0 && (
        <>
          <h4>{t('docs.api.parameters')}</h4>
          <div data-table="">
            <table>
              <tbody>
                {parameters.map(({ name, in: place, required, schema }) => (
                  <tr key={`${place}${name}`}>
                    <td>
                      <code>{name}</code>
                      {required && ' *'}
                    </td>
                    <td>{place}</td>
                    <td>{typeof schema?.type === 'string' ? schema.type : ''}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <Bodies title={t('docs.api.body')} content={requestBody?.content} />
      {Object.entries(responses).map(([status, { description, content }]) => (
        <Bodies key={status} title={`${status} ${description ?? ''}`} content={content} always />
      ))}
    </div>
  );
}

interface BodiesProps {
  title: string;
  content: NonNullable<ApiOperation['requestBody']>['content'];
  always?: boolean;
}

function Bodies({ title, content = {}, always = false }: BodiesProps): ReactNode {
  const bodies = Object.entries(content);
  if (bodies.length === 0 && !always) return null;
  return (
    <>
      <h4>{title}</h4>
      {bodies.map(([type, { schema }]) => (
        <div key={type}>
          <code>{type}</code>
          {schema && (
            <CodeBlock>
              <code className="language-json">{JSON.stringify(schema, null, 2)}</code>
            </CodeBlock>
          )}
        </div>
      ))}
    </>
  );
}

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

const OpenApi = z.looseObject({
  info: z.looseObject({ title: z.string() }),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), OperationObject)),
});
type OpenApi = z.infer<typeof OpenApi>;

interface ApiOperation extends z.infer<typeof OperationObject> {
  readonly method: (typeof methods)[number];
  readonly path: string;
}

/** The operations by their first tag, in the order of the document. */
function groupsOf({ paths }: OpenApi): { tag: string; operations: ApiOperation[] }[] {
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
