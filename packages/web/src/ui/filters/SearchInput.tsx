import { CloseButton, Input } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { lettersOf } from '../../format/lettersOf.ts';
import { useTyped } from './useTyped.ts';

const LETTER_PX = 6.7;
const ICON_AND_PADDING_PX = 52;

interface SearchInputProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  placeholder: string;
}

/**
 * A text filter that waits for a pause in the typing. It needs no `TextInput`: the wrapper of one draws itself a second
 * time before the first paint, and all that waits for the paint comes before it then.
 */
export function SearchInput({ value = '', onChange, placeholder }: SearchInputProps) {
  const { t } = useTranslation();
  const { typed, type, apply } = useTyped(value, (next) => onChange(next || undefined));
  return (
    <Input
      type="search"
      w={widthFor(placeholder)}
      placeholder={placeholder}
      aria-label={placeholder}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(typed);
        if (event.key === 'Escape' && typed) apply('');
      }}
      leftSection={<IconSearch size={15} stroke={1.7} />}
      rightSectionPointerEvents="all"
      rightSection={
        typed ? <CloseButton size="sm" onClick={() => apply('')} aria-label={t('filter.clearText')} /> : null
      }
    />
  );
}

/** At least as usual, and enough for the words of every language. */
const widthFor = (placeholder: string): number =>
  Math.max(210, Math.round(lettersOf(placeholder) * LETTER_PX + ICON_AND_PADDING_PX));
