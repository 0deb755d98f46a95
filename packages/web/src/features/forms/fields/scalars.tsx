import '@mantine/dates/styles.layer.css';
import { Autocomplete, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { instantToLocal, localToInstant } from '../../../format/timeZone.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { WidgetProps } from '../FormHost.ts';
import { numberOf } from '../schema/schema.ts';
import { CodeArea, CodeInput } from './code.tsx';
import styles from './fields.module.css';

const showText = (value: unknown): string => (value === undefined || value === null ? '' : String(value));
export const showDefault = (schema: WidgetProps['field']['schema']): string =>
  schema.default === undefined || typeof schema.default === 'object' ? '' : String(schema.default);

/** Texts grow with what is in them; a name never has a second line. */
export function TextWidget({
  field,
  name,
  value,
  error,
  isReadOnly,
  onChange,
  control,
}: WidgetProps<'string'>) {
  const Code = name === 'id' ? CodeInput : CodeArea;
  return (
    <Code
      control={control}
      error={error}
      isReadOnly={isReadOnly}
      placeholder={showDefault(field.schema)}
      text={showText(value)}
      onText={onChange}
    />
  );
}

/** A value that is not a number is shown as written, so that the user can correct it. */
export function NumberWidget(props: WidgetProps<'number'>) {
  const { field, value, error, isReadOnly, onChange, control } = props;
  const { schema } = field;
  const min = numberOf(schema.minimum) ?? numberOf(schema.exclusiveMinimum);
  const max = numberOf(schema.maximum) ?? numberOf(schema.exclusiveMaximum);
  const step = numberOf(schema.multipleOf) ?? numberOf(schema.step) ?? 1;
  if (value !== undefined && value !== null && typeof value !== 'number') {
    return (
      <CodeInput
        control={control}
        error={error}
        isReadOnly={isReadOnly}
        text={String(value)}
        onText={(text) => {
          const number = Number(text);
          onChange(text.trim() === '' ? undefined : Number.isNaN(number) ? text : number);
        }}
      />
    );
  }
  return (
    <NumberInput
      {...control}
      maw={220}
      classNames={{ input: styles.code ?? '' }}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      step={step}
      allowDecimal={schema.type !== 'integer'}
      clampBehavior="none"
      placeholder={showDefault(schema)}
      error={error}
      readOnly={isReadOnly}
      value={value ?? ''}
      onChange={(next) => {
        if (typeof next === 'number') onChange(next);
        else if (next === '') onChange(undefined);
      }}
    />
  );
}

/** "Not set" is a separate choice, because the default may change. */
export function BooleanWidget(props: WidgetProps<'boolean'>) {
  const { field, name, value, isRequired, isReadOnly, onChange, control } = props;
  const { t } = useTranslation();
  const fallback = field.schema.default;
  const unset =
    typeof fallback === 'boolean'
      ? t('form.default', { value: t(fallback ? 'boolean.true' : 'boolean.false') })
      : t('boolean.undefined');
  const isKnown = typeof value === 'boolean' || value === undefined || value === null;
  return (
    <SegmentedControl
      size="xs"
      className={styles.choice ?? ''}
      aria-label={control['aria-label'] ?? name}
      disabled={isReadOnly}
      data={[
        ...(isRequired ? [] : [{ value: 'undefined', label: unset }]),
        { value: 'true', label: t('boolean.true') },
        { value: 'false', label: t('boolean.false') },
        ...(isKnown ? [] : [{ value: String(value), label: String(value) }]),
      ]}
      value={value === undefined || value === null ? 'undefined' : String(value)}
      onChange={(next) => onChange(next === 'undefined' ? undefined : next === 'true')}
    />
  );
}

/** A value outside the list stays, and is offered beside the others. */
export function EnumWidget(props: WidgetProps<'enum'>) {
  const { field, value, isRequired, error, isReadOnly, onChange, control } = props;
  const { t } = useTranslation();
  const known = field.values.map(String);
  const shown = value === undefined || value === null ? undefined : String(value);
  return (
    <Select
      {...control}
      maw={340}
      data={shown === undefined || known.includes(shown) ? known : [...known, shown]}
      placeholder={showDefault(field.schema)}
      searchable
      clearable={!isRequired}
      nothingFoundMessage={t('filter.nothing')}
      error={error}
      readOnly={isReadOnly}
      value={shown ?? null}
      onChange={(next) => onChange(field.values.find((one) => String(one) === next) ?? next ?? undefined)}
    />
  );
}

export function SuggestionsWidget(props: WidgetProps<'suggestions'>) {
  const { field, value, error, isReadOnly, onChange, control } = props;
  return (
    <Autocomplete
      {...control}
      data={[...field.values]}
      classNames={{ input: styles.code ?? '' }}
      maxDropdownHeight={280}
      limit={60}
      error={error}
      readOnly={isReadOnly}
      value={showText(value)}
      onChange={onChange}
    />
  );
}

export const ConstantWidget = ({ field, control }: WidgetProps<'constant'>) => (
  <CodeInput control={control} error={false} isReadOnly text={showText(field.value)} onText={() => {}} />
);

/** A moment is picked; what is no moment, an expression above all, is written. */
export function DateTimeWidget(props: WidgetProps<'dateTime'>) {
  const { value, error, isReadOnly, onChange, control } = props;
  const isMoment = value === undefined || value === null || !Number.isNaN(Date.parse(String(value)));
  if (!isMoment) {
    return (
      <CodeInput
        control={control}
        error={error}
        isReadOnly={isReadOnly}
        text={String(value)}
        onText={onChange}
      />
    );
  }
  return (
    <DateTimePicker
      {...control}
      maw={260}
      withSeconds
      clearable={!isReadOnly}
      error={error}
      readOnly={isReadOnly}
      value={value === undefined || value === null ? null : instantToLocal(String(value))}
      onChange={(next) => onChange(next === null ? undefined : localToInstant(next))}
    />
  );
}
