import type { Path } from '@millrace/engine';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { TextHistory } from '../../../state/useTextHistory.ts';
import { CodeEditor } from '../../../ui/code/index.ts';
import { isMap, readElementText, readYamlData, replaceElementText } from '../../forms/source/index.ts';
import styles from './ElementSheet.module.css';

interface ElementYamlProps {
  readonly source: string;
  readonly path: Path;
  readonly history: Pick<TextHistory, 'latest' | 'write'>;
}

/** The lines of one element. A text that is no map stays here until it is one; the flow keeps its last good text. */
export function ElementYaml({ source, path, history }: ElementYamlProps) {
  const { t } = useTranslation();
  const own = readElementText(source, path)?.text;
  const [draft, setDraft] = useState<{ text: string; base: string }>();
  if (own === undefined) return <p className={styles.note}>{t('graphEditor.noLines')}</p>;
  const shown = draft?.base === own ? draft.text : own;
  const change = (text: string) => {
    const isReadable = isMap(readYamlData(text));
    const next = isReadable ? replaceElementText(history.latest(), path, { comments: [], text }) : undefined;
    if (next === undefined || readYamlData(next) === undefined) return setDraft({ text, base: own });
    setDraft({ text, base: readElementText(next, path)?.text ?? own });
    history.write(next, `yaml ${path.join('.')}`);
  };
  return (
    <div className={styles.code}>
      <CodeEditor
        value={shown}
        language="yaml"
        path="element.yaml"
        onChange={change}
        ariaLabel={t('graphEditor.yamlLabel')}
      />
    </div>
  );
}
