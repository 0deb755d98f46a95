import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../ui/markdown/CodeBlock.tsx';
import type { ApiOperation } from './openApi.ts';
import styles from './widgets.module.css';

/** One call: its parameters, what it takes and what it answers. The details are drawn when they are opened. */
export function Operation({ operation }: { operation: ApiOperation }) {
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
