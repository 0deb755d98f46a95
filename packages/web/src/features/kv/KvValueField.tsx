import { JsonInput, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import type { KvType } from '@millrace/contract';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { DateField } from '../../ui/fields/DateField.tsx';

interface KvValueFieldProps {
  type: KvType;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

/** The field that fits the type; what it holds is always the text of the value. */
export function KvValueField({ type, text, onChange, error }: KvValueFieldProps) {
  const { t } = useTranslation();
  const label = t('kv.value');
  switch (type) {
    case 'NUMBER':
      return (
        <NumberInput
          label={label}
          value={text}
          onChange={(value) => onChange(String(value))}
          error={error}
          required
        />
      );
    case 'BOOLEAN':
      return (
        <Switch
          label={label}
          checked={text === 'true'}
          onChange={(event) => onChange(String(event.currentTarget.checked))}
        />
      );
    case 'DATE':
      return (
        <DateField
          type="DATE"
          label={label}
          text={text.slice(0, 10)}
          onText={onChange}
          error={error}
          required
        />
      );
    case 'DATETIME':
      return <DateField type="DATETIME" label={label} text={text} onText={onChange} error={error} required />;
    case 'DURATION':
      return (
        <TextInput
          label={label}
          placeholder="PT1H30M"
          value={text}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
          error={error}
          required
        />
      );
    case 'JSON':
      return (
        <JsonInput
          label={label}
          value={text}
          onChange={onChange}
          formatOnBlur
          autosize
          minRows={6}
          maxRows={20}
          error={error}
          required
        />
      );
    default:
      return (
        <Textarea
          label={label}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={16}
          error={error}
        />
      );
  }
}
