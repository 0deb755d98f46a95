import { CloseButton, Input, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { displayWidth } from '../../format/displayWidth.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';

const CHARACTER_PX = 6.7;
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
  Math.max(210, Math.round(displayWidth(placeholder) * CHARACTER_PX + ICON_AND_PADDING_PX));

const pauseMs = 300;

/** A text while it is typed: told after a pause. The value outside wins when it changes by itself. */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  /** What the outside knows, or will know in a moment. */
  const [told, setTold] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (seen !== value) {
    setSeen(value);
    // The echo of a reported value is no external change: the user may have typed more meanwhile.
    if (told !== value) {
      setTold(value);
      setTyped(value);
    }
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const tell = (next: string) => {
    clearTimeout(timer.current);
    setTold(next);
    if (next !== value) onChange(next);
  };
  return {
    typed,
    type: (next: string) => {
      setTyped(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => tell(next), pauseMs);
    },
    /** Without waiting for a pause. */
    apply: (next: string) => {
      setTyped(next);
      tell(next);
    },
  };
}

/** Holds a filter's place while its part loads, so that nothing beside it moves. */
export function FilterPlaceholder({ label, width }: { label: string; width: number }) {
  return <TextInput w={width} placeholder={label} aria-label={label} disabled />;
}
