import type { Issue } from '@millrace/contract';
import type { Path } from '@millrace/engine';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { TextHistory } from '../../../state/useTextHistory.ts';
import { BrokenPart, Loading } from '../../../ui/index.ts';
import { FormContext } from '../FormHost.ts';
import { WidgetsContext } from '../fields/Widget.tsx';
import { widgets } from '../fields/widgets.ts';
import { asSchema } from '../schema/schema.ts';
import { valueAt } from '../source/edit.ts';
import { ElementForm, type ElementView } from './ElementForm.tsx';
import { type AskedSchema, formHostOf, useReadFlow } from './formHost.ts';

export interface ElementEditorProps {
  readonly source: string;
  readonly path: Path;
  readonly history: Pick<TextHistory, 'latest' | 'write'>;
  readonly issues: readonly Issue[];
  readonly schema: AskedSchema;
  readonly isReadOnly: boolean;
  readonly view: ElementView;
  /** Called before an expression is completed for the first time. */
  readonly onComplete?: (() => void) | undefined;
  /** Shows the form of another element, such as a task inside this one. */
  onOpen(path: Path): void;
}

/** The form of one task or trigger, outside of the no-code editor. */
export function ElementEditor({
  source,
  path,
  history,
  issues,
  schema,
  isReadOnly,
  view,
  onComplete,
  onOpen,
}: ElementEditorProps) {
  const { t } = useTranslation();
  const read = useReadFlow(source);
  if (!schema.data)
    return schema.error ? (
      <BrokenPart error={schema.error} onRetry={() => void schema.refetch()} />
    ) : (
      <Loading />
    );
  if (valueAt(read.data, path) === undefined) return null;
  const host = formHostOf({
    read,
    history,
    issues,
    schema,
    path,
    isReadOnly: isReadOnly || read.problem !== undefined,
    isSaved: true,
    open: onOpen,
    onComplete,
    t,
  });
  return (
    <WidgetsContext value={widgets}>
      <FormContext value={host}>
        <ElementForm path={path} root={asSchema(host.definitions.Flow)} view={view} />
      </FormContext>
    </WidgetsContext>
  );
}
